/* foreign.c - bitcode and text that our clang did not write, through LLVM.
 *
 * LLVM reads what it can of other versions, verifies it, and writes it in its own form, which is
 * that of bc.h.  Debug information of another version is left out, and so is what is wrong.
 * Functions that are always to be inlined are, here: they have no call path of their own with any
 * compiler. */
#include "llvm/llvm_int.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>

typedef struct Foreign {
	Arena *arena;
	LLVMContextRef ctx;
	LLVMModuleRef module;
	const char *first; /* error */
} Foreign;

static void
complain(LLVMDiagnosticInfoRef info, void *ctx)
{
	Foreign *f = ctx;
	char *text;

	if (f->first || LLVMGetDiagInfoSeverity(info) != LLVMDSError)
		return;
	text = LLVMGetDiagInfoDescription(info);
	f->first = arena_strdup(f->arena, text);
	LLVMDisposeMessage(text);
}

/* LLVM verifies what it reads for the sake of its debug information; verify
 * does that, once for all. */
static void
prepare(void)
{
	static const char *const argv[] = {"concord", "-disable-auto-upgrade-debug-info"};
	static bool done;

	if (!done)
		LLVMParseCommandLineOptions(COUNT(argv), argv, NULL);
	done = true;
}

static const char *
parse(Foreign *f, const Source *s)
{
	/* text needs the zero byte behind it, so LLVM copies */
	LLVMMemoryBufferRef buf =
	    LLVMCreateMemoryBufferWithMemoryRangeCopy(s->bytes, s->n, s->name);
	char *text = NULL;

	if (!LLVMParseIRInContext(f->ctx, buf, &f->module, &text))
		return NULL;
	if (f->first)
		return f->first;
	return text && *text ? arena_strdup(f->arena, text) : "not LLVM bitcode or text";
}

/* Debug information of another version is left out. */
static void
drop_foreign_debug(Foreign *f)
{
	if (LLVMGetModuleDebugMetadataVersion(f->module) != LLVMDebugMetadataVersion())
		(void)LLVMStripModuleDebugInfo(f->module);
}

/* So is what is wrong. */
static const char *
verify(Foreign *f)
{
	char *text = NULL;
	bool wrong;

	wrong = LLVMVerifyModule(f->module, LLVMReturnStatusAction, &text);
	if (wrong && LLVMStripModuleDebugInfo(f->module)) {
		LLVMDisposeMessage(text);
		wrong = LLVMVerifyModule(f->module, LLVMReturnStatusAction, &text);
	}
	if (wrong)
		return arena_printf(f->arena, "invalid module: %s", text);
	LLVMDisposeMessage(text);
	return NULL;
}

static const char *
inline_always(Foreign *f)
{
	LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
	LLVMErrorRef e = LLVMRunPasses(f->module, "always-inline", NULL, o);

	LLVMDisposePassBuilderOptions(o);
	return e ? arena_strdup(f->arena, LLVMGetErrorMessage(e)) : NULL;
}

static void
write(Foreign *f, const void **bytes, size_t *n)
{
	LLVMMemoryBufferRef buf = LLVMWriteBitcodeToMemoryBuffer(f->module);
	size_t size = LLVMGetBufferSize(buf);
	char *copy = arena_alloc(f->arena, size + BITS_SLACK);

	memcpy(copy, LLVMGetBufferStart(buf), size);
	LLVMDisposeMemoryBuffer(buf);
	*bytes = copy;
	*n = size;
}

const char *
foreign_read(Arena *a, const Source *source, const void **bytes, size_t *n)
{
	Foreign f = {.arena = a, .ctx = LLVMContextCreate()};
	const char *wrong;

	prepare();
	LLVMContextSetDiagnosticHandler(f.ctx, complain, &f);
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
			LLVMDisposeModule(f.module);
		LLVMContextDispose(f.ctx);
	}
	return wrong;
}
