/* bc_type.c - the types of a module, and how they lie in memory.
 *
 * The layout is what LLVM makes of the module's data layout string: what that does not say
 * is as in the language reference.  Types contain only such as were read, none contains
 * itself, and they are only so deep: so layouts end. */
#include "llvm/bc.h"

#include <ctype.h>
#include <stdlib.h>

/* The codes of a type's record. */
enum {
	TYPE_CODE_COUNT = 1,
	TYPE_CODE_VOID,
	TYPE_CODE_FLOAT,
	TYPE_CODE_DOUBLE,
	TYPE_CODE_LABEL,
	TYPE_CODE_OPAQUE,
	TYPE_CODE_INTEGER,
	TYPE_CODE_HALF = 10,
	TYPE_CODE_ARRAY,
	TYPE_CODE_VECTOR,
	TYPE_CODE_FP80,
	TYPE_CODE_FP128,
	TYPE_CODE_PPC_FP128,
	TYPE_CODE_METADATA,
	TYPE_CODE_MMX,
	TYPE_CODE_STRUCT_ANON,
	TYPE_CODE_STRUCT_NAME,
	TYPE_CODE_STRUCT_NAMED,
	TYPE_CODE_FN,
	TYPE_CODE_TOKEN,
	TYPE_CODE_BFLOAT,
	TYPE_CODE_AMX,
	TYPE_CODE_POINTER,
	TYPE_CODE_TARGET
};

enum { MAX_BITS = 1 << 23 };

enum { NOT_YET = LLVMTokenTypeKind + 100 }; /* the kind of a type that was named only */

/* ---- reading ------------------------------------------------------------ */

BcType *
bc_type(BcModule *m, u64 number)
{
	if (number < m->types.n && m->types.at[number])
		return m->types.at[number];
	m->bad = true;
	return m->none;
}

/* Types may be named before they come, by structs. */
static BcType *
type_place(BcModule *m, u64 number)
{
	if (number >= m->types.n) {
		m->bad = true;
		return arena_new(m->arena, BcType);
	}
	if (!m->types.at[number]) {
		m->types.at[number] = arena_new(m->arena, BcType);
		m->types.at[number]->kind = NOT_YET;
	}
	return m->types.at[number];
}

static void
take_parts(BcModule *m, BcType *t, u32 from)
{
	const Record *r = &m->r;

	t->n = r->n > from ? r->n - from : 0;
	t->part = arena_array(m->arena, BcType *, t->n + 1);
	for (u32 k = 0; k < t->n; k++)
		t->part[k] = type_place(m, r->op[from + k]);
}

static void
take_sequence(BcModule *m, BcType *t)
{
	const Record *r = &m->r;

	t->count = record_op(r, 0);
	t->part = arena_array(m->arena, BcType *, 1);
	t->part[0] = type_place(m, record_op(r, 1));
	t->n = 1;
	t->kind = r->code == TYPE_CODE_ARRAY ? LLVMArrayTypeKind
		  : record_op(r, 2)          ? LLVMScalableVectorTypeKind
					     : LLVMVectorTypeKind;
}

static const char *
record_text(BcModule *m)
{
	char *s = arena_alloc(m->arena, m->r.n + 1);

	for (u32 k = 0; k < m->r.n; k++)
		s[k] = (char)m->r.op[k];
	return s;
}

static void
take_struct(BcModule *m, BcType *t, const char *name)
{
	t->kind = LLVMStructTypeKind;
	t->literal = m->r.code == TYPE_CODE_STRUCT_ANON;
	t->opaque = m->r.code == TYPE_CODE_OPAQUE;
	t->packed = record_op(&m->r, 0) != 0;
	if (!t->opaque)
		take_parts(m, t, 1);
	t->name = t->literal ? NULL : name;
}

static void
take_type(BcModule *m, BcType *t, const char *name)
{
	static const u8 simple[] = {
	    [TYPE_CODE_VOID] = LLVMVoidTypeKind + 1,
	    [TYPE_CODE_FLOAT] = LLVMFloatTypeKind + 1,
	    [TYPE_CODE_DOUBLE] = LLVMDoubleTypeKind + 1,
	    [TYPE_CODE_LABEL] = LLVMLabelTypeKind + 1,
	    [TYPE_CODE_HALF] = LLVMHalfTypeKind + 1,
	    [TYPE_CODE_FP80] = LLVMX86_FP80TypeKind + 1,
	    [TYPE_CODE_FP128] = LLVMFP128TypeKind + 1,
	    [TYPE_CODE_PPC_FP128] = LLVMPPC_FP128TypeKind + 1,
	    [TYPE_CODE_METADATA] = LLVMMetadataTypeKind + 1,
	    [TYPE_CODE_TOKEN] = LLVMTokenTypeKind + 1,
	    [TYPE_CODE_BFLOAT] = LLVMBFloatTypeKind + 1,
	    [TYPE_CODE_MMX] = LLVMX86_MMXTypeKind + 1,
	    [TYPE_CODE_AMX] = LLVMX86_AMXTypeKind + 1,
	};
	const Record *r = &m->r;

	if (r->code < COUNT(simple) && simple[r->code]) {
		t->kind = simple[r->code] - 1;
		return;
	}
	switch (r->code) {
	case TYPE_CODE_INTEGER:
		t->kind = LLVMIntegerTypeKind;
		t->bits = (u32)record_op(r, 0);
		m->bad |= !t->bits || record_op(r, 0) > MAX_BITS;
		break;
	case TYPE_CODE_POINTER:
		t->kind = LLVMPointerTypeKind;
		t->bits = (u32)record_op(r, 0);
		break;
	case TYPE_CODE_ARRAY:
	case TYPE_CODE_VECTOR: take_sequence(m, t); break;
	case TYPE_CODE_STRUCT_ANON:
	case TYPE_CODE_STRUCT_NAMED:
	case TYPE_CODE_OPAQUE: take_struct(m, t, name); break;
	case TYPE_CODE_FN:
		t->kind = LLVMFunctionTypeKind;
		t->variadic = record_op(r, 0) != 0;
		take_parts(m, t, 1);
		m->bad |= !t->n;
		break;
	case TYPE_CODE_TARGET:
		t->kind = LLVMTargetExtTypeKind;
		t->name = name;
		break;
	default: m->bad = true;
	}
	if (t->kind == LLVMIntegerTypeKind && t->bits == 1)
		m->int1 = t;
	else if (t->kind == LLVMPointerTypeKind && !t->bits)
		m->pointer = t;
	else if (t->kind == LLVMTokenTypeKind)
		m->token = t;
}

/* ---- types within types --------------------------------------------------- */

enum { MAX_NESTED = 1000, UNDER_WAY = UINT16_MAX };

static bool
has_size(const BcType *t)
{
	switch (t->kind) {
	case LLVMVoidTypeKind:
	case LLVMLabelTypeKind:
	case LLVMMetadataTypeKind:
	case LLVMTokenTypeKind:
	case LLVMFunctionTypeKind: return false;
	default: return !t->opaque;
	}
}

/* May t have the part at its place k? */
static bool
may_hold(const BcType *t, u32 k, const BcType *part)
{
	switch (t->kind) {
	case LLVMFunctionTypeKind:
		return part->kind != LLVMFunctionTypeKind && (!k || part->kind != LLVMVoidTypeKind);
	case LLVMVectorTypeKind:
	case LLVMScalableVectorTypeKind: return !part->n && has_size(part);
	default: return part->opaque || has_size(part);
	}
}

/* Finds out how deep a type is, which must have come and not contain itself, and whether it has a
 * size. */
static void
nest(BcModule *m, BcType *t, u32 left)
{
	u32 below = 0;

	if (t->depth && t->depth != UNDER_WAY)
		return;
	m->bad |= !left || t->depth == UNDER_WAY || t->kind == NOT_YET;
	t->depth = UNDER_WAY;
	t->is_sized = has_size(t);
	for (u32 k = 0; k < t->n && !m->bad; k++) {
		BcType *part = t->part[k];
		nest(m, part, left - 1);
		m->bad |= m->bad || !may_hold(t, k, part);
		below = MAX(below, part->depth);
		t->is_sized &= part->is_sized;
	}
	m->bad |= below >= MAX_NESTED;
	t->depth = (u16)(below + 1);
}

static void
check_types(BcModule *m)
{
	for (u32 k = 0; k < m->types.n && !m->bad; k++) {
		m->bad |= !m->types.at[k];
		if (!m->bad)
			nest(m, m->types.at[k], MAX_NESTED);
	}
}

void
bc_types(BcModule *m)
{
	const char *name = NULL;
	u32 next = 0, what;

	bits_enter(&m->bits, m->bits.block);
	while ((what = bits_next(&m->bits, &m->r)) == BITS_RECORD && !m->bad) {
		if (m->r.code == TYPE_CODE_COUNT) {
			u64 n = record_op(&m->r, 0);
			m->bad |= m->types.n || n > m->bits.end / 8;
			if (!m->bad && n)
				(void)vec_extend(m->arena, &m->types, n);
		} else if (m->r.code == TYPE_CODE_STRUCT_NAME) {
			name = record_text(m);
		} else {
			BcType *t = type_place(m, next++);
			take_type(m, t, name);
			if (t->name)
				name = NULL;
		}
	}
	m->bad |= what == BITS_BLOCK || m->bits.bad;
	check_types(m);
}

static BcType *
simple_type(BcModule *m, LLVMTypeKind kind, u32 bits)
{
	BcType *t = arena_new(m->arena, BcType);

	t->kind = (u8)kind;
	t->bits = bits;
	t->is_sized = has_size(t);
	return t;
}

void
bc_types_init(BcModule *m)
{
	m->none = simple_type(m, LLVMVoidTypeKind, 0);
	m->int1 = simple_type(m, LLVMIntegerTypeKind, 1);
	m->pointer = simple_type(m, LLVMPointerTypeKind, 0);
	m->token = simple_type(m, LLVMTokenTypeKind, 0);
}

BcType *
bc_pointer(BcModule *m, u32 space)
{
	if (!space)
		return m->pointer;
	for (u32 k = 0; k < m->types.n; k++)
		if (m->types.at[k]->kind == LLVMPointerTypeKind && m->types.at[k]->bits == space)
			return m->types.at[k];
	vec_push(m->arena, &m->types, simple_type(m, LLVMPointerTypeKind, space));
	return m->types.at[m->types.n - 1];
}

BcType *
bc_vector(BcModule *m, const BcType *like, BcType *of)
{
	BcType *v;

	for (u32 k = 0; k < m->types.n; k++) {
		v = m->types.at[k];
		if (v->kind == like->kind && v->count == like->count && v->part[0] == of)
			return v;
	}
	v = arena_new(m->arena, BcType);
	*v = (BcType){.kind = like->kind, .n = 1, .count = like->count, .is_sized = true};
	v->part = arena_array(m->arena, BcType *, 1);
	v->part[0] = of;
	vec_push(m->arena, &m->types, v);
	return v;
}

/* ---- the string --------------------------------------------------------- */

static void
set_align(BcModule *m, char kind, u32 bits, u32 bytes)
{
	for (u32 k = 0; k < m->layout.align.n; k++) {
		BcAlign *a = &m->layout.align.at[k];
		if (a->kind == kind && a->bits == bits) {
			a->bytes = bytes;
			return;
		}
	}
	vec_push(m->arena, &m->layout.align, (BcAlign){kind, bits, bytes});
}

static void
set_pointer(BcModule *m, u32 space, u32 bits, u32 bytes)
{
	u32 k = 0;

	while (k < m->layout.nptr && m->layout.ptr[k].space != space)
		k++;
	if (k == COUNT(m->layout.ptr)) {
		m->bad = true;
		return;
	}
	m->layout.nptr = MAX(m->layout.nptr, k + 1);
	m->layout.ptr[k].space = space;
	m->layout.ptr[k].bits = bits;
	m->layout.ptr[k].bytes = bytes;
}

/* One part: a letter, a number, and further numbers behind colons, in bits. */
static void
take_part(BcModule *m, const char *s)
{
	char kind = *s, *at;
	u32 first = (u32)strtoul(s + 1, &at, 10), second, third;

	if (kind == 'p' && !isdigit((unsigned char)s[1]) && s[1] != ':') {
		m->bad = true;
		return;
	}
	if (kind == 'A')
		m->layout.stack = first;
	if (*at != ':')
		return;
	second = (u32)strtoul(at + 1, &at, 10);
	third = *at == ':' ? (u32)strtoul(at + 1, NULL, 10) : second;
	switch (kind) {
	case 'p':
		m->bad |= !second || second > 1024;
		set_pointer(m, first, second, MAX(third / 8, 1));
		break;
	case 'i':
	case 'f':
	case 'v': set_align(m, kind, first, MAX(second / 8, 1)); break;
	case 'a': m->layout.aggregate = MAX(second / 8, 1); break;
	default: break; /* of the stack, of names, of registers */
	}
}

void
bc_layout_parse(BcModule *m, const char *text, size_t n)
{
	static const BcAlign usual[] = {{'i', 1, 1},    {'i', 8, 1},  {'i', 16, 2},  {'i', 32, 4},
					{'i', 64, 4},   {'f', 16, 2}, {'f', 32, 4},  {'f', 64, 8},
					{'f', 128, 16}, {'v', 64, 8}, {'v', 128, 16}};
	char *s = arena_dup(m->arena, text, n), *rest = NULL;

	m->layout = (BcLayout){.aggregate = 1};
	for (u32 k = 0; k < COUNT(usual); k++)
		vec_push(m->arena, &m->layout.align, usual[k]);
	set_pointer(m, 0, 64, 8);
	for (s = strtok_r(s, "-", &rest); s; s = strtok_r(NULL, "-", &rest))
		take_part(m, s);
}

/* ---- sizes -------------------------------------------------------------- */

static u32
pointer(const BcModule *m, u32 space, bool align)
{
	u32 k = 0;

	for (u32 i = 0; i < m->layout.nptr; i++)
		if (m->layout.ptr[i].space == space)
			k = i;
	return align ? m->layout.ptr[k].bytes : m->layout.ptr[k].bits;
}

u32
bc_pointer_size(const BcModule *m)
{
	return pointer(m, 0, false) / 8;
}

static u64
round_up(u64 n, u64 align)
{
	return (n + align - 1) / align * align;
}

static u64
power_above(u64 n)
{
	u64 p = 1;

	while (p < n && p < (u64)1 << 62)
		p *= 2;
	return p;
}

/* The alignment for that many bits; 0 none is said. */
static u64
said_align(const BcModule *m, char kind, u32 bits)
{
	u64 best = 0;
	u32 nearest = UINT32_MAX, largest = 0;
	u64 of_largest = 0;

	for (u32 k = 0; k < m->layout.align.n; k++) {
		const BcAlign *a = &m->layout.align.at[k];
		if (a->kind != kind)
			continue;
		if (a->bits == bits)
			return a->bytes;
		if (a->bits > bits && a->bits < nearest) {
			nearest = a->bits;
			best = a->bytes;
		}
		if (a->bits >= largest) {
			largest = a->bits;
			of_largest = a->bytes;
		}
	}
	if (kind != 'i')
		return 0;
	return best ? best : of_largest;
}

static u32
float_bits(const BcType *t)
{
	switch (t->kind) {
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind: return 16;
	case LLVMFloatTypeKind: return 32;
	case LLVMDoubleTypeKind: return 64;
	case LLVMX86_FP80TypeKind: return 80;
	case LLVMFP128TypeKind:
	case LLVMPPC_FP128TypeKind: return 128;
	default: return 0;
	}
}

static u64 align_of(BcModule *m, BcType *t);

static void
lay_struct(BcModule *m, BcType *t)
{
	u64 at = 0;

	t->align = 1;
	t->offset = arena_array(m->arena, u64, t->n + 1);
	for (u32 k = 0; k < t->n; k++) {
		u64 align = t->packed ? 1 : align_of(m, t->part[k]);
		at = round_up(at, align);
		t->offset[k] = at;
		at += bc_type_size(m, t->part[k]);
		t->align = MAX(t->align, align);
	}
	t->size = round_up(at, t->align);
	if (!t->packed)
		t->align = MAX(t->align, m->layout.aggregate);
}

static void
lay(BcModule *m, BcType *t)
{
	u32 bits = float_bits(t);
	u64 said;

	t->laid = true;
	t->align = 1;
	if (bits) {
		said = said_align(m, 'f', bits);
		t->align = said ? said : power_above((bits + 7) / 8);
	}
	switch (t->kind) {
	case LLVMIntegerTypeKind: t->align = said_align(m, 'i', t->bits); break;
	case LLVMPointerTypeKind: t->align = pointer(m, t->bits, true); break;
	case LLVMStructTypeKind: lay_struct(m, t); return;
	case LLVMArrayTypeKind:
		t->align = align_of(m, t->part[0]);
		t->size = bc_type_size(m, t->part[0]) * t->count;
		return;
	case LLVMVectorTypeKind:
	case LLVMScalableVectorTypeKind:
		said = said_align(m, 'v', (u32)bc_type_bits(m, t));
		t->align = said ? said : power_above(bc_store_size(m, t));
		break;
	default: break;
	}
	t->size = round_up(bc_store_size(m, t), t->align);
}

static u64
align_of(BcModule *m, BcType *t)
{
	if (!t->laid)
		lay(m, t);
	return t->align;
}

u64
bc_type_bits(BcModule *m, BcType *t)
{
	switch (t->kind) {
	case LLVMIntegerTypeKind: return t->bits;
	case LLVMPointerTypeKind: return pointer(m, t->bits, false);
	case LLVMVectorTypeKind:
	case LLVMScalableVectorTypeKind: return t->count * bc_type_bits(m, t->part[0]);
	case LLVMStructTypeKind:
	case LLVMArrayTypeKind: return bc_type_size(m, t) * 8;
	case LLVMX86_MMXTypeKind: return 64;
	case LLVMX86_AMXTypeKind: return 8192;
	case LLVMTargetExtTypeKind: return pointer(m, 0, false); /* a handle */
	default: return float_bits(t);
	}
}

u64
bc_store_size(BcModule *m, BcType *t)
{
	return (bc_type_bits(m, t) + 7) / 8;
}

u64
bc_type_size(BcModule *m, BcType *t)
{
	if (!t->laid)
		lay(m, t);
	return t->size;
}

u64
bc_offset(BcModule *m, BcType *t, u32 k)
{
	if (!t->laid)
		lay(m, t);
	return k < t->n ? t->offset[k] : 0;
}
