/* proto.c - the types of functions, as strings.
 *
 * "void (void *, struct log *)": the result, then the parameters; "..." stands for
 * what is not said.  Typedefs and qualifiers are resolved, so that equal types are
 * equal strings in all units, whatever each of them knows of the structs; a
 * pointer to a function is "function *", whatever its type. */
#include "llvm/llvm_int.h"

enum {
	TAG_ENUM = 0x04,
	TAG_POINTER = 0x0f,
	TAG_STRUCT = 0x13,
	TAG_TYPEDEF = 0x16,
	TAG_UNION = 0x17,
	TAG_CONST = 0x26,
	TAG_VOLATILE = 0x35,
	TAG_RESTRICT = 0x37,
	TAG_ATOMIC = 0x47
};

enum { DI_BASE = 3, SUBROUTINE_TYPES = 3, MAX_DEPTH = 12 };

static bool
is_alias(u16 tag)
{
	return tag == TAG_TYPEDEF || tag == TAG_CONST || tag == TAG_VOLATILE ||
	       tag == TAG_RESTRICT || tag == TAG_ATOMIC;
}

/* A struct without a tag goes by the typedef that names it. */
static const char *
spell(Lower *l, LLVMMetadataRef md, const char *alias, u32 depth)
{
	size_t n = 0;
	const char *name;
	u16 tag;

	if (!md)
		return "void";
	if (LLVMGetMetadataKind(md) == LLVMDISubroutineTypeMetadataKind)
		return "function";
	if (depth > MAX_DEPTH)
		return "...";
	tag = LLVMGetDINodeTag(md);
	name = LLVMDITypeGetName(md, &n);
	name = n ? arena_dup(&l->scratch, name, n) : "";
	if (is_alias(tag))
		return spell(l, debug_operand(l, md, DI_BASE), tag == TAG_TYPEDEF ? name : alias,
			     depth + 1);
	if (tag == TAG_POINTER)
		return arena_printf(&l->scratch, "%s *",
				    spell(l, debug_operand(l, md, DI_BASE), "", depth + 1));
	if (tag == TAG_STRUCT || tag == TAG_UNION)
		return arena_printf(&l->scratch, "%s %s", tag == TAG_UNION ? "union" : "struct",
				    *name ? name : alias);
	return tag == TAG_ENUM ? "int" : *name ? name : "...";
}

StrId
proto_of(Lower *l, LLVMMetadataRef md)
{
	LLVMMetadataRef list, *part;
	const char *s;
	u32 n = 0;

	if (!md || LLVMGetMetadataKind(md) != LLVMDISubroutineTypeMetadataKind)
		return 0;
	list = debug_operand(l, md, SUBROUTINE_TYPES);
	part = list ? debug_operands(l, list, &n) : NULL;
	s = arena_printf(&l->scratch, "%s (", n ? spell(l, part[0], "", 0) : "void");
	for (u32 k = 1; k < n; k++)
		s = arena_printf(&l->scratch, "%s%s%s", s, k > 1 ? ", " : "",
				 part[k] ? spell(l, part[k], "", 0) : "...");
	return intern_str(&l->ir->strs, arena_printf(&l->scratch, "%s)", s));
}
