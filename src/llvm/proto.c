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

enum { DI_NAME = 2, DI_BASE = 6, SUBROUTINE_TYPES = 2, MAX_DEPTH = 12 };

static bool
is_alias(u16 tag)
{
	return tag == TAG_TYPEDEF || tag == TAG_CONST || tag == TAG_VOLATILE ||
	       tag == TAG_RESTRICT || tag == TAG_ATOMIC;
}

static BcMeta *
base_of(Lower *l, const BcMeta *md)
{
	return md->kind == MD_BASIC_TYPE ? NULL : debug_ref(l, md, DI_BASE);
}

/* A struct without a tag goes by the typedef that names it. */
static const char *
spell(Lower *l, const BcMeta *md, const char *alias, u32 depth)
{
	u32 n = 0;
	const char *name;
	u16 tag;

	if (!md)
		return "void";
	if (md->kind == MD_SUBROUTINE_TYPE)
		return "function";
	if (depth > MAX_DEPTH)
		return "...";
	tag = debug_tag(md);
	name = debug_text(l, md, DI_NAME, &n);
	name = n ? arena_dup(&l->scratch, name, n) : "";
	if (is_alias(tag))
		return spell(l, base_of(l, md), tag == TAG_TYPEDEF ? name : alias, depth + 1);
	if (tag == TAG_POINTER)
		return arena_printf(&l->scratch, "%s *", spell(l, base_of(l, md), "", depth + 1));
	if (tag == TAG_STRUCT || tag == TAG_UNION)
		return arena_printf(&l->scratch, "%s %s", tag == TAG_UNION ? "union" : "struct",
				    *name ? name : alias);
	return tag == TAG_ENUM ? "int" : *name ? name : "...";
}

StrId
proto_of(Lower *l, BcMeta *md)
{
	const BcMeta *list, *part;
	const char *s;
	u32 n;

	if (!md || md->kind != MD_SUBROUTINE_TYPE)
		return 0;
	list = debug_ref(l, md, SUBROUTINE_TYPES);
	n = debug_count(list);
	s = arena_printf(&l->scratch, "%s (", n ? spell(l, debug_ref(l, list, 0), "", 0) : "void");
	for (u32 k = 1; k < n; k++) {
		part = debug_ref(l, list, k);
		s = arena_printf(&l->scratch, "%s%s%s", s, k > 1 ? ", " : "",
				 part ? spell(l, part, "", 0) : "...");
	}
	return intern_str(&l->ir->strs, arena_printf(&l->scratch, "%s)", s));
}
