/* module.c - one module: reading it, its symbols, its bodies.
 *
 * Steps: parse; verify unless the bytes are those that our clang wrote; list the
 * instructions, because site ids are ordinals before any pass (from 1 in each
 * function, blocks as they come, calls of llvm.dbg.* not counted, so that -g
 * changes nothing); promote locals
 * whose address is not taken, which neither merges nor deletes an access of
 * other memory; learn the types; declare all symbols; lower the bodies.
 *
 * A symbol has its id before anything refers to it, so initialisers, aliases
 * and bodies are looked at in any order. */
#include "llvm/llvm_int.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

void
lower_assume(Lower *l, const char *what)
{
	StrId s = intern_str(&l->ir->strs, what);
	u32 *seen = map_at(l->arena, &l->assumed, map_pair(s, l->b.fn));

	if (*seen)
		return;
	*seen = 1;
	vec_push(l->ir->arena, &l->ir->assumes, (Assume){s, l->b.fn, l->b.src});
}

static u32
attr_kind(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* ---- reading ------------------------------------------------------------ */

typedef struct Complaint {
	Arena *arena;
	const char *first; /* error */
} Complaint;

static void
complain(LLVMDiagnosticInfoRef info, void *ctx)
{
	Complaint *c = ctx;
	char *text;

	if (c->first || LLVMGetDiagInfoSeverity(info) != LLVMDSError)
		return;
	text = LLVMGetDiagInfoDescription(info);
	c->first = arena_strdup(c->arena, text);
	LLVMDisposeMessage(text);
}

/* LLVM verifies what it reads for the sake of its debug information; verify
 * does that, once for all. */
void
module_prepare(void)
{
	static const char *const argv[] = {"concord", "-disable-auto-upgrade-debug-info"};

	LLVMParseCommandLineOptions(COUNT(argv), argv, NULL);
}

static const char *
parse(Lower *l, Complaint *c, const Source *s)
{
	/* text needs the zero byte behind it, so LLVM copies */
	LLVMMemoryBufferRef buf =
	    LLVMCreateMemoryBufferWithMemoryRangeCopy(s->bytes, s->n, s->name);
	char *text = NULL;

	if (!LLVMParseIRInContext(l->ctx, buf, &l->module, &text))
		return NULL;
	if (c->first)
		return c->first;
	return text && *text ? arena_strdup(c->arena, text) : "not LLVM bitcode or text";
}

/* Debug information of another version is left out. */
static void
drop_foreign_debug(Lower *l)
{
	if (LLVMGetModuleDebugMetadataVersion(l->module) != LLVMDebugMetadataVersion())
		(void)LLVMStripModuleDebugInfo(l->module);
}

/* So is what is wrong. */
static const char *
verify(Lower *l)
{
	char *text = NULL;
	bool wrong;

	wrong = LLVMVerifyModule(l->module, LLVMReturnStatusAction, &text);
	if (wrong && LLVMStripModuleDebugInfo(l->module)) {
		LLVMDisposeMessage(text);
		wrong = LLVMVerifyModule(l->module, LLVMReturnStatusAction, &text);
	}
	if (wrong)
		return arena_printf(l->arena, "invalid module: %s", text);
	LLVMDisposeMessage(text);
	return NULL;
}

/* The instructions of each body, with a null behind them. */
static void
list_sites(Lower *l)
{
	LLVMBasicBlockRef b;

	for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
		if (!LLVMGetFirstBasicBlock(f))
			continue;
		for (b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			     i = LLVMGetNextInstruction(i))
				if (!debug_is_intrinsic(l, i))
					vec_push(l->arena, &l->sites, i);
		vec_push(l->arena, &l->sites, NULL);
	}
}

static bool
fn_has(LLVMValueRef fn, u32 kind)
{
	return LLVMGetEnumAttributeAtIndex(fn, LLVMAttributeFunctionIndex, kind) != NULL;
}

/* Passes leave functions alone that were compiled to stay as they are. */
static void
allow_passes(Lower *l)
{
	u32 kind = attr_kind("optnone");

	for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
		LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
}

static const char *
run_pass(Lower *l, const char *name)
{
	LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
	LLVMErrorRef e = LLVMRunPasses(l->module, name, NULL, o);

	LLVMDisposePassBuilderOptions(o);
	if (!e)
		return NULL;
	return arena_strdup(l->arena, LLVMGetErrorMessage(e));
}

/* What must be inlined has no call path of its own, with any compiler. */
static const char *
inline_always(Lower *l)
{
	u32 kind = attr_kind("alwaysinline");

	for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && fn_has(f, kind))
			return run_pass(l, "always-inline");
	return NULL;
}

/* ---- symbols ------------------------------------------------------------ */

static Linkage
linkage_of(LLVMValueRef v)
{
	if (LLVMIsDeclaration(v))
		return LINK_DECL;
	switch (LLVMGetLinkage(v)) {
	case LLVMInternalLinkage:
	case LLVMPrivateLinkage:
	case LLVMLinkerPrivateLinkage:
	case LLVMLinkerPrivateWeakLinkage: return LINK_INTERNAL;
	case LLVMAvailableExternallyLinkage: /* the real one is elsewhere */
	case LLVMLinkOnceAnyLinkage:
	case LLVMLinkOnceODRLinkage:
	case LLVMLinkOnceODRAutoHideLinkage:
	case LLVMWeakAnyLinkage:
	case LLVMWeakODRLinkage:
	case LLVMExternalWeakLinkage: return LINK_WEAK;
	case LLVMCommonLinkage: return LINK_COMMON;
	default: return LINK_EXTERNAL;
	}
}

static StrId
symbol_name(Lower *l, LLVMValueRef v, const char *kind, u32 id)
{
	size_t n;
	const char *s = LLVMGetValueName2(v, &n);

	/* \1 tells LLVM not to decorate the name */
	if (n && s[0] == '\1')
		s++, n--;
	if (n)
		return intern_bytes(&l->ir->strs, s, n);
	return intern_str(&l->ir->strs, arena_printf(&l->scratch, ".%s.%u", kind, id));
}

static SrcId
declared_at(Lower *l, LLVMMetadataRef file, u32 line)
{
	return file && line ? ir_src(l->ir, debug_file(l, file), line, 0) : 0;
}

static void
describe_global(Lower *l, Global *g, LLVMValueRef v)
{
	LLVMMetadataRef var = debug_global(v);
	StrId name;
	TypeId type;

	if (!var)
		return;
	name = debug_variable_name(l, var);
	g->pretty = name == g->name ? 0 : name;
	type = debug_variable_type(l, var);
	if (type && l->ir->types.at[type].size == g->size)
		g->type = type;
	g->src = declared_at(l, LLVMDIVariableGetFile(var), LLVMDIVariableGetLine(var));
}

static bool
is_special(LLVMValueRef v)
{
	size_t n;
	const char *s = LLVMGetValueName2(v, &n);

	return n > 5 && !memcmp(s, "llvm.", 5);
}

static void
declare_global(Lower *l, LLVMValueRef v, bool alias)
{
	GlobalId id = l->ir->globals.n;
	Global g = {.name = symbol_name(l, v, "global", id), .unit = l->ir->unit};

	g.size = type_size(l, LLVMGlobalGetValueType(v));
	g.type = type_of(l, LLVMGlobalGetValueType(v));
	g.linkage = (u8)(alias ? LINK_ALIAS : linkage_of(v));
	if (!alias) {
		g.tls = LLVMIsThreadLocal(v);
		g.constant = LLVMIsGlobalConstant(v);
		describe_global(l, &g, v);
		if (LLVMGetSection(v) && *LLVMGetSection(v))
			g.section = intern_str(&l->ir->strs, LLVMGetSection(v));
	}
	vec_push(l->ir->arena, &l->ir->globals, g);
	map_put(l->arena, &l->globals, KEY(v), id);
}

static void
describe_fn(Lower *l, Fn *f, LLVMValueRef v)
{
	enum { SUBPROGRAM_NAME = 2, SUBPROGRAM_TYPE = 4 };
	LLVMMetadataRef sub = LLVMGetSubprogram(v);
	StrId name;

	if (!sub)
		return;
	name = debug_name(l, sub, SUBPROGRAM_NAME);
	f->pretty = name == f->name ? 0 : name;
	f->src = declared_at(l, LLVMDIScopeGetFile(sub), LLVMDISubprogramGetLine(sub));
	f->proto = proto_of(l, debug_operand(l, sub, SUBPROGRAM_TYPE));
}

static Fn
fn_header(Lower *l, LLVMValueRef v, LLVMTypeRef type)
{
	Fn f = {.name = symbol_name(l, v, "fn", l->ir->fns.n), .unit = l->ir->unit};
	u16 width;

	f.linkage = (u8)linkage_of(v);
	f.ret = (u8)type_reg(l, LLVMGetReturnType(type), &width);
	f.nparam = LLVMCountParamTypes(type);
	if (LLVMIsFunctionVarArg(type))
		f.flags |= FN_VARIADIC;
	/* of the second there is a symbol elsewhere, if anywhere */
	if (LLVMGetVisibility(v) == LLVMHiddenVisibility ||
	    LLVMGetLinkage(v) == LLVMAvailableExternallyLinkage)
		f.flags |= FN_HIDDEN;
	return f;
}

static void
add_fn(Lower *l, LLVMValueRef v, Fn f)
{
	map_put(l->arena, &l->fns, KEY(v), l->ir->fns.n);
	vec_push(l->ir->arena, &l->ir->fns, f);
}

/* What a function without a body is given. */
static void
declare_params(Lower *l, Fn *f, LLVMTypeRef type)
{
	LLVMTypeRef *params = arena_array(&l->scratch, LLVMTypeRef, f->nparam + 1);

	LLVMGetParamTypes(type, params);
	f->reg = l->ir->regs.n - 1;
	f->nreg = f->nparam;
	for (u32 k = 0; k < f->nparam; k++) {
		Reg r = {0};
		r.rt = (u8)type_reg(l, params[k], &r.width);
		vec_push(l->ir->arena, &l->ir->regs, r);
	}
}

static void
declare_fn(Lower *l, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(v);
	Fn f = fn_header(l, v, type);

	if (LLVMIsDeclaration(v))
		declare_params(l, &f, type);
	if (fn_has(v, l->attr.noreturn_fn))
		f.flags |= FN_NORETURN;
	describe_fn(l, &f, v);
	add_fn(l, v, f);
}

static bool
is_fn(LLVMValueRef v)
{
	return LLVMGetTypeKind(LLVMGlobalGetValueType(v)) == LLVMFunctionTypeKind;
}

static void
declare_alias(Lower *l, LLVMValueRef v)
{
	if (linkage_of(v) == LINK_INTERNAL) /* nobody else can name it */
		return;
	if (is_fn(v)) {
		Fn f = fn_header(l, v, LLVMGlobalGetValueType(v));
		f.linkage = LINK_ALIAS;
		add_fn(l, v, f);
	} else {
		declare_global(l, v, true);
	}
}

static void
declare_symbols(Lower *l)
{
	LLVMModuleRef m = l->module;

	for (LLVMValueRef v = LLVMGetFirstGlobal(m); v; v = LLVMGetNextGlobal(v))
		if (!is_special(v)) {
			declare_global(l, v, false);
			section_declare(l, v);
		}
	for (LLVMValueRef v = LLVMGetFirstFunction(m); v; v = LLVMGetNextFunction(v))
		if (!LLVMGetIntrinsicID(v)) {
			declare_fn(l, v);
			l->jumps |= LLVMGetEnumAttributeAtIndex(v, LLVMAttributeFunctionIndex,
								l->attr.twice) != NULL;
		} else {
			l->traps |= intrinsic_traps(v);
		}
	for (LLVMValueRef v = LLVMGetFirstGlobalAlias(m); v; v = LLVMGetNextGlobalAlias(v))
		declare_alias(l, v);
	for (LLVMValueRef v = LLVMGetFirstGlobalIFunc(m); v; v = LLVMGetNextGlobalIFunc(v)) {
		Fn f = fn_header(l, v, LLVMGlobalGetValueType(v));
		f.flags |= FN_SYNTHETIC;
		add_fn(l, v, f);
	}
	arena_release(&l->scratch);
}

/* ---- contents ----------------------------------------------------------- */

/* Integers of small variables are kept, the letters of strings are not. */
static bool
keeps_ints(const Lower *l, GlobalId id, LLVMValueRef init)
{
	const Global *g = &l->ir->globals.at[id];

	return g->size <= IR_INT_INIT && !(g->constant && LLVMIsConstantString(init));
}

static void
init_global(Lower *l, LLVMValueRef v)
{
	GlobalId id = map_get(&l->globals, KEY(v));
	LLVMValueRef init = LLVMGetInitializer(v);
	u32 first = l->ir->inits.n;

	if (!id || !init)
		return;
	value_init(l, init, 0, keeps_ints(l, id, init));
	l->ir->globals.at[id].ninit = l->ir->inits.n - first;
	l->ir->globals.at[id].init = l->ir->inits.n > first ? first : 0;
}

static void
resolve_alias(Lower *l, LLVMValueRef v)
{
	Val c = value_const(l, LLVMAliasGetAliasee(v));
	const Const *to = c ? ir_const(l->ir, c) : NULL;
	FnId f = map_get(&l->fns, KEY(v));
	GlobalId g = map_get(&l->globals, KEY(v));

	if (!f && !g)
		return;
	if (f && to && to->kind == CONST_FN) {
		l->ir->fns.at[f].alias = to->ref;
		return;
	}
	if (g && to && to->kind == CONST_GLOBAL) {
		l->ir->globals.at[g].alias = to->ref;
		l->ir->globals.at[g].tls = l->ir->globals.at[to->ref].tls;
		l->ir->globals.at[g].constant = l->ir->globals.at[to->ref].constant;
		if (to->num)
			lower_assume(l, "an alias into the middle of a variable names its start");
		return;
	}
	lower_assume(l, "an alias of something that is no symbol is taken for a declaration");
	if (f)
		l->ir->fns.at[f].linkage = LINK_DECL;
	if (g)
		l->ir->globals.at[g].linkage = LINK_DECL;
}

/* Sets flag for the functions listed in LLVM's table of the given name. */
static void
mark_listed(Lower *l, const char *table, u16 flag)
{
	LLVMValueRef g = LLVMGetNamedGlobal(l->module, table);
	LLVMValueRef list = g ? LLVMGetInitializer(g) : NULL;

	if (!list || LLVMGetValueKind(list) != LLVMConstantArrayValueKind)
		return;
	for (u32 i = 0; i < (u32)LLVMGetNumOperands(list); i++) {
		LLVMValueRef row = LLVMGetOperand(list, i);
		Val c = LLVMGetNumOperands(row) > 1 ? value_const(l, LLVMGetOperand(row, 1)) : 0;
		if (c && ir_const(l->ir, c)->kind == CONST_FN)
			l->ir->fns.at[ir_const(l->ir, c)->ref].flags |= flag;
	}
}

static void
mark_functions(Lower *l, LLVMValueRef v, u16 flag)
{
	Val c;

	if (LLVMGetValueKind(v) == LLVMConstantArrayValueKind) {
		for (u32 i = 0; i < (u32)LLVMGetNumOperands(v); i++)
			mark_functions(l, LLVMGetOperand(v, i), flag);
		return;
	}
	c = LLVMGetValueKind(v) == LLVMFunctionValueKind ? value_const(l, v) : 0;
	if (c && ir_const(l->ir, c)->kind == CONST_FN)
		l->ir->fns.at[ir_const(l->ir, c)->ref].flags |= flag;
}

/* What lies in these sections is run before main, or at the end. */
static void
mark_section(Lower *l, LLVMValueRef global)
{
	static const struct {
		const char *section;
		u16 flag;
	} table[] = {{".init_array", FN_CONSTRUCTOR},
		     {".preinit_array", FN_CONSTRUCTOR},
		     {".ctors", FN_CONSTRUCTOR},
		     {".fini_array", FN_DESTRUCTOR},
		     {".dtors", FN_DESTRUCTOR}};
	const char *in = LLVMGetSection(global);
	LLVMValueRef init = in ? LLVMGetInitializer(global) : NULL;

	for (u32 i = 0; init && i < COUNT(table); i++)
		if (!strncmp(in, table[i].section, strlen(table[i].section)))
			mark_functions(l, init, table[i].flag);
}

/* An ifunc calls what its resolver returns. */
static void
lower_ifunc(Lower *l, LLVMValueRef v)
{
	FnId id = map_get(&l->fns, KEY(v));
	LLVMTypeRef type = LLVMGlobalGetValueType(v), ret = LLVMGetReturnType(type);
	u32 n = l->ir->fns.at[id].nparam;
	Val *args = arena_array(l->arena, Val, n + 1), r = 0;
	LLVMTypeRef *param = arena_array(l->arena, LLVMTypeRef, n + 1);

	LLVMGetParamTypes(type, param);
	build_begin(&l->b, l->ir, id);
	build_block_start(&l->b, build_block_new(&l->b));
	for (u32 k = 0; k < LLVMCountParamTypes(type); k++) {
		Reg *p = &l->ir->regs.at[l->ir->fns.at[id].reg + 1 + k];
		p->rt = (u8)type_reg(l, param[k], &p->width);
	}
	args[0] = value_of(l, LLVMGetGlobalIFuncResolver(v));
	args[0] = emit_as(l, OP_CALL, RT_PTR, (u16)(l->ir->ptr_bytes * 8), 1, args);
	for (u32 k = 0; k < n; k++)
		args[k + 1] = k + 1;
	if (LLVMGetTypeKind(ret) == LLVMVoidTypeKind)
		build_ins(&l->b, OP_CALL, n + 1, args);
	else
		r = emit(l, OP_CALL, ret, n + 1, args);
	build_term(&l->b, OP_RET, r ? 1 : 0, &r, 0, NULL);
	build_end(&l->b);
}

static void
lower_contents(Lower *l)
{
	LLVMModuleRef m = l->module;

	for (LLVMValueRef v = LLVMGetFirstGlobal(m); v; v = LLVMGetNextGlobal(v)) {
		init_global(l, v);
		mark_section(l, v);
	}
	for (LLVMValueRef v = LLVMGetFirstGlobalAlias(m); v; v = LLVMGetNextGlobalAlias(v))
		resolve_alias(l, v);
	mark_listed(l, "llvm.global_ctors", FN_CONSTRUCTOR);
	mark_listed(l, "llvm.global_dtors", FN_DESTRUCTOR);
	for (LLVMValueRef v = LLVMGetFirstFunction(m); v; v = LLVMGetNextFunction(v))
		if (LLVMGetFirstBasicBlock(v))
			function_lower(l, map_get(&l->fns, KEY(v)), v);
	for (LLVMValueRef v = LLVMGetFirstGlobalIFunc(m); v; v = LLVMGetNextGlobalIFunc(v))
		lower_ifunc(l, v);
}

/* ---- the whole ---------------------------------------------------------- */

static void
setup(Lower *l)
{
	l->layout = LLVMGetModuleDataLayout(l->module);
	l->ir->ptr_bytes = LLVMPointerSize(l->layout);
	l->attr.noreturn_fn = attr_kind("noreturn");
	l->attr.nounwind = attr_kind("nounwind");
	l->attr.byval = attr_kind("byval");
	l->attr.twice = attr_kind("returns_twice");
	l->attr.memory = attr_kind("memory");
	l->attr.elementtype = attr_kind("elementtype");
}

static const char *
lower_all(Lower *l)
{
	const char *wrong;

	setup(l);
	if (l->ir->ptr_bytes != 4 && l->ir->ptr_bytes != 8)
		return "pointers are neither 32 nor 64 bits wide";
	debug_setup(l);
	if ((wrong = inline_always(l)))
		return wrong;
	list_sites(l);
	allow_passes(l);
	if ((wrong = run_pass(l, "mem2reg")))
		return wrong;
	for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
		shorten_function(f);
	/* debug records, which LLVM-C cannot walk, become calls */
	LLVMSetIsNewDbgInfoFormat(l->module, 0);
	debug_collect_types(l);
	declare_symbols(l);
	lower_contents(l);
	arena_release(&l->scratch);
	return NULL;
}

static void
dispose(Lower *l)
{
	if (l->module)
		LLVMDisposeModule(l->module);
	LLVMContextDispose(l->ctx);
	arena_release(&l->scratch);
}

const char *
module_lower(Ir *ir, Arena *a, const Source *source)
{
	Lower *l = arena_new(a, Lower);
	Complaint c = {a, NULL};
	const char *wrong;

	l->ir = ir;
	l->arena = a;
	l->cwd = source->cwd;
	l->tidy = source->tidy;
	arena_init(&l->scratch, a->budget);
	ir->unit = intern_str(&ir->strs, source->name);
	ir->hash = hash_bytes(source->bytes, source->n);
	l->ctx = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(l->ctx, complain, &c);
	wrong = parse(l, &c, source);
	if (!wrong)
		drop_foreign_debug(l);
	if (!wrong && !source->trusted)
		wrong = verify(l);
	if (!wrong)
		wrong = lower_all(l);
	/* where the process ends soon, taking LLVM's structures apart would only cost time */
	if (!source->last)
		dispose(l);
	return wrong;
}
