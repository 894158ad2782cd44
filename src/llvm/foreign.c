/* foreign.c - bitcode and text that our clang did not write, through LLVM.
 *
 * LLVM reads what it can of other versions, verifies it, and writes it in its own form, which is
 * that of bc.h.  Debug information of another version is left out, and so is what is wrong.
 * Functions that are always to be inlined are, here: they have no call path of their own with any
 * compiler.
 *
 * LLVM's library is 130 MB with 380,000 places to relocate: it is loaded only where there is such a
 * unit, and most runs do without. */
#include "llvm/llvm_int.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/resource.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* What of LLVM is called. */
#define CALLS(X) \
	X(GetDiagInfoSeverity) X(GetDiagInfoDescription) X(DisposeMessage) \
	X(ParseCommandLineOptions) X(CreateMemoryBufferWithMemoryRangeCopy) \
	X(ParseIRInContext) X(GetModuleDebugMetadataVersion) X(DebugMetadataVersion) \
	X(StripModuleDebugInfo) X(VerifyModule) X(CreatePassBuilderOptions) X(RunPasses) \
	X(DisposePassBuilderOptions) X(GetErrorMessage) X(WriteBitcodeToMemoryBuffer) \
	X(GetBufferSize) X(GetBufferStart) X(DisposeMemoryBuffer) X(ContextCreate) \
	X(ContextSetDiagnosticHandler) X(DisposeModule) X(ContextDispose)

typedef struct Llvm {
#define CALL(name) __typeof__(LLVM##name) *name;
	CALLS(CALL)
#undef CALL
} Llvm;

typedef struct Foreign {
	Arena *arena;
	const Llvm *llvm;
	LLVMContextRef ctx;
	LLVMModuleRef module;
	const char *first; /* error */
} Foreign;

static void
complain(LLVMDiagnosticInfoRef info, void *ctx)
{
	Foreign *f = ctx;
	char *text;

	if (f->first || f->llvm->GetDiagInfoSeverity(info) != LLVMDSError)
		return;
	text = f->llvm->GetDiagInfoDescription(info);
	f->first = arena_strdup(f->arena, text);
	f->llvm->DisposeMessage(text);
}

/* ---- the library ---------------------------------------------------------------------- */

/* Loads the library, whose own mappings do not count against the limit of memory. */
static void *
open_library(void)
{
	size_t before = child_mapped();
	struct rlimit r, free;
	void *lib;

	if (getrlimit(RLIMIT_AS, &r) != 0)
		return NULL;
	free = r;
	free.rlim_cur = r.rlim_max;
	(void)setrlimit(RLIMIT_AS, &free);
	lib = dlopen("libLLVM.so.19.1", RTLD_LAZY);
	if (r.rlim_cur != RLIM_INFINITY)
		r.rlim_cur = MIN(r.rlim_cur + (child_mapped() - before), r.rlim_max);
	(void)setrlimit(RLIMIT_AS, &r);
	return lib;
}

/* LLVM verifies what it reads for the sake of its debug information; verify does that, once
 * for all. */
static const char *const options[] = {"concord", "-disable-auto-upgrade-debug-info"};

/* The library, or what is wrong with it: one for the process. */
static struct {
	pthread_once_t once;
	const char *wrong;
	Llvm at;
} llvm = {.once = PTHREAD_ONCE_INIT};

static void
load(void)
{
	void *lib = open_library();

	if (!lib) {
		llvm.wrong = "LLVM's library is needed for what clang-19 did not write just now, "
			     "and cannot be loaded";
		return;
	}
#define CALL(name)                                                                                 \
	*(void **)&llvm.at.name = dlsym(lib, "LLVM" #name);                                        \
	if (!llvm.at.name)                                                                         \
		llvm.wrong = "LLVM's library has no function LLVM" #name;
	CALLS(CALL)
#undef CALL
	if (!llvm.wrong)
		llvm.at.ParseCommandLineOptions(COUNT(options), options, NULL);
}

void
foreign_prepare(void)
{
	(void)pthread_once(&llvm.once, load);
}

/* ---- one unit --------------------------------------------------------------------------- */

static const char *
parse(Foreign *f, const Source *s)
{
	/* text needs the zero byte behind it, so LLVM copies */
	LLVMMemoryBufferRef buf =
	    f->llvm->CreateMemoryBufferWithMemoryRangeCopy(s->bytes, s->n, s->name);
	char *text = NULL;

	if (!f->llvm->ParseIRInContext(f->ctx, buf, &f->module, &text))
		return NULL;
	if (f->first)
		return f->first;
	return text && *text ? arena_strdup(f->arena, text) : "not LLVM bitcode or text";
}

/* Debug information of another version is left out. */
static void
drop_foreign_debug(Foreign *f)
{
	if (f->llvm->GetModuleDebugMetadataVersion(f->module) != f->llvm->DebugMetadataVersion())
		(void)f->llvm->StripModuleDebugInfo(f->module);
}

/* So is what is wrong. */
static const char *
verify(Foreign *f)
{
	char *text = NULL;
	bool wrong;

	wrong = f->llvm->VerifyModule(f->module, LLVMReturnStatusAction, &text);
	if (wrong && f->llvm->StripModuleDebugInfo(f->module)) {
		f->llvm->DisposeMessage(text);
		wrong = f->llvm->VerifyModule(f->module, LLVMReturnStatusAction, &text);
	}
	if (wrong)
		return arena_printf(f->arena, "invalid module: %s", text);
	f->llvm->DisposeMessage(text);
	return NULL;
}

static const char *
inline_always(Foreign *f)
{
	LLVMPassBuilderOptionsRef o = f->llvm->CreatePassBuilderOptions();
	LLVMErrorRef e = f->llvm->RunPasses(f->module, "always-inline", NULL, o);

	f->llvm->DisposePassBuilderOptions(o);
	return e ? arena_strdup(f->arena, f->llvm->GetErrorMessage(e)) : NULL;
}

static void
write(Foreign *f, const void **bytes, size_t *n)
{
	LLVMMemoryBufferRef buf = f->llvm->WriteBitcodeToMemoryBuffer(f->module);
	size_t size = f->llvm->GetBufferSize(buf);
	char *copy = arena_alloc(f->arena, size + BITS_SLACK);

	memcpy(copy, f->llvm->GetBufferStart(buf), size);
	f->llvm->DisposeMemoryBuffer(buf);
	*bytes = copy;
	*n = size;
}

const char *
foreign_read(Arena *a, const Source *source, const void **bytes, size_t *n)
{
	Foreign f = {.arena = a, .llvm = &llvm.at};
	const char *wrong;

	foreign_prepare();
	if (llvm.wrong)
		return llvm.wrong;
	f.ctx = f.llvm->ContextCreate();
	f.llvm->ContextSetDiagnosticHandler(f.ctx, complain, &f);
	wrong = parse(&f, source);
	if (!wrong) {
		drop_foreign_debug(&f);
		wrong = verify(&f);
	}
	if (!wrong)
		wrong = inline_always(&f);
	if (!wrong)
		write(&f, bytes, n);
	/* where the process ends soon, taking LLVM's structures apart would only cost time */
	if (!source->last) {
		if (f.module)
			f.llvm->DisposeModule(f.module);
		f.llvm->ContextDispose(f.ctx);
	}
	return wrong;
}
