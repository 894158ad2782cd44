/* claim_find.c - where a function claims the element that a value names: see claim.c.
 *
 * Stores are gone through, and for each that the value chooses the branches that it lies behind. */
#include "ir/arith.h"
#include "race/claim.h"

enum { DEEP = 6 };

/* What a branch asks of what it found. */
typedef struct Test {
	InsId load;
	const Ins *cmp; /* null: is it other than 0? */
	bool masked;
	Val mask; /* of a word: this, */
	i64 bits; /* these, if it is constant; */
	Val bit;  /* or, if not 0, the one bit of this number */
} Test;

static const Ins *
def_stripped(const Ir *ir, const Fn *f, Val v, InsId *id)
{
	return def_of(ir, f, reason_stripped(ir, f, v), id);
}

static bool
is_bin(const Ins *i, BinOp op)
{
	return i && i->op == OP_BIN && i->sub == op;
}

static bool
is_mask_op(const Ins *i)
{
	return is_bin(i, BIN_AND) || is_bin(i, BIN_OR) || is_bin(i, BIN_XOR);
}

/* The number of the only bit that v has; 0: unknown. */
static Val
bit_number(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i = def_stripped(ir, f, v, &id);
	i64 one;

	if (!is_bin(i, BIN_SHL) || !claim_number(ir, ins_arg(ir, i, 0), &one) || one != 1)
		return 0;
	return reason_stripped(ir, f, ins_arg(ir, i, 1));
}

/* What the number of a bit is the rest of, where words have so many bits. */
static Val
whole_number(const Ir *ir, const Fn *f, Val bit)
{
	InsId id;
	const Ins *i = def_of(ir, f, bit, &id);

	if ((!is_bin(i, BIN_AND) && !is_bin(i, BIN_UREM) && !is_bin(i, BIN_SREM)) ||
	    !val_is_const(ins_arg(ir, i, 1)))
		return bit;
	return reason_stripped(ir, f, ins_arg(ir, i, 0));
}

/* Is the address that of an element that v is the number of, or of a member of what v points to? */
static bool
is_chosen(const Ir *ir, const Fn *f, Val addr, Val v)
{
	InsId id;
	const Ins *i;

	while (addr != v && (i = def_of(ir, f, addr, &id)) != NULL) {
		if (i->op == OP_INDEX && reason_stripped(ir, f, ins_arg(ir, i, 1)) == v)
			return true;
		if (i->op != OP_INDEX && i->op != OP_FIELD && i->op != OP_COPY && i->op != OP_CAST)
			return false;
		addr = ins_arg(ir, i, 0);
	}
	return addr == v;
}

/* ---- tests ----------------------------------------------------------------------- */

/* The test of a word, or a part of it, on which the branch at the end of the block depends. */
static bool
test_of(const Ir *ir, const Fn *f, const Block *b, Test *out)
{
	const Ins *end = ir_ins(ir, b->ins + b->nins - 1), *i;
	InsId id, at;
	i64 one;

	if (end->op != OP_CBR)
		return false;
	*out = (Test){0};
	i = def_stripped(ir, f, ins_arg(ir, end, 0), &id);
	if (i && i->op == OP_CMP && i->sub != CMP_FLOAT) {
		out->cmp = i;
		i = def_stripped(ir, f, ins_arg(ir, i, 0), &id);
	}
	if (is_bin(i, BIN_AND)) {
		const Ins *x = def_stripped(ir, f, ins_arg(ir, i, 0), &id);
		const Ins *y = def_stripped(ir, f, ins_arg(ir, i, 1), &at);
		out->masked = true;
		out->mask = reason_stripped(ir, f, ins_arg(ir, i, 1));
		out->bit = bit_number(ir, f, out->mask);
		if (!out->bit && y && y->op == OP_LOAD) {
			out->mask = reason_stripped(ir, f, ins_arg(ir, i, 0));
			out->bit = bit_number(ir, f, out->mask);
			x = y;
			id = at;
		} else if ((is_bin(x, BIN_LSHR) || is_bin(x, BIN_ASHR)) &&
			   claim_number(ir, out->mask, &one) && one == 1) {
			out->bit = reason_stripped(ir, f, ins_arg(ir, x, 1));
			x = def_stripped(ir, f, ins_arg(ir, x, 0), &id);
		}
		i = x;
	}
	if (!out->bit)
		(void)claim_number(ir, out->mask, &out->bits);
	else if (claim_number(ir, out->bit, &one)) {
		out->bits = one >= 0 && one < 63 ? (i64)1 << one : 0;
		out->bit = 0;
	}
	out->load = i && i->op == OP_LOAD ? id : 0;
	return out->load != 0;
}

/* Does the test, which came out so, say that the bits are 0?  -1: it says neither. */
static int
finds_zero(const Ir *ir, const Fn *f, const Test *t, bool truth)
{
	i64 n;
	Val with = t->cmp ? ins_arg(ir, t->cmp, 1) : 0;
	bool zero = t->cmp && claim_number(ir, with, &n) && n == 0;

	if (!t->cmp)
		return !truth;
	if (t->cmp->sub != CMP_EQ && t->cmp->sub != CMP_NE)
		return -1;
	if (zero)
		return truth == (t->cmp->sub == CMP_EQ);
	return claim_same(ir, f, with, t->mask) ? truth == (t->cmp->sub == CMP_NE) : -1;
}

/* Do the masks have a bit in common: one and the same, or one of constants? */
static bool
masks_meet(const Ir *ir, const Fn *f, const Test *t, Val mask)
{
	i64 n;

	if (t->bit)
		return bit_number(ir, f, mask) &&
		       claim_same(ir, f, bit_number(ir, f, mask), t->bit);
	return claim_number(ir, mask, &n) && (t->bits & n);
}

/* What is left where these bits are kept: is one of them not? */
static bool
mask_drops(const Ir *ir, const Fn *f, const Test *t, Val kept)
{
	InsId id;
	const Ins *i = def_stripped(ir, f, kept, &id);
	i64 n;

	if (is_bin(i, BIN_XOR) && claim_number(ir, ins_arg(ir, i, 1), &n) && n == -1)
		return masks_meet(ir, f, t, ins_arg(ir, i, 0));
	return !t->bit && claim_number(ir, kept, &n) && (t->bits & ~n);
}

/* Does who looks next find something else: is the value that is stored one with which the test comes
 * out otherwise? */
static bool
turns_out_otherwise(const Ir *ir, const Fn *f, const Test *t, bool truth, Val stored)
{
	InsId id;
	const Ins *i = def_stripped(ir, f, stored, &id);
	int zero = t->masked ? finds_zero(ir, f, t, truth) : -1;
	u16 width = t->cmp && t->cmp->imm ? (u16)t->cmp->imm : 64;
	i64 n, with = 0;

	if (t->masked && i) {
		for (u32 k = 0; i->op == OP_BIN && zero >= 0 && k < 2; k++) {
			Val mask = ins_arg(ir, i, k);
			if ((((i->sub == BIN_OR && zero) || i->sub == BIN_XOR) &&
			     masks_meet(ir, f, t, mask)) ||
			    (i->sub == BIN_AND && !zero && mask_drops(ir, f, t, mask)))
				return true;
		}
		return false;
	}
	if (t->cmp && !claim_number(ir, ins_arg(ir, t->cmp, 1), &with))
		return false;
	if (claim_number(ir, stored, &n)) {
		if (t->masked)
			return t->bits && zero >= 0 && ((n & t->bits) != 0) == (zero != 0);
		return (t->cmp ? arith_compare(t->cmp->sub, arith_mask((u64)n, width),
					       arith_mask((u64)with, width), width) != 0
			       : n != 0) != truth;
	}
	/* Something else than the one value that says that nobody has it. */
	return t->cmp ? t->cmp->sub == (truth ? CMP_EQ : CMP_NE) : !truth;
}

/* ---- bits that are looked for ----------------------------------------------------- */

/* The load that a search for a bit stands right behind: nothing else is known of it; 0: it is none. */
static InsId
searched_load(const Races *r, FnId fn, InsId search)
{
	const Fn *f = &r->ir->fns.at[fn];
	const Block *b = fn_block(r->ir, f, walk_block(r->walk, fn, search));
	const Ins *i = ir_ins(r->ir, search);

	for (InsId load = search; !i->sub && !i->cond && load-- > b->ins;) {
		Op op = ir_ins(r->ir, load)->op;
		if (op == OP_LOAD)
			return load;
		if (op != OP_BIN && op != OP_CAST && op != OP_COPY && op != OP_CMP)
			return 0;
	}
	return 0;
}

/* Is v, and `more`, the number of a bit that was looked for in a word?  Then that word's load.  ffs counts from 1;
 * a number from the top is what is left to the highest bit. */
static InsId
searched_from(const Races *r, FnId fn, Val v, i64 more, bool top, u32 depth)
{
	const Fn *f = &r->ir->fns.at[fn];
	InsId id, load = 0;
	const Ins *i = def_stripped(r->ir, f, v, &id);
	i64 n;

	if (!i || !depth)
		return 0;
	if (i->op == OP_NONDET)
		return more == (i->flags & INS_MODEL ? -1 : 0) && !(top && i->flags & INS_MODEL)
			   ? searched_load(r, fn, id)
			   : 0;
	if (i->op == OP_SELECT) {
		load = searched_from(r, fn, ins_arg(r->ir, i, 1), more, top, depth - 1);
		return load ? load
			    : searched_from(r, fn, ins_arg(r->ir, i, 2), more, top, depth - 1);
	}
	if (i->op != OP_BIN)
		return 0;
	if (claim_number(r->ir, ins_arg(r->ir, i, 1), &n)) {
		v = ins_arg(r->ir, i, 0);
		if (i->sub == BIN_ADD || i->sub == BIN_SUB)
			return searched_from(r, fn, v, i->sub == BIN_ADD ? more + n : more - n, top,
					     depth - 1);
		return i->sub == BIN_XOR && (n == 31 || n == 63) && !more
			   ? searched_from(r, fn, v, 0, true, depth - 1)
			   : 0;
	}
	return i->sub == BIN_SUB && claim_number(r->ir, ins_arg(r->ir, i, 0), &n) &&
		       (n + more == 31 || n + more == 63)
		   ? searched_from(r, fn, ins_arg(r->ir, i, 1), 0, true, depth - 1)
		   : 0;
}

static InsId
searched_word(const Races *r, FnId fn, Val v)
{
	return searched_from(r, fn, v, 0, false, DEEP);
}

/* Is it a number that was counted from the highest bit? */
static bool
is_from_top(const Ir *ir, const Ins *i)
{
	return is_bin(i, BIN_XOR) || (is_bin(i, BIN_SUB) && val_is_const(ins_arg(ir, i, 0)));
}

/* Is it x & (x - 1): all but the lowest bit? */
static bool
drops_lowest(const Ir *ir, const Fn *f, const Ins *i)
{
	InsId id;
	const Ins *less = def_stripped(ir, f, ins_arg(ir, i, 1), &id);
	i64 n;

	return i->sub == BIN_AND && less && less->op == OP_BIN &&
	       claim_number(ir, ins_arg(ir, less, 1), &n) &&
	       ((less->sub == BIN_ADD && n == -1) || (less->sub == BIN_SUB && n == 1)) &&
	       claim_same(ir, f, ins_arg(ir, i, 0), ins_arg(ir, less, 0));
}

/* Is a bit that is 0 looked for in the word: is it turned over before? */
static bool
is_flipped(const Races *r, const Fn *f, InsId word)
{
	i64 n;

	for (InsId id = word + 1; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		if (i->op == OP_NONDET)
			return false;
		if (is_bin(i, BIN_XOR) && claim_number(r->ir, ins_arg(r->ir, i, 1), &n) && n == -1)
			return true;
	}
	return false;
}

/* Does the store clear, or else set, that bit alone? */
static bool
changes_bit(const Ir *ir, const Fn *f, const Ins *store, Val v, bool clears)
{
	InsId id;
	const Ins *i = def_stripped(ir, f, ins_arg(ir, store, 1), &id);
	Test t = {.bit = v};

	if (i && i->op == OP_BIN && drops_lowest(ir, f, i))
		return clears && !is_from_top(ir, def_of(ir, f, v, &id));
	for (u32 k = 0; i && i->op == OP_BIN && k < 2; k++) {
		Val mask = ins_arg(ir, i, k);
		if (clears ? i->sub == BIN_AND && mask_drops(ir, f, &t, mask)
			   : i->sub == BIN_OR && masks_meet(ir, f, &t, mask))
			return true;
	}
	return false;
}

/* ---- claims ------------------------------------------------------------------------ */

typedef struct Find {
	Reasons *rs;
	ThreadId thread;
	const Level *at;
	InsId use;
} Find;

/* Are the bits 0 then that say who has it? */
static bool
leaves_zero(const Ir *ir, const Fn *f, const Test *t, bool truth, Val stored)
{
	InsId id;
	const Ins *i = def_stripped(ir, f, stored, &id);
	i64 n;

	if (t->masked && i)
		return i->sub == BIN_AND || (i->sub == BIN_XOR && !finds_zero(ir, f, t, truth));
	return claim_number(ir, stored, &n) && !(t->masked ? n & t->bits : n);
}

/* The edges of a block on which a test has found nobody, in the section of the store. */
static u8
free_edges(const Find *x, BlockId b, InsId store, bool chosen, Test *t)
{
	const Ir *ir = x->rs->r->ir;
	const Fn *f = pta_fn(x->rs->r->pta, x->at->inst);
	const Block *bl = fn_block(ir, f, b);
	const Ins *s = ir_ins(ir, store);
	u8 edges = 0;
	InsId def;

	if (bl->nsucc != 2 || !test_of(ir, f, bl, t) ||
	    !(t->bit ? t->bit == x->at->v || whole_number(ir, f, t->bit) == x->at->v : chosen) ||
	    !claim_same(ir, f, ins_arg(ir, ir_ins(ir, t->load), 0), ins_arg(ir, s, 0)))
		return 0;
	for (u32 k = 0; k < 2; k++)
		if (turns_out_otherwise(ir, f, t, k == 0, ins_arg(ir, s, 1)))
			edges |= (u8)(1u << k);
	(void)def_of(ir, f, x->at->v, &def);
	if (edges == 3)
		return 0; /* whatever has been found is turned */
	return edges && claim_section(x->rs, x->thread, x->at->inst, t->load, store, def) ? edges
											  : 0;
}

/* Is the store behind a test that finds nobody, in the same section?  Then that of this load. */
static InsId
tested(const Find *x, InsId store, ClaimHow *how, bool *clears)
{
	const Races *r = x->rs->r;
	FnId fn = inst_fn(r, x->at->inst);
	const Fn *f = &r->ir->fns.at[fn];
	const Ins *s = ir_ins(r->ir, store);
	Level at = {.inst = x->at->inst, .ins = store, .v = x->at->v};
	bool chosen = is_chosen(r->ir, f, ins_arg(r->ir, s, 0), x->at->v);
	InsId load = 0;
	u8 *edges;

	if (!chosen) {
		Val bit[2];
		u32 n = claim_bits(r->ir, f, s, bit);
		while (n && bit[n - 1] != x->at->v)
			n--;
		if (!n)
			return 0;
	}
	edges = arena_array(r->arena, u8, f->nblock + 1);
	for (BlockId b = 1; b <= f->nblock; b++) {
		Test t;
		edges[b] = free_edges(x, b, store, chosen, &t);
		if (edges[b]) {
			*how = t.bit ? CLAIM_BIT : CLAIM_FLAG;
			*clears = leaves_zero(r->ir, f, &t, edges[b] == 1, ins_arg(r->ir, s, 1));
			load = t.load;
		}
	}
	if (load && !claim_crosses(r, &at, edges))
		load = 0;
	arena_recycle(r->arena, edges, (f->nblock + 1) * sizeof *edges);
	return load;
}

/* Are both in one section, the second behind the first? */
static bool
is_behind(Reasons *rs, ThreadId t, InstId inst, InsId first, InsId second)
{
	return walk_dominates(rs->r->walk, inst_fn(rs->r, inst), first, second) &&
	       claim_section(rs, t, inst, first, second, 0);
}

/* Is the bit taken that was looked for in the word? */
static InsId
searched(const Find *x, InsId store, InsId word, bool *clears)
{
	const Races *r = x->rs->r;
	const Fn *f = pta_fn(r->pta, x->at->inst);
	const Ins *s = ir_ins(r->ir, store);

	*clears = !is_flipped(r, f, word);
	return changes_bit(r->ir, f, s, x->at->v, *clears) &&
		       claim_same(r->ir, f, ins_arg(r->ir, ir_ins(r->ir, word), 0),
				  ins_arg(r->ir, s, 0)) &&
		       is_behind(x->rs, x->thread, x->at->inst, word, store)
		   ? word
		   : 0;
}

/* What the address is chosen by: a number, or a pointer that it is a member of. */
static Val
chooser(const Ir *ir, const Fn *f, Val addr)
{
	InsId id;
	const Ins *i;

	while ((i = def_of(ir, f, addr, &id)) != NULL &&
	       (i->op == OP_FIELD || i->op == OP_COPY || i->op == OP_CAST))
		addr = ins_arg(ir, i, 0);
	return i && i->op == OP_INDEX ? reason_stripped(ir, f, ins_arg(ir, i, 1)) : addr;
}

bool
claim_takes(Reasons *rs, ThreadId t, InstId inst, InsId store, const Claim *like)
{
	const Ir *ir = rs->r->ir;
	FnId fn = inst_fn(rs->r, inst);
	const Fn *f = &ir->fns.at[fn];
	const Ins *s = ir_ins(ir, store);
	Level at = {.inst = inst, .ins = store};
	Find x = {rs, t, &at, store};
	ClaimHow how;
	bool clears;
	Val by[3];
	u32 n = claim_bits(ir, f, s, by);

	by[n++] = chooser(ir, f, ins_arg(ir, s, 0));
	while (n) {
		InsId word;
		at.v = by[--n];
		word = searched_word(rs->r, fn, at.v);
		if (((word && searched(&x, store, word, &clears)) ||
		     tested(&x, store, &how, &clears)) &&
		    clears == like->clears)
			return true;
	}
	return false;
}

u32
claim_bits(const Ir *ir, const Fn *f, const Ins *store, Val out[2])
{
	InsId id;
	const Ins *i = def_stripped(ir, f, ins_arg(ir, store, 1), &id), *other;
	u32 n = 0;

	for (u32 k = 0; is_mask_op(i) && k < 2; k++) {
		Val mask = ins_arg(ir, i, k);
		other = def_stripped(ir, f, mask, &id);
		out[n] = bit_number(ir, f, is_bin(other, BIN_XOR) ? ins_arg(ir, other, 0) : mask);
		if (out[n])
			out[n] = whole_number(ir, f, out[n]);
		n += out[n] != 0;
	}
	return n;
}

/* Is v computed from w by arithmetic alone, and more than that? */
static bool
goes_on_from(const Ir *ir, const Fn *f, Val v, Val w, u32 depth)
{
	InsId id;
	const Ins *i = def_stripped(ir, f, v, &id);

	if (!i || !depth || (i->op != OP_BIN && i->op != OP_SELECT))
		return false;
	for (u32 k = i->op == OP_SELECT; k < i->narg; k++)
		if (reason_stripped(ir, f, ins_arg(ir, i, k)) == w ||
		    goes_on_from(ir, f, ins_arg(ir, i, k), w, depth - 1))
			return true;
	return false;
}

/* The count's store, if `load` found it, that moves it on in the section in which `at` looks into the array. */
static InsId
moved_on(Reasons *rs, ThreadId t, InstId inst, InsId at, InsId load)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];
	const Ins *count = ir_ins(r->ir, load);

	for (InsId id = f->ins; count->op == OP_LOAD && id < f->ins + f->nins; id++) {
		const Ins *s = ir_ins(r->ir, id);
		if (s->op == OP_STORE &&
		    claim_same(r->ir, f, ins_arg(r->ir, s, 0), ins_arg(r->ir, count, 0)) &&
		    goes_on_from(r->ir, f, ins_arg(r->ir, s, 1), count->dst, DEEP) &&
		    is_behind(rs, t, inst, load, id) && is_behind(rs, t, inst, load, at) &&
		    (is_behind(rs, t, inst, at, id) || is_behind(rs, t, inst, id, at)))
			return id;
	}
	return 0;
}

InsId
claim_popped(Reasons *rs, ThreadId t, InstId inst, InsId load)
{
	const Races *r = rs->r;
	const Fn *f = pta_fn(r->pta, inst);
	InsId by[SLICE_LOADS], id, store;
	const Ins *i;

	for (Val v = ins_arg(r->ir, ir_ins(r->ir, load), 0);
	     (i = def_of(r->ir, f, v, &id)) != NULL &&
	     (i->op == OP_COPY || i->op == OP_FIELD || i->op == OP_INDEX || i->op == OP_CAST);
	     v = ins_arg(r->ir, i, 0))
		for (u32 n = i->op == OP_INDEX ? reason_slice(r->ir, f, ins_arg(r->ir, i, 1), by)
					       : 0;
		     n;) {
			store = moved_on(rs, t, inst, load, by[--n]);
			if (store)
				return store;
		}
	return 0;
}

static bool
is_kept(const Find *x, const Claim *c, InsId from)
{
	InsId def;

	(void)def_of(x->rs->r->ir, pta_fn(x->rs->r->pta, x->at->inst), x->at->v, &def);
	return !claim_given_back(x->rs, c, x->at->inst, from, def, x->use);
}

/* What gives it back are writes to where the instruction reads or writes. */
static bool
is_placed(const Races *r, Claim *c, InsId ins)
{
	c->at = claim_access(r, c->inst, ins);
	c->table = c->at ? r->shape_of[c->at - 1] : 0;
	return c->table != 0;
}

Claim
claim_at(Reasons *rs, ThreadId t, const Level *at, InsId use)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];
	Find x = {rs, t, at, use};
	Claim c = {.inst = at->inst, .thread = t};
	InsId word = searched_word(r, fn, at->v), def;
	const Ins *found = def_of(r->ir, f, at->v, &def);

	for (c.store = f->ins; c.store < f->ins + f->nins; c.store++) {
		const Ins *s = ir_ins(r->ir, c.store);
		if (s->op != OP_STORE || !walk_reaches(r->walk, fn, c.store, use))
			continue;
		c.how = CLAIM_BIT;
		c.load = word ? searched(&x, c.store, word, &c.clears) : 0;
		if (!c.load)
			c.load = tested(&x, c.store, &c.how, &c.clears);
		if (c.load && is_placed(r, &c, c.store) && claim_passes(r, at, c.store) &&
		    is_kept(&x, &c, c.store))
			return c;
	}
	if (found && found->op == OP_LOAD && (c.store = claim_popped(rs, t, at->inst, def)) != 0) {
		c.how = CLAIM_POPPED;
		c.clears = false;
		c.load = def;
		if (is_placed(r, &c, def) && is_kept(&x, &c, def) &&
		    (walk_dominates(r->walk, fn, c.store, def) ||
		     walk_dominates(r->walk, fn, c.store, at->ins)))
			return c;
	}
	return (Claim){.how = CLAIM_NONE};
}
