/* type.c - the layout of memory and the names in it.
 *
 * Types come from debug information where there is some, because only that
 * has the names of members; LLVM's struct types are matched to it by name
 * and size, those without a name by their layout if just one fits.  A
 * composite type gets its id before its members are looked at and is filled
 * from a queue, so that types which contain pointers to themselves end.
 * Typedefs of composites stand for the composite itself. */
#include "llvm/llvm_int.h"

#include <string.h>

/* DWARF tags */
enum {
	TAG_ARRAY = 0x01,
	TAG_CLASS = 0x02,
	TAG_ENUM = 0x04,
	TAG_MEMBER = 0x0d,
	TAG_REFERENCE = 0x10,
	TAG_POINTER = 0x0f,
	TAG_STRUCT = 0x13,
	TAG_SUBROUTINE = 0x15,
	TAG_TYPEDEF = 0x16,
	TAG_UNION = 0x17,
	TAG_INHERITANCE = 0x1c,
	TAG_SUBRANGE = 0x21,
	TAG_BASE = 0x24,
	TAG_RVALUE_REFERENCE = 0x42
};

/* Places in the records of types; those of basic ones have fewer. */
enum { DI_NAME = 2, DI_BASE = 6, DI_SIZE = 7, DI_OFFSET = 9, DI_FLAGS = 10, DI_LAST = 11 };
enum { BASIC_SIZE = 3 };
enum { FLAG_STATIC_MEMBER = 1 << 12, FLAG_BIT_FIELD = 1 << 19 };

enum {
	MAX_DEPTH = 12,    /* of declarators in a printed name */
	MAX_ALIASES = 1000 /* typedefs and qualifiers of one type: damaged ones go round */
};

static RegType
find_reg(Lower *l, BcType *t, u16 *width)
{
	u64 bits = bc_is_sized(t) ? bc_type_bits(l->m, t) : 0;

	*width = bits > UINT16_MAX ? 0 : (u16)bits;
	switch (t->kind) {
	case LLVMIntegerTypeKind: return RT_INT;
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind:
	case LLVMFP128TypeKind:
	case LLVMPPC_FP128TypeKind: return RT_FLOAT;
	case LLVMPointerTypeKind: return RT_PTR;
	case LLVMVoidTypeKind:
	case LLVMLabelTypeKind:
	case LLVMMetadataTypeKind: *width = 0; return RT_VOID;
	default: return RT_AGG;
	}
}

RegType
type_reg(Lower *l, BcType *t, u16 *width)
{
	if (!t->rt_known) {
		t->rt = (u8)find_reg(l, t, &t->rt_width);
		t->rt_known = true;
	}
	*width = t->rt_width;
	return (RegType)t->rt;
}

u64
type_size(Lower *l, BcType *t)
{
	return bc_is_sized(t) ? bc_type_size(l->m, t) : 0;
}

static TypeId
add(Lower *l, TypeKind kind, StrId name, u64 size)
{
	vec_push(l->ir->arena, &l->ir->types, (Type){.kind = (u8)kind, .name = name, .size = size});
	return l->ir->types.n - 1;
}

/* ---- names -------------------------------------------------------------- */

/* Null if it has none. */
static const char *
raw_name(Lower *l, const BcMeta *md)
{
	u32 n = 0;
	const char *s = md->kind == MD_SUBROUTINE_TYPE ? NULL : debug_text(l, md, DI_NAME, &n);

	return s ? arena_dup(&l->scratch, s, n) : NULL;
}

static BcMeta *
base_of(Lower *l, const BcMeta *md)
{
	bool has = md->kind == MD_DERIVED_TYPE || md->kind == MD_COMPOSITE_TYPE;

	return has ? debug_ref(l, md, DI_BASE) : NULL;
}

static BcMeta *
elements_of(Lower *l, const BcMeta *md)
{
	return md->kind == MD_COMPOSITE_TYPE ? debug_ref(l, md, DI_LAST) : NULL;
}

static u64
size_of(const BcMeta *md)
{
	return bc_meta_num(md, md->kind == MD_BASIC_TYPE ? BASIC_SIZE : DI_SIZE) / 8;
}

static const char *
keyword(u16 tag)
{
	switch (tag) {
	case TAG_STRUCT: return "struct";
	case TAG_UNION: return "union";
	case TAG_CLASS: return "class";
	case TAG_ENUM: return "enum";
	default: return NULL;
	}
}

/* The count of a subrange; 0 where it is unknown. */
static u64
range_count(Lower *l, const BcMeta *md)
{
	const BcValue *c = md->kind == MD_SUBRANGE ? debug_constant(l, debug_ref(l, md, 1)) : NULL;
	i64 n = c && bc_is_int(c) ? c->num : 0;

	return n > 0 ? (u64)n : 0;
}

/* int [2][3]; an unknown count leaves the brackets empty. */
static const char *
spell_array(Lower *l, const BcMeta *md, const char *base)
{
	const BcMeta *list = elements_of(l, md), *range;
	const char *s = arena_printf(&l->scratch, "%s ", base);
	u64 count;

	for (u32 i = 0; i < debug_count(list); i++) {
		range = debug_ref(l, list, i);
		count = range ? range_count(l, range) : 0;
		s = count ? arena_printf(&l->scratch, "%s[%llu]", s, (unsigned long long)count)
			  : arena_printf(&l->scratch, "%s[]", s);
	}
	return s;
}

/* The name of md as a programmer would write it, null for a composite
 * without one. */
static const char *
spell(Lower *l, BcMeta *md, u32 depth)
{
	const char *name, *base;
	u16 tag;

	if (!md)
		return "void";
	if (!debug_is_type(md) || depth > MAX_DEPTH)
		return "...";
	tag = debug_tag(md);
	name = raw_name(l, md);
	if (keyword(tag))
		return name ? arena_printf(&l->scratch, "%s %s", keyword(tag), name) : NULL;
	if (name)
		return name;
	if (md->kind == MD_SUBROUTINE_TYPE)
		return "function";
	base = spell(l, base_of(l, md), depth + 1);
	if (!base)
		base = "struct";
	switch (tag) {
	case TAG_POINTER: return arena_printf(&l->scratch, "%s *", base);
	case TAG_REFERENCE:
	case TAG_RVALUE_REFERENCE: return arena_printf(&l->scratch, "%s &", base);
	case TAG_ARRAY: return spell_array(l, md, base);
	default: return base; /* const, volatile, restrict, _Atomic */
	}
}

static StrId
name_of(Lower *l, BcMeta *md)
{
	const char *s = spell(l, md, 0);

	return s ? intern_str(&l->ir->strs, s) : 0;
}

/* LLVM calls struct s "struct.s"; remembers which type that is. */
static void
offer_name(Lower *l, u16 tag, const char *name, TypeId id)
{
	const char *key = arena_printf(&l->scratch, "%s.%s", keyword(tag), name);
	u32 *place = map_at(l->arena, &l->named, intern_str(&l->ir->strs, key));

	/* a definition replaces a declaration */
	if (!*place || !l->ir->types.at[*place].size)
		*place = id;
}

/* ---- debug types -------------------------------------------------------- */

static bool
is_float(const char *name)
{
	return name && (strstr(name, "float") || strstr(name, "double") || strstr(name, "_Float"));
}

static TypeId
make_basic(Lower *l, BcMeta *md)
{
	const char *name = raw_name(l, md);

	return add(l, is_float(name) ? TYPE_FLOAT : TYPE_INT, name_of(l, md), size_of(md));
}

static TypeId
make_composite(Lower *l, BcMeta *md, u16 tag)
{
	const char *name = raw_name(l, md);
	u64 size = size_of(md);
	TypeId id;

	if (tag == TAG_ENUM)
		return add(l, TYPE_INT, name_of(l, md), size);
	id = add(l, tag == TAG_UNION ? TYPE_UNION : TYPE_STRUCT, name_of(l, md), size);
	if (name)
		offer_name(l, tag, name, id);
	else
		vec_push(l->arena, &l->anon, id);
	return id;
}

static TypeId type_within(Lower *l, BcMeta *md, u32 depth);

/* A typedef of a struct without a tag names it; one of a basic type gets a
 * type of its own; any other stands for what it names. */
static TypeId
make_typedef(Lower *l, BcMeta *md, u32 depth)
{
	TypeId id = type_within(l, base_of(l, md), depth);
	const char *name = raw_name(l, md);
	Type t;

	if (!id || !name)
		return id;
	t = l->ir->types.at[id];
	if ((t.kind == TYPE_STRUCT || t.kind == TYPE_UNION) && !t.name) {
		l->ir->types.at[id].name = intern_str(&l->ir->strs, name);
		offer_name(l, t.kind == TYPE_UNION ? TAG_UNION : TAG_STRUCT, name, id);
	} else if (t.kind == TYPE_INT || t.kind == TYPE_FLOAT) {
		id = add(l, (TypeKind)t.kind, intern_str(&l->ir->strs, name), t.size);
	}
	return id;
}

static TypeId
make(Lower *l, BcMeta *md, u32 depth)
{
	u16 tag = debug_tag(md);

	if (md->kind == MD_SUBROUTINE_TYPE)
		return add(l, TYPE_FN, proto_of(l, md), 0);
	switch (tag) {
	case TAG_BASE: return make_basic(l, md);
	case TAG_STRUCT:
	case TAG_UNION:
	case TAG_CLASS:
	case TAG_ENUM: return make_composite(l, md, tag);
	case TAG_ARRAY: return add(l, TYPE_ARRAY, name_of(l, md), size_of(md));
	case TAG_POINTER:
	case TAG_REFERENCE:
	case TAG_RVALUE_REFERENCE: return add(l, TYPE_PTR, name_of(l, md), l->ir->ptr_bytes);
	case TAG_TYPEDEF: return make_typedef(l, md, depth);
	default: /* qualifiers */
		if (md->kind == MD_DERIVED_TYPE)
			return type_within(l, base_of(l, md), depth);
		return 0;
	}
}

/* Bitfields lie where their storage does: that is what code loads. */
static u64
member_offset(Lower *l, const BcMeta *md)
{
	const BcValue *c = NULL;

	if (bc_meta_num(md, DI_FLAGS) & FLAG_BIT_FIELD)
		c = debug_constant(l, debug_ref(l, md, DI_LAST));
	return (c && bc_is_int(c) ? bc_unsigned(c) : bc_meta_num(md, DI_OFFSET)) / 8;
}

static bool
is_member(const BcMeta *md)
{
	u16 tag;

	if (!md || md->kind != MD_DERIVED_TYPE)
		return false;
	tag = debug_tag(md);
	return (tag == TAG_MEMBER || tag == TAG_INHERITANCE) &&
	       !(bc_meta_num(md, DI_FLAGS) & FLAG_STATIC_MEMBER);
}

static void
fill_struct(Lower *l, BcMeta *md, TypeId id)
{
	const BcMeta *list = elements_of(l, md), *elem;
	u32 n = debug_count(list), first;

	for (u32 i = 0; i < n; i++) /* may add types, not members */
		if (is_member(elem = debug_ref(l, list, i)))
			(void)type_of_debug(l, base_of(l, elem));
	first = l->ir->members.n;
	for (u32 i = 0; i < n; i++) {
		elem = debug_ref(l, list, i);
		if (is_member(elem))
			vec_push(l->ir->arena, &l->ir->members,
				 (Member){debug_name(l, elem), type_of_debug(l, base_of(l, elem)),
					  member_offset(l, elem)});
	}
	l->ir->types.at[id].nmember = l->ir->members.n - first;
	l->ir->types.at[id].member = l->ir->members.n > first ? first : 0;
}

/* int a[2][3] is one debug node with two ranges, and two types here. */
static void
fill_array(Lower *l, BcMeta *md, TypeId id)
{
	TypeId elem = type_of_debug(l, base_of(l, md));
	const BcMeta *list = elements_of(l, md), *range;

	for (u32 i = debug_count(list); i-- > 0;) {
		range = debug_ref(l, list, i);
		u64 count = range ? range_count(l, range) : 0;
		u64 size = elem ? l->ir->types.at[elem].size * count : 0;
		TypeId t = i ? add(l, TYPE_ARRAY, 0, size) : id;
		l->ir->types.at[t].elem = elem;
		l->ir->types.at[t].count = count;
		elem = t;
	}
}

static void
fill(Lower *l, BcMeta *md)
{
	TypeId id = md->id;

	switch (l->ir->types.at[id].kind) {
	case TYPE_STRUCT:
	case TYPE_UNION: fill_struct(l, md, id); break;
	case TYPE_ARRAY: fill_array(l, md, id); break;
	case TYPE_PTR: {
		/* the call may move the table */
		TypeId elem = type_of_debug(l, base_of(l, md));
		l->ir->types.at[id].elem = elem;
		break;
	}
	default: break;
	}
}

/* Typedefs and qualifiers share their base's id and must not fill it again. */
static bool
needs_fill(const BcMeta *md)
{
	u16 tag = debug_tag(md);

	return tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE ||
	       tag == TAG_ARRAY || tag == TAG_STRUCT || tag == TAG_UNION || tag == TAG_CLASS;
}

static TypeId
type_within(Lower *l, BcMeta *md, u32 depth)
{
	TypeId id;

	if (!md || !debug_is_type(md) || depth > MAX_ALIASES)
		return 0;
	id = md->id;
	if (id)
		return id;
	id = make(l, md, depth + 1);
	if (!id)
		return 0;
	md->id = id;
	if (needs_fill(md))
		vec_push(l->arena, &l->queue, md);
	return id;
}

TypeId
type_of_debug(Lower *l, BcMeta *md)
{
	return type_within(l, md, 0);
}

void
type_fill(Lower *l)
{
	while (l->filled < l->queue.n)
		fill(l, l->queue.at[l->filled++]);
}
