/* bits.c - reading a bitstream, see bits.h.
 *
 * Numbers are taken from eight bytes at a time.  Each step moves on in the input, a block lies
 * within that around it, and arrays are no longer than what is left: so reading ends, and takes no
 * longer than the input is long. */
#include "llvm/bits.h"

#include <string.h>

enum { END_BLOCK, ENTER_BLOCK, DEFINE_ABBREV, UNABBREVIATED, FIRST_ABBREV };
enum { FIELD_LITERAL, FIELD_FIXED, FIELD_VBR, FIELD_ARRAY, FIELD_CHAR6, FIELD_BLOB };
enum { ABOUT_BLOCKS_SET = 1 };
enum { MAX_WIDTH = 32, LOOK = 56 /* bits of eight bytes that are whole wherever they begin */ };

static u64
fail(Bits *b)
{
	b->bad = true;
	b->at = b->end;
	return 0;
}

static u64
look(const Bits *b)
{
	u64 w;

	memcpy(&w, b->base + (b->at >> 3), sizeof w);
	return w >> (b->at & 7);
}

static u64
fixed(Bits *b, u32 n)
{
	u64 w;

	if (n > b->end - b->at)
		return fail(b);
	w = look(b);
	b->at += n;
	return w & (((u64)1 << n) - 1);
}

u64
bits_vbr(Bits *b, u32 n)
{
	u64 more = (u64)1 << (n - 1), w = look(b), value = 0;
	u32 shift = 0, used = 0;

	for (;;) {
		u64 part = w & (2 * more - 1);
		value |= (part & (more - 1)) << shift;
		used += n;
		if (!(part & more))
			break;
		shift += n - 1;
		if (shift > 63)
			return fail(b);
		w >>= n;
		if (used + n > LOOK) {
			if (used > b->end - b->at)
				return fail(b);
			b->at += used;
			used = 0;
			w = look(b);
		}
	}
	if (used > b->end - b->at)
		return fail(b);
	b->at += used;
	return value;
}

/* The same, where most numbers fit in one group. */
static inline u64
vbr(Bits *b, u32 n)
{
	u64 w = look(b), more = (u64)1 << (n - 1);

	if (w & more || n > b->end - b->at)
		return bits_vbr(b, n);
	b->at += n;
	return w & (more - 1);
}

static void
align(Bits *b)
{
	u64 to = (b->at + 31) & ~(u64)31;

	if (to > b->end)
		(void)fail(b);
	else
		b->at = to;
}

void
bits_init(Bits *b, Arena *a, const void *p, size_t n)
{
	*b = (Bits){.arena = a, .base = p, .end = (u64)n * 8};
	b->in = (Scope){.width = 2, .end = b->end};
}

/* ---- blocks ------------------------------------------------------------- */

void
bits_enter(Bits *b, u32 block)
{
	Scope in = {.abbrevs = b->abbrevs.n, .fields = b->fields.n};
	u64 words;

	in.width = (u32)bits_vbr(b, 4);
	align(b);
	words = fixed(b, 32);
	if (b->bad || in.width < 2 || in.width > MAX_WIDTH || b->at > b->in.end ||
	    words * 32 > b->in.end - b->at) {
		(void)fail(b);
		in.width = 2;
		words = 0;
	}
	in.end = b->at + words * 32;
	vec_push(b->arena, &b->outer, b->in);
	b->in = in;
	for (u32 k = 0; block < COUNT(b->about) && k < b->about[block].n; k++)
		vec_push(b->arena, &b->abbrevs, b->about[block].at[k]);
}

void
bits_skip(Bits *b)
{
	bits_enter(b, 0);
	bits_leave(b);
}

void
bits_leave(Bits *b)
{
	if (!b->outer.n) {
		(void)fail(b);
		return;
	}
	if (!b->bad)
		b->at = b->in.end;
	b->abbrevs.n = b->in.abbrevs;
	b->fields.n = b->in.fields;
	b->in = b->outer.at[--b->outer.n];
}

/* ---- abbreviations ------------------------------------------------------ */

static BitField
field(Bits *b)
{
	BitField f = {FIELD_LITERAL, 0};

	if (fixed(b, 1)) {
		f.arg = bits_vbr(b, 8);
		return f;
	}
	f.kind = (u8)fixed(b, 3);
	if (f.kind == FIELD_FIXED || f.kind == FIELD_VBR)
		f.arg = bits_vbr(b, 5);
	if (f.kind == FIELD_LITERAL || f.kind > FIELD_BLOB || f.arg > MAX_WIDTH ||
	    (f.kind == FIELD_VBR && f.arg == 1))
		(void)fail(b);
	if (!f.arg && f.kind <= FIELD_VBR)
		f.kind = FIELD_LITERAL;
	return f;
}

static void
define(Bits *b)
{
	bool about = b->about_kind != 0;
	Abbrev a = {about, about ? b->about_fields.n : b->fields.n, (u32)bits_vbr(b, 5)};

	if (a.n > b->end - b->at)
		(void)fail(b);
	for (u32 k = 0; k < a.n && !b->bad; k++)
		if (about)
			vec_push(b->arena, &b->about_fields, field(b));
		else
			vec_push(b->arena, &b->fields, field(b));
	if (b->bad)
		return;
	if (about)
		vec_push(b->arena, &b->about[b->about_kind], a);
	else
		vec_push(b->arena, &b->abbrevs, a);
}

static u64
scalar(Bits *b, const BitField *f)
{
	static const char char6[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

	switch (f->kind) {
	case FIELD_LITERAL: return f->arg;
	case FIELD_FIXED: return fixed(b, (u32)f->arg);
	case FIELD_VBR: return vbr(b, (u32)f->arg);
	case FIELD_CHAR6: return (u8)char6[fixed(b, 6)];
	default: return fail(b);
	}
}

/* ---- records ------------------------------------------------------------ */

static void
room(Bits *b, Record *r, u64 n)
{
	u64 cap = MAX(n, 2 * (u64)r->cap);

	if (n > UINT32_MAX / 4) {
		(void)fail(b);
		return;
	}
	r->op = arena_grow(b->arena, r->op, r->cap * sizeof *r->op, cap * sizeof *r->op);
	r->cap = (u32)cap;
}

static inline void
add(Bits *b, Record *r, u64 x)
{
	if (r->n == r->cap)
		room(b, r, (u64)r->n + 16);
	if (!b->bad)
		r->op[r->n++] = x;
}

static void
unabbreviated(Bits *b, Record *r)
{
	u64 n;

	r->code = (u32)bits_vbr(b, 6);
	n = bits_vbr(b, 6);
	if (n > (b->end - b->at) / 6) {
		(void)fail(b);
		return;
	}
	if (n > r->cap)
		room(b, r, n);
	for (u64 k = 0; k < n && !b->bad; k++)
		r->op[k] = vbr(b, 6);
	r->n = b->bad ? 0 : (u32)n;
}

static void
array(Bits *b, Record *r, const BitField *of)
{
	u64 n = bits_vbr(b, 6);

	/* each element takes some of what is left */
	if (of->kind == FIELD_LITERAL || n > b->end - b->at) {
		(void)fail(b);
		return;
	}
	if (r->n + n > r->cap)
		room(b, r, r->n + n);
	for (; n && !b->bad; n--)
		r->op[r->n++] = scalar(b, of);
}

static void
blob(Bits *b, Record *r)
{
	u64 n = bits_vbr(b, 6);

	align(b);
	if (n > (b->end - b->at) / 8) {
		(void)fail(b);
		return;
	}
	r->blob = b->base + b->at / 8;
	r->nblob = n;
	b->at += n * 8;
	align(b);
}

static void
abbreviated(Bits *b, Record *r, u64 id)
{
	const BitField *fields;
	Abbrev a;
	bool first = true;

	if (id - FIRST_ABBREV >= b->abbrevs.n - b->in.abbrevs) {
		(void)fail(b);
		return;
	}
	a = b->abbrevs.at[b->in.abbrevs + id - FIRST_ABBREV];
	fields = (a.about ? b->about_fields.at : b->fields.at) + a.first;
	for (u32 k = 0; k < a.n && !b->bad; k++) {
		const BitField *f = &fields[k];
		if (f->kind == FIELD_ARRAY && k + 2 == a.n && !first)
			array(b, r, &fields[++k]);
		else if (f->kind == FIELD_BLOB && !first)
			blob(b, r);
		else if (first)
			r->code = (u32)scalar(b, f);
		else
			add(b, r, scalar(b, f));
		first = false;
	}
}

u32
bits_next(Bits *b, Record *r)
{
	for (;;) {
		u64 id = b->at < b->in.end ? fixed(b, b->in.width) : END_BLOCK;

		if (b->bad || id == END_BLOCK) {
			if (b->outer.n)
				bits_leave(b);
			return BITS_END;
		}
		if (id == ENTER_BLOCK) {
			b->block = (u32)bits_vbr(b, 8);
			return BITS_BLOCK;
		}
		if (id == DEFINE_ABBREV) {
			define(b);
			continue;
		}
		r->n = 0;
		r->blob = NULL;
		if (id == UNABBREVIATED)
			unabbreviated(b, r);
		else
			abbreviated(b, r, id);
		return b->bad ? BITS_END : BITS_RECORD;
	}
}

void
bits_about_blocks(Bits *b, Record *r)
{
	u32 what;

	bits_enter(b, 0);
	while ((what = bits_next(b, r)) == BITS_RECORD) {
		if (r->code != ABOUT_BLOCKS_SET)
			continue;
		b->about_kind = (u32)record_op(r, 0);
		if (!b->about_kind || b->about_kind >= COUNT(b->about))
			(void)fail(b);
	}
	b->about_kind = 0;
	if (what == BITS_BLOCK)
		(void)fail(b);
}
