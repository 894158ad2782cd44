/* debug.c - positions, names and variables from debug information.
 *
 * LLVM-C has no accessors for most of it, so nodes are read through their
 * operands, whose order is that of LLVM 19's classes.  A file keeps the name
 * that the user gave to the compiler; the directory is put before it only
 * where the unit was compiled elsewhere. */
#include "base/file.h"
#include "llvm/llvm_int.h"

#include <string.h>

/* operands of debug nodes */
enum { VAR_NAME = 1, VAR_TYPE = 3, SUBPROGRAM_TYPE = 4, UNIT_RETAINED = 5 };

static bool
is_node(LLVMMetadataRef md)
{
	LLVMMetadataKind k = LLVMGetMetadataKind(md);

	return k >= LLVMMDTupleMetadataKind && k != LLVMDIArgListMetadataKind;
}

static LLVMValueRef *
operands(Lower *l, LLVMMetadataRef node, u32 *n)
{
	LLVMValueRef v = LLVMMetadataAsValue(l->ctx, node);
	LLVMValueRef *ops;

	*n = is_node(node) ? LLVMGetMDNodeNumOperands(v) : 0;
	ops = arena_array(&l->scratch, LLVMValueRef, *n + 1);
	if (*n)
		LLVMGetMDNodeOperands(v, ops);
	return ops;
}

LLVMMetadataRef *
debug_operands(Lower *l, LLVMMetadataRef node, u32 *n)
{
	LLVMValueRef *ops = operands(l, node, n);
	LLVMMetadataRef *mds = arena_array(&l->scratch, LLVMMetadataRef, *n + 1);

	for (u32 i = 0; i < *n; i++)
		mds[i] = ops[i] ? LLVMValueAsMetadata(ops[i]) : NULL;
	return mds;
}

LLVMMetadataRef
debug_operand(Lower *l, LLVMMetadataRef node, u32 k)
{
	u32 n;
	LLVMValueRef *ops = operands(l, node, &n);

	return k < n && ops[k] ? LLVMValueAsMetadata(ops[k]) : NULL;
}

StrId
debug_name(Lower *l, LLVMMetadataRef node, u32 k)
{
	u32 n, len = 0;
	LLVMValueRef *ops = operands(l, node, &n);
	const char *s;

	if (k >= n || !ops[k] ||
	    LLVMGetMetadataKind(LLVMValueAsMetadata(ops[k])) != LLVMMDStringMetadataKind)
		return 0;
	s = LLVMGetMDString(ops[k], &len);
	return len ? intern_bytes(&l->ir->strs, s, len) : 0;
}

/* ---- positions ---------------------------------------------------------- */

static StrId
tidy_file(Lower *l, const char *dir, u32 ndir, const char *name, u32 n)
{
	char *path = arena_dup(&l->scratch, name, n);

	path = file_join(&l->scratch, arena_dup(&l->scratch, dir, ndir), path);
	if (*path == '/')
		path = file_shorten(&l->scratch, path, l->cwd);
	return intern_str(&l->ir->strs, path);
}

StrId
debug_file(Lower *l, LLVMMetadataRef file)
{
	u32 *id, n = 0, ndir = 0;
	const char *name, *dir;

	if (!file)
		return 0;
	id = map_at(l->arena, &l->files, KEY(file));
	if (*id)
		return *id;
	name = LLVMDIFileGetFilename(file, &n);
	dir = LLVMDIFileGetDirectory(file, &ndir);
	if (l->tidy && n)
		return *id = tidy_file(l, dir, ndir, name, n);
	if ((n && name[0] == '/') || !ndir ||
	    (strlen(l->cwd) == ndir && !memcmp(l->cwd, dir, ndir)))
		return *id = intern_bytes(&l->ir->strs, name, n);
	return *id = intern_str(&l->ir->strs, arena_printf(&l->scratch, "%.*s/%.*s", (int)ndir, dir,
							   (int)n, name));
}

SrcId
debug_src(Lower *l, LLVMValueRef ins)
{
	LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(ins);
	u32 line, id;

	if (loc && loc == l->last_loc) /* neighbours often have the same */
		return l->last_src;
	if (!loc || !(line = LLVMDILocationGetLine(loc)))
		return 0;
	id = map_get(&l->srcs, KEY(loc));
	if (!id) {
		StrId file = debug_file(l, LLVMDIScopeGetFile(LLVMDILocationGetScope(loc)));
		id = ir_src(l->ir, file, line, LLVMDILocationGetColumn(loc));
		map_put(&l->scratch, &l->srcs, KEY(loc), id);
	}
	l->last_loc = loc;
	l->last_src = id;
	return id;
}

/* ---- variables ---------------------------------------------------------- */

LLVMMetadataRef
debug_global(LLVMValueRef global)
{
	size_t n = 0;
	LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
	LLVMMetadataRef var = NULL;

	for (u32 i = 0; i < n && !var; i++) {
		LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(all, i);
		if (LLVMGetMetadataKind(md) == LLVMDIGlobalVariableExpressionMetadataKind)
			var = LLVMDIGlobalVariableExpressionGetVariable(md);
	}
	LLVMDisposeValueMetadataEntries(all);
	return var;
}

void
debug_setup(Lower *l)
{
	static const char *const names[] = {"llvm.dbg.declare", "llvm.dbg.value", "llvm.dbg.assign",
					    "llvm.dbg.label"};

	static_assert(COUNT(names) == COUNT(l->dbg), "each has its number");
	for (u32 i = 0; i < COUNT(names); i++)
		l->dbg[i] = LLVMLookupIntrinsicID(names[i], strlen(names[i]));
}

bool
debug_is_intrinsic(const Lower *l, LLVMValueRef ins)
{
	LLVMValueRef callee;
	u32 id;

	if (LLVMGetInstructionOpcode(ins) != LLVMCall)
		return false;
	callee = LLVMGetCalledValue(ins);
	id = callee && LLVMIsAFunction(callee) ? LLVMGetIntrinsicID(callee) : 0;
	return id && (id == l->dbg[0] || id == l->dbg[1] || id == l->dbg[2] || id == l->dbg[3]);
}

static LLVMMetadataRef
wrapped(LLVMValueRef call, u32 k)
{
	if (k >= LLVMGetNumArgOperands(call))
		return NULL;
	return LLVMValueAsMetadata(LLVMGetOperand(call, k));
}

LLVMValueRef
debug_wrapped_value(LLVMValueRef call, u32 k)
{
	LLVMMetadataRef md = wrapped(call, k);
	LLVMValueRef v = NULL;

	if (!md || (LLVMGetMetadataKind(md) != LLVMLocalAsMetadataMetadataKind &&
		    LLVMGetMetadataKind(md) != LLVMConstantAsMetadataMetadataKind))
		return NULL;
	LLVMGetMDNodeOperands(LLVMGetOperand(call, k), &v);
	return v;
}

LLVMMetadataRef
debug_wrapped_node(LLVMValueRef call, u32 k)
{
	LLVMMetadataRef md = wrapped(call, k);

	return md && is_node(md) ? md : NULL;
}

void
debug_name_variable(Lower *l, LLVMValueRef call)
{
	LLVMValueRef v = debug_wrapped_value(call, 0);
	LLVMMetadataRef var = debug_wrapped_node(call, 1);
	Val r = v ? map_get(&l->vals, KEY(v)) : 0;
	Reg *reg;

	if (!var || !val_is_reg(r) || LLVMGetMetadataKind(var) != LLVMDILocalVariableMetadataKind)
		return;
	reg = &l->ir->regs.at[l->ir->fns.at[l->b.fn].reg + r];
	if (!reg->name)
		reg->name = debug_name(l, var, VAR_NAME);
}

TypeId
debug_variable_type(Lower *l, LLVMMetadataRef var)
{
	return type_of_debug(l, debug_operand(l, var, VAR_TYPE));
}

StrId
debug_variable_name(Lower *l, LLVMMetadataRef var)
{
	return debug_name(l, var, VAR_NAME);
}

/* ---- types -------------------------------------------------------------- */

static void
collect_list(Lower *l, LLVMMetadataRef list)
{
	u32 n = 0;
	LLVMMetadataRef *md = list && is_node(list) ? debug_operands(l, list, &n) : NULL;

	for (u32 i = 0; i < n; i++)
		if (md[i])
			(void)type_of_debug(l, md[i]);
}

static void
collect_units(Lower *l)
{
	u32 n = LLVMGetNamedMetadataNumOperands(l->module, "llvm.dbg.cu");
	LLVMValueRef *cu = arena_array(&l->scratch, LLVMValueRef, n + 1);

	LLVMGetNamedMetadataOperands(l->module, "llvm.dbg.cu", cu);
	for (u32 i = 0; i < n; i++)
		collect_list(l, debug_operand(l, LLVMValueAsMetadata(cu[i]), UNIT_RETAINED));
}

static void
collect_function(Lower *l, LLVMValueRef fn)
{
	LLVMMetadataRef sub = LLVMGetSubprogram(fn), type, list;

	if (sub && (type = debug_operand(l, sub, SUBPROGRAM_TYPE)) &&
	    LLVMGetMetadataKind(type) == LLVMDISubroutineTypeMetadataKind &&
	    (list = debug_operand(l, type, 3)))
		collect_list(l, list);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			LLVMMetadataRef var;
			if (debug_is_intrinsic(l, i) && (var = debug_wrapped_node(i, 1)) &&
			    LLVMGetMetadataKind(var) == LLVMDILocalVariableMetadataKind)
				(void)debug_variable_type(l, var);
		}
}

void
debug_collect_types(Lower *l)
{
	LLVMMetadataRef var;

	for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g))
		if ((var = debug_global(g)))
			(void)debug_variable_type(l, var);
	collect_units(l);
	for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
		collect_function(l, f);
	type_fill(l);
	arena_release(&l->scratch);
}
