/* bc_const.c - blocks of constants.
 *
 * A constant may name others that come later, of the module or of the same body, but none contains
 * itself, and they are only so deep: so whoever goes through one ends.  What numbers a large array
 * holds nobody asks. */
#include "llvm/bc.h"

enum {
	CONST_SETTYPE = 1,
	CONST_CODE_NULL,
	CONST_CODE_UNDEF,
	CONST_INTEGER,
	CONST_WIDE_INTEGER,
	CONST_CODE_FLOAT,
	CONST_AGGREGATE,
	CONST_STRING,
	CONST_CSTRING,
	CONST_BINOP,
	CONST_CAST,
	CONST_EXTRACT_ELEMENT = 14,
	CONST_INSERT_ELEMENT,
	CONST_SHUFFLE,
	CONST_SHUFFLE_EX = 19,
	CONST_BLOCK_ADDRESS = 21,
	CONST_DATA,
	CONST_POISON = 26,
	CONST_DSO_LOCAL,
	CONST_NO_CFI = 29,
	CONST_ASM,
	CONST_GEP_RANGE,
	CONST_GEP,
	CONST_SIGNED_POINTER
};

enum { SHOWN = 256 /* elements of an array whose numbers somebody may ask for */ };

static BcValue *
named(BcModule *m, u32 k, BcType *type)
{
	if (k >= m->r.n) {
		m->bad = true;
		return bc_new(m, LLVMPoisonValueValueKind, m->int1, 0);
	}
	return bc_value(m, m->r.op[k], type);
}

/* ---- plain values ------------------------------------------------------- */

/* A signed number, whose lowest bit is the sign. */
static i64
signed_number(u64 x)
{
	if (!(x & 1))
		return (i64)(x >> 1);
	return x == 1 ? INT64_MIN : -(i64)(x >> 1);
}

static i64
extend(u64 x, u32 bits)
{
	u32 gone = bits && bits < 64 ? 64 - bits : 0;

	return (i64)(x << gone) >> gone;
}

static void
integer(BcModule *m, BcType *t, i64 num)
{
	BcValue *v = bc_define(m, LLVMConstantIntValueKind, t, 0);

	m->bad |= t->kind != LLVMIntegerTypeKind;
	v->num = extend((u64)num, t->bits);
}

static void
null(BcModule *m, BcType *t)
{
	switch (t->kind) {
	case LLVMIntegerTypeKind: integer(m, t, 0); return;
	case LLVMPointerTypeKind: bc_define(m, LLVMConstantPointerNullValueKind, t, 0); return;
	case LLVMTokenTypeKind: bc_define(m, LLVMConstantTokenNoneValueKind, t, 0); return;
	case LLVMStructTypeKind:
	case LLVMArrayTypeKind:
	case LLVMVectorTypeKind:
	case LLVMScalableVectorTypeKind:
		bc_define(m, LLVMConstantAggregateZeroValueKind, t, 0);
		return;
	default: bc_define(m, LLVMConstantFPValueKind, t, 0);
	}
}

static BcType *
part_type(BcModule *m, BcType *t, u32 k)
{
	u32 at = t->kind == LLVMStructTypeKind ? k : 0;

	if (at < t->n && t->kind != LLVMFunctionTypeKind)
		return t->part[at];
	m->bad = true;
	return m->int1;
}

static void
aggregate(BcModule *m, BcType *t)
{
	u8 kind = t->kind == LLVMStructTypeKind  ? LLVMConstantStructValueKind
		  : t->kind == LLVMArrayTypeKind ? LLVMConstantArrayValueKind
						 : LLVMConstantVectorValueKind;
	u32 n = m->r.n;
	BcValue *v = bc_define(m, kind, t, n);

	m->bad |= n != (t->kind == LLVMStructTypeKind ? t->n : t->count);
	for (u32 k = 0; k < n && !m->bad; k++)
		v->ops[k] = bc_value(m, m->r.op[k], part_type(m, t, k));
}

static void
numbers(BcModule *m, BcType *t, bool zero_behind)
{
	u32 n = m->r.n + zero_behind;
	u8 kind = t->kind == LLVMArrayTypeKind ? LLVMConstantDataArrayValueKind
					       : LLVMConstantDataVectorValueKind;
	BcValue *v = bc_define(m, kind, t, 0);
	u64 *data;

	m->bad |= (t->kind != LLVMArrayTypeKind && t->kind != LLVMVectorTypeKind) || n != t->count;
	if (n > SHOWN || m->bad)
		return;
	data = bc_alloc(m, (n + 1) * sizeof *data);
	memcpy(data, m->r.op, m->r.n * sizeof *data);
	data[m->r.n] = 0;
	v->data = data;
}

BcValue *
bc_element(BcModule *m, BcValue *v, u32 k)
{
	BcType *t = v->type->part[0];
	bool is_int = t->kind == LLVMIntegerTypeKind;
	BcValue *e = bc_new(m, is_int ? LLVMConstantIntValueKind : LLVMConstantFPValueKind, t, 0);

	if (is_int && v->data)
		e->num = extend(v->data[k], t->bits);
	return e;
}

/* ---- expressions -------------------------------------------------------- */

static BcValue *
expression(BcModule *m, BcType *t, u8 op, u32 nop)
{
	BcValue *v = bc_define(m, LLVMConstantExprValueKind, t, nop);

	v->op = op;
	return v;
}

static void
cast(BcModule *m, BcType *t)
{
	u64 code = record_op(&m->r, 0);
	BcType *from = bc_type(m, record_op(&m->r, 1));
	BcValue *v = expression(m, t, (u8)(code == 12 ? LLVMAddrSpaceCast : LLVMTrunc + code), 1);

	m->bad |= code > 12;
	v->ops[0] = named(m, 2, from);
}

/* [type, flags, then type and value of each operand]; the range, if one is given, has three
 * numbers. */
static void
gep(BcModule *m, BcType *t, bool range)
{
	u32 at = range ? 5 : 2, n = m->r.n > at ? (m->r.n - at) / 2 : 0;
	BcValue *v = expression(m, t, LLVMGetElementPtr, n);

	m->bad |= !n || (m->r.n - at) % 2 || (range && record_op(&m->r, 2) > 64);
	v->of = bc_type(m, record_op(&m->r, 0));
	for (u32 k = 0; k < n && !m->bad; k++)
		v->ops[k] = bc_value(m, m->r.op[at + 2 * k + 1], bc_type(m, m->r.op[at + 2 * k]));
}

/* The arithmetic that is left in constants. */
static void
arithmetic(BcModule *m, BcType *t)
{
	static const u8 ops[] = {LLVMAdd,  LLVMSub,  LLVMMul, LLVMUDiv, LLVMSDiv,
				 LLVMURem, LLVMSRem, LLVMShl, LLVMLShr, LLVMAShr,
				 LLVMAnd,  LLVMOr,   LLVMXor};
	u64 code = record_op(&m->r, 0);
	BcValue *v = expression(m, t, code < COUNT(ops) ? ops[code] : LLVMAdd, 2);

	m->bad |= code >= COUNT(ops);
	v->ops[0] = named(m, 1, t);
	v->ops[1] = named(m, 2, t);
}

/* Elements of vectors: which ones does not matter to lowering. */
static void
vectors(BcModule *m, BcType *t)
{
	BcType *of = m->r.code == CONST_EXTRACT_ELEMENT || m->r.code == CONST_SHUFFLE_EX
			 ? bc_type(m, record_op(&m->r, 0))
			 : t;
	BcValue *v;

	switch (m->r.code) {
	case CONST_EXTRACT_ELEMENT:
		v = expression(m, t, LLVMExtractElement, 1);
		v->ops[0] = named(m, 1, of);
		return;
	case CONST_INSERT_ELEMENT:
		v = expression(m, t, LLVMInsertElement, 2);
		v->ops[0] = named(m, 0, t);
		v->ops[1] = named(m, 1, part_type(m, t, 0));
		return;
	default:
		v = expression(m, t, LLVMShuffleVector, 2);
		v->ops[0] = named(m, m->r.code == CONST_SHUFFLE_EX, of);
		v->ops[1] = named(m, 1 + (m->r.code == CONST_SHUFFLE_EX), of);
	}
}

/* [type, flags, length, text, length, constraints] */
static void
assembly(BcModule *m, BcType *t)
{
	const Record *r = &m->r;
	u64 n = record_op(r, 2), k = n < r->n ? record_op(r, (u32)n + 3) : UINT64_MAX;
	BcValue *v = bc_define(m, LLVMInlineAsmValueKind, t, 0);
	char *s;

	if (n > r->n || k > r->n || n + k + 4 > r->n) {
		m->bad = true;
		return;
	}
	s = bc_alloc(m, n + k + 2);
	for (u64 i = 0; i < n; i++)
		s[i] = (char)r->op[3 + i];
	s[n] = '\0';
	for (u64 i = 0; i < k; i++)
		s[n + 1 + i] = (char)r->op[4 + n + i];
	s[n + 1 + k] = '\0';
	v->of = bc_type(m, record_op(r, 0));
	v->text = s;
	v->nop = (u32)n;
	v->nto = (u32)k;
}

/* ---- constants within constants ------------------------------------------- */

enum { MAX_NESTED = 1000, UNDER_WAY = UINT16_MAX };

/* The constants that v is made of; an alias is made of what it names. */
static BcValue **
constituents(BcModule *m, BcValue *v, u32 *n)
{
	switch (v->kind) {
	case LLVMConstantStructValueKind:
	case LLVMConstantArrayValueKind:
	case LLVMConstantVectorValueKind:
	case LLVMConstantExprValueKind: *n = v->nop; return v->ops;
	case LLVMGlobalAliasValueKind: *n = 1; return &m->vals.at[bc_global(v)->init - 1];
	default: *n = 0; return NULL;
	}
}

/* Finds out how deep v is. */
static void
nest(BcModule *m, BcValue *v, u32 left)
{
	u32 n, below = 0;
	BcValue **part;

	if (v->depth && v->depth != UNDER_WAY)
		return;
	part = constituents(m, v, &n);
	m->bad |= !left || v->depth == UNDER_WAY || v->flags & BC_PENDING;
	if (!n)
		return;
	v->depth = UNDER_WAY;
	for (u32 k = 0; k < n && !m->bad; k++) {
		nest(m, part[k], left - 1);
		below = MAX(below, part[k]->depth);
	}
	m->bad |= below >= MAX_NESTED;
	v->depth = (u16)(below + 1);
}

void
bc_check_constants(BcModule *m, u32 from)
{
	for (u32 k = from; k < m->next && !m->bad; k++)
		nest(m, m->vals.at[k], MAX_NESTED);
}

/* ---- the block ---------------------------------------------------------- */

static void
constant(BcModule *m, BcType *t)
{
	switch (m->r.code) {
	case CONST_CODE_NULL: null(m, t); break;
	case CONST_CODE_UNDEF: bc_define(m, LLVMUndefValueValueKind, t, 0); break;
	case CONST_POISON: bc_define(m, LLVMPoisonValueValueKind, t, 0); break;
	case CONST_INTEGER: integer(m, t, signed_number(record_op(&m->r, 0))); break;
	case CONST_WIDE_INTEGER: bc_define(m, LLVMConstantIntValueKind, t, 0); break;
	case CONST_CODE_FLOAT: bc_define(m, LLVMConstantFPValueKind, t, 0); break;
	case CONST_AGGREGATE: aggregate(m, t); break;
	case CONST_STRING:
	case CONST_DATA: numbers(m, t, false); break;
	case CONST_CSTRING: numbers(m, t, true); break;
	case CONST_BINOP: arithmetic(m, t); break;
	case CONST_CAST: cast(m, t); break;
	case CONST_EXTRACT_ELEMENT:
	case CONST_INSERT_ELEMENT:
	case CONST_SHUFFLE:
	case CONST_SHUFFLE_EX: vectors(m, t); break;
	case CONST_BLOCK_ADDRESS:
	case CONST_DSO_LOCAL:
	case CONST_NO_CFI:
	case CONST_SIGNED_POINTER: bc_define(m, LLVMBlockAddressValueKind, t, 0); break;
	case CONST_ASM: assembly(m, t); break;
	case CONST_GEP: gep(m, t, false); break;
	case CONST_GEP_RANGE: gep(m, t, true); break;
	default: m->bad = true; /* of a machine that has more */
	}
}

void
bc_constants(BcModule *m)
{
	BcType *t = m->int1;
	u32 what, from = m->next;

	bits_enter(&m->bits, m->bits.block);
	while ((what = bits_next(&m->bits, &m->r)) == BITS_RECORD && !m->bad) {
		if (m->r.code == CONST_SETTYPE)
			t = bc_type(m, record_op(&m->r, 0));
		else
			constant(m, t);
	}
	m->bad |= what == BITS_BLOCK || m->bits.bad;
	if (m->in_body)
		bc_check_constants(m, from);
}
