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

/* Operands of debug nodes for types. */
enum { DI_NAME = 2, DI_BASE = 3, DI_ELEMENTS = 4, DI_EXTRA = 4 };

enum { MAX_DEPTH = 12 }; /* of declarators in a printed name */

RegType
type_reg(Lower *l, LLVMTypeRef t, u16 *width)
{
	u64 bits = LLVMTypeIsSized(t) ? LLVMSizeOfTypeInBits(l->layout, t) : 0;

	*width = bits > UINT16_MAX ? 0 : (u16)bits;
	switch (LLVMGetTypeKind(t)) {
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

u64
type_size(Lower *l, LLVMTypeRef t)
{
	return LLVMTypeIsSized(t) ? LLVMABISizeOfType(l->layout, t) : 0;
}

static TypeId
add(Lower *l, TypeKind kind, StrId name, u64 size)
{
	vec_push(l->ir->arena, &l->ir->types, (Type){.kind = (u8)kind, .name = name, .size = size});
	return l->ir->types.n - 1;
}

/* ---- names -------------------------------------------------------------- */

static const char *
raw_name(LLVMMetadataRef md)
{
	size_t n = 0;
	const char *s = LLVMDITypeGetName(md, &n);

	return n ? s : NULL;
}

static bool
is_type(LLVMMetadataRef md)
{
	switch (LLVMGetMetadataKind(md)) {
	case LLVMDIBasicTypeMetadataKind:
	case LLVMDIDerivedTypeMetadataKind:
	case LLVMDICompositeTypeMetadataKind:
	case LLVMDISubroutineTypeMetadataKind: return true;
	default: return false;
	}
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
range_count(Lower *l, LLVMMetadataRef md)
{
	LLVMMetadataRef count = debug_operand(l, md, 0);
	LLVMValueRef c = NULL;
	i64 n;

	if (!count || LLVMGetMetadataKind(count) != LLVMConstantAsMetadataMetadataKind)
		return 0;
	LLVMGetMDNodeOperands(LLVMMetadataAsValue(l->ctx, count), &c);
	n = c && LLVMIsAConstantInt(c) ? LLVMConstIntGetSExtValue(c) : 0;
	return n > 0 ? (u64)n : 0;
}

/* int [2][3]; an unknown count leaves the brackets empty. */
static const char *
spell_array(Lower *l, LLVMMetadataRef md, const char *base)
{
	LLVMMetadataRef list = debug_operand(l, md, DI_ELEMENTS), *range;
	const char *s = arena_printf(&l->scratch, "%s ", base);
	u32 n = 0;
	u64 count;

	range = list ? debug_operands(l, list, &n) : NULL;
	for (u32 i = 0; i < n; i++) {
		count = range[i] ? range_count(l, range[i]) : 0;
		s = count ? arena_printf(&l->scratch, "%s[%llu]", s, (unsigned long long)count)
			  : arena_printf(&l->scratch, "%s[]", s);
	}
	return s;
}

/* The name of md as a programmer would write it, null for a composite
 * without one. */
static const char *
spell(Lower *l, LLVMMetadataRef md, u32 depth)
{
	const char *name, *base;
	u16 tag;

	if (!md)
		return "void";
	if (!is_type(md) || depth > MAX_DEPTH)
		return "...";
	tag = LLVMGetDINodeTag(md);
	name = raw_name(md);
	if (keyword(tag))
		return name ? arena_printf(&l->scratch, "%s %s", keyword(tag), name) : NULL;
	if (name)
		return name;
	if (LLVMGetMetadataKind(md) == LLVMDISubroutineTypeMetadataKind)
		return "function";
	base = spell(l, debug_operand(l, md, DI_BASE), depth + 1);
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
name_of(Lower *l, LLVMMetadataRef md)
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
make_basic(Lower *l, LLVMMetadataRef md)
{
	const char *name = raw_name(md);

	return add(l, is_float(name) ? TYPE_FLOAT : TYPE_INT, name_of(l, md),
		   LLVMDITypeGetSizeInBits(md) / 8);
}

static TypeId
make_composite(Lower *l, LLVMMetadataRef md, u16 tag)
{
	const char *name = raw_name(md);
	u64 size = LLVMDITypeGetSizeInBits(md) / 8;
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

/* A typedef of a struct without a tag names it; one of a basic type gets a
 * type of its own; any other stands for what it names. */
static TypeId
make_typedef(Lower *l, LLVMMetadataRef md)
{
	LLVMMetadataRef base = debug_operand(l, md, DI_BASE);
	TypeId id = type_of_debug(l, base);
	const char *name = raw_name(md);
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
make(Lower *l, LLVMMetadataRef md)
{
	u16 tag = LLVMGetDINodeTag(md);

	if (LLVMGetMetadataKind(md) == LLVMDISubroutineTypeMetadataKind)
		return add(l, TYPE_FN, proto_of(l, md), 0);
	switch (tag) {
	case TAG_BASE: return make_basic(l, md);
	case TAG_STRUCT:
	case TAG_UNION:
	case TAG_CLASS:
	case TAG_ENUM: return make_composite(l, md, tag);
	case TAG_ARRAY: return add(l, TYPE_ARRAY, name_of(l, md), LLVMDITypeGetSizeInBits(md) / 8);
	case TAG_POINTER:
	case TAG_REFERENCE:
	case TAG_RVALUE_REFERENCE: return add(l, TYPE_PTR, name_of(l, md), l->ir->ptr_bytes);
	case TAG_TYPEDEF: return make_typedef(l, md);
	default: /* qualifiers */
		if (LLVMGetMetadataKind(md) == LLVMDIDerivedTypeMetadataKind)
			return type_of_debug(l, debug_operand(l, md, DI_BASE));
		return 0;
	}
}

/* Bitfields lie where their storage does: that is what code loads. */
static u64
member_offset(Lower *l, LLVMMetadataRef md)
{
	LLVMMetadataRef extra;
	u64 bits = LLVMDITypeGetOffsetInBits(md);

	if (LLVMDITypeGetFlags(md) & LLVMDIFlagBitField) {
		extra = debug_operand(l, md, DI_EXTRA);
		if (extra && LLVMGetMetadataKind(extra) == LLVMConstantAsMetadataMetadataKind) {
			LLVMValueRef v = LLVMMetadataAsValue(l->ctx, extra);
			LLVMValueRef c = NULL;
			LLVMGetMDNodeOperands(v, &c);
			if (c && LLVMIsAConstantInt(c))
				bits = LLVMConstIntGetZExtValue(c);
		}
	}
	return bits / 8;
}

static bool
is_member(LLVMMetadataRef md)
{
	u16 tag;

	if (!md || LLVMGetMetadataKind(md) != LLVMDIDerivedTypeMetadataKind)
		return false;
	tag = LLVMGetDINodeTag(md);
	return (tag == TAG_MEMBER || tag == TAG_INHERITANCE) &&
	       !(LLVMDITypeGetFlags(md) & LLVMDIFlagStaticMember);
}

static void
fill_struct(Lower *l, LLVMMetadataRef md, TypeId id)
{
	LLVMMetadataRef list = debug_operand(l, md, DI_ELEMENTS);
	LLVMMetadataRef *elem;
	u32 n = 0, first;

	elem = list ? debug_operands(l, list, &n) : NULL;
	for (u32 i = 0; i < n; i++) /* may add types, not members */
		if (is_member(elem[i]))
			(void)type_of_debug(l, debug_operand(l, elem[i], DI_BASE));
	first = l->ir->members.n;
	for (u32 i = 0; i < n; i++) {
		const char *name;
		if (!is_member(elem[i]))
			continue;
		name = raw_name(elem[i]);
		vec_push(l->ir->arena, &l->ir->members,
			 (Member){name ? intern_str(&l->ir->strs, name) : 0,
				  type_of_debug(l, debug_operand(l, elem[i], DI_BASE)),
				  member_offset(l, elem[i])});
	}
	l->ir->types.at[id].nmember = l->ir->members.n - first;
	l->ir->types.at[id].member = l->ir->members.n > first ? first : 0;
}

/* int a[2][3] is one debug node with two ranges, and two types here. */
static void
fill_array(Lower *l, LLVMMetadataRef md, TypeId id)
{
	TypeId elem = type_of_debug(l, debug_operand(l, md, DI_BASE));
	LLVMMetadataRef list = debug_operand(l, md, DI_ELEMENTS);
	LLVMMetadataRef *range;
	u32 n = 0;

	range = list ? debug_operands(l, list, &n) : NULL;
	for (u32 i = n; i-- > 0;) {
		u64 count = range[i] ? range_count(l, range[i]) : 0;
		u64 size = elem ? l->ir->types.at[elem].size * count : 0;
		TypeId t = i ? add(l, TYPE_ARRAY, 0, size) : id;
		l->ir->types.at[t].elem = elem;
		l->ir->types.at[t].count = count;
		elem = t;
	}
}

static void
fill(Lower *l, LLVMMetadataRef md)
{
	TypeId id = map_get(&l->types, KEY(md));

	switch (l->ir->types.at[id].kind) {
	case TYPE_STRUCT:
	case TYPE_UNION: fill_struct(l, md, id); break;
	case TYPE_ARRAY: fill_array(l, md, id); break;
	case TYPE_PTR: {
		/* the call may move the table */
		TypeId elem = type_of_debug(l, debug_operand(l, md, DI_BASE));
		l->ir->types.at[id].elem = elem;
		break;
	}
	default: break;
	}
}

/* Typedefs and qualifiers share their base's id and must not fill it again. */
static bool
needs_fill(LLVMMetadataRef md)
{
	u16 tag = LLVMGetDINodeTag(md);

	return tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE ||
	       tag == TAG_ARRAY || tag == TAG_STRUCT || tag == TAG_UNION || tag == TAG_CLASS;
}

TypeId
type_of_debug(Lower *l, LLVMMetadataRef md)
{
	TypeId id;

	if (!md || !is_type(md))
		return 0;
	id = map_get(&l->types, KEY(md));
	if (id)
		return id;
	id = make(l, md);
	if (!id)
		return 0;
	map_put(l->arena, &l->types, KEY(md), id);
	if (needs_fill(md))
		vec_push(l->arena, &l->queue, md);
	return id;
}

void
type_fill(Lower *l)
{
	while (l->filled < l->queue.n)
		fill(l, l->queue.at[l->filled++]);
}
