/* term.c - see term.h.
 *
 * A term is a sorted list of monomials, a monomial a factor and a sorted list
 * of atoms.  Longer ones than MONOS and FACTORS are given up. */
#include "conc/term.h"

#include <string.h>

enum { MONOS = 8, FACTORS = 4, FAR = 1 << 30, DEEP = 6 };

typedef struct Mono {
	u32 atom[FACTORS]; /* in order, 0 at the end */
	i64 factor;
} Mono;

typedef struct Term {
	u32 n;
	Mono at[MONOS];
} Term;

typedef enum AtomKind { ATOM_NUMBER, ATOM_REG, ATOM_PLACE, ATOM_BIN } AtomKind;

typedef struct Atom {
	u32 kind, a, b, c;
} Atom;

void
terms_init(Terms *t, Arena *a)
{
	Atom n = {.kind = ATOM_NUMBER};

	intern_init(&t->terms, a);
	intern_init(&t->atoms, a);
	t->number = intern_bytes(&t->atoms, &n, sizeof n);
}

/* ---- building -------------------------------------------------------------------- */

static TermId
keep(Terms *t, const Term *x)
{
	static const Mono zero;

	return x->n ? intern_bytes(&t->terms, x->at, x->n * sizeof *x->at)
		    : intern_bytes(&t->terms, &zero, sizeof zero);
}

static Term
get(const Terms *t, TermId x)
{
	Term r = {.n = intern_len(&t->terms, x) / sizeof(Mono)};

	memcpy(r.at, intern_get(&t->terms, x), r.n * sizeof *r.at);
	if (r.n == 1 && !r.at[0].factor)
		r.n = 0;
	return r;
}

/* Adds a monomial; says whether there was room. */
static bool
put(Term *x, const Mono *m)
{
	u32 i = 0;
	int c = 1;

	while (i < x->n && (c = memcmp(x->at[i].atom, m->atom, sizeof m->atom)) < 0)
		i++;
	if (i < x->n && !c) {
		x->at[i].factor += m->factor;
		if (!x->at[i].factor) {
			memmove(&x->at[i], &x->at[i + 1], (x->n - i - 1) * sizeof *x->at);
			x->n--;
		}
		return true;
	}
	if (!m->factor)
		return true;
	if (x->n == MONOS)
		return false;
	memmove(&x->at[i + 1], &x->at[i], (x->n - i) * sizeof *x->at);
	x->at[i] = *m;
	x->n++;
	return true;
}

static TermId
of_atom(Terms *t, u32 atom, i64 factor)
{
	Term x = {.n = 1, .at = {{.atom = {atom}, .factor = factor}}};

	return keep(t, &x);
}

TermId
term_int(Terms *t, i64 k)
{
	Term x = {.n = k != 0, .at = {{.factor = k}}};

	return k > FAR || k < -FAR ? 0 : keep(t, &x);
}

TermId
term_number(Terms *t)
{
	return of_atom(t, t->number, 1);
}

TermId
term_reg(Terms *t, u32 inst, Val v)
{
	Atom a = {ATOM_REG, inst, v, 0};

	return of_atom(t, intern_bytes(&t->atoms, &a, sizeof a), 1);
}

TermId
term_place(Terms *t, u32 slot, i64 add, u16 width)
{
	Atom a = {ATOM_PLACE, slot, (u32)add, width};

	if (add < 0 || add > FAR)
		return 0;
	return of_atom(t, intern_bytes(&t->atoms, &a, sizeof a), 1);
}

/* ---- arithmetic ------------------------------------------------------------------- */

TermId
term_add(Terms *t, TermId x, TermId y, i64 k)
{
	Term a, b;

	if (!x || !y || k > FAR || k < -FAR)
		return 0;
	a = get(t, x);
	b = get(t, y);
	for (u32 i = 0; i < b.n; i++) {
		if (b.at[i].factor > FAR || b.at[i].factor < -FAR)
			return 0;
		b.at[i].factor *= k;
		if (!put(&a, &b.at[i]))
			return 0;
	}
	return keep(t, &a);
}

/* The product of two monomials, atoms in order. */
static bool
times(const Mono *x, const Mono *y, Mono *out)
{
	u32 i = 0, k = 0, n = 0;

	memset(out, 0, sizeof *out);
	if (x->factor > FAR || x->factor < -FAR || y->factor > FAR || y->factor < -FAR)
		return false;
	out->factor = x->factor * y->factor;
	for (;;) {
		u32 a = i < FACTORS ? x->atom[i] : 0, b = k < FACTORS ? y->atom[k] : 0;
		if (!a && !b)
			return true;
		if (n == FACTORS)
			return false;
		if (a && (!b || a <= b)) {
			out->atom[n++] = a;
			i++;
		} else {
			out->atom[n++] = b;
			k++;
		}
	}
}

TermId
term_mul(Terms *t, TermId x, TermId y)
{
	Term a, b, r = {0};
	Mono m;

	if (!x || !y)
		return 0;
	a = get(t, x);
	b = get(t, y);
	for (u32 i = 0; i < a.n; i++)
		for (u32 k = 0; k < b.n; k++)
			if (!times(&a.at[i], &b.at[k], &m) || !put(&r, &m))
				return 0;
	return keep(t, &r);
}

TermId
term_bin(Terms *t, BinOp op, TermId x, TermId y)
{
	Atom a = {ATOM_BIN, op, x, y};

	if (!x || !y || op == BIN_FLOAT)
		return 0;
	if (op == BIN_ADD || op == BIN_SUB)
		return term_add(t, x, y, op == BIN_ADD ? 1 : -1);
	if (op == BIN_MUL)
		return term_mul(t, x, y);
	return of_atom(t, intern_bytes(&t->atoms, &a, sizeof a), 1);
}

TermId
term_split(Terms *t, TermId x, i64 *add)
{
	Term a = get(t, x);

	*add = 0;
	for (u32 i = 0; i < a.n; i++)
		if (!a.at[i].atom[0])
			*add = a.at[i].factor;
	return term_add(t, x, term_int(t, *add), -1);
}

/* ---- how it depends on n ----------------------------------------------------------- */

static const Atom *
atom_get(const Terms *t, u32 atom)
{
	return (const Atom *)(const void *)intern_get(&t->atoms, atom);
}

static bool varies(const Terms *t, TermId x, u32 depth);

static bool
atom_varies(const Terms *t, u32 atom, u32 depth)
{
	const Atom *a = atom_get(t, atom);

	if (depth > DEEP)
		return true;
	return a->kind == ATOM_NUMBER ||
	       (a->kind == ATOM_BIN && (varies(t, a->b, depth + 1) || varies(t, a->c, depth + 1)));
}

/* How many atoms of m depend on n; the last of them. */
static u32
varying(const Terms *t, const Mono *m, u32 depth, u32 *atom)
{
	u32 n = 0;

	for (u32 i = 0; i < FACTORS && m->atom[i]; i++)
		if (atom_varies(t, m->atom[i], depth)) {
			*atom = m->atom[i];
			n++;
		}
	return n;
}

static bool
varies(const Terms *t, TermId x, u32 depth)
{
	Term a = get(t, x);
	u32 atom;

	for (u32 i = 0; i < a.n; i++)
		if (varying(t, &a.at[i], depth, &atom))
			return true;
	return false;
}

bool
term_varies(const Terms *t, TermId x)
{
	return varies(t, x, 0);
}

static TermId
next(Terms *t, TermId x, u32 depth)
{
	Term a = get(t, x);
	TermId r = term_int(t, 0);

	for (u32 i = 0; i < a.n; i++) {
		TermId m = term_int(t, a.at[i].factor);
		for (u32 k = 0; k < FACTORS && a.at[i].atom[k]; k++) {
			u32 atom = a.at[i].atom[k];
			Atom op = *atom_get(t, atom);
			TermId f = of_atom(t, atom, 1);
			if (depth > DEEP)
				return 0;
			if (op.kind == ATOM_NUMBER)
				f = term_add(t, f, term_int(t, 1), 1);
			else if (op.kind == ATOM_BIN)
				f = term_bin(t, (BinOp)op.a, next(t, op.b, depth + 1),
					     next(t, op.c, depth + 1));
			m = term_mul(t, m, f);
		}
		r = term_add(t, r, m, 1);
	}
	return r;
}

TermId
term_next(Terms *t, TermId x)
{
	return x ? next(t, x, 0) : 0;
}

/* Is n, where x has it, one factor of a product and in no operation? */
static bool
is_linear(const Terms *t, const Term *x)
{
	u32 atom = 0;

	for (u32 i = 0; i < x->n; i++) {
		u32 n = varying(t, &x->at[i], 0, &atom);
		if (n > 1 || (n && atom != t->number))
			return false;
	}
	return true;
}

/* k * n + rest does; and so does its quotient by what does not change, times what does not. */
bool
term_goes_one_way(const Terms *t, TermId x)
{
	Term a = get(t, x), top;
	u32 atom = 0, n = 0, vary = 0;
	const Atom *op;

	if (is_linear(t, &a))
		return true;
	for (u32 i = 0; i < a.n; i++) {
		u32 k = varying(t, &a.at[i], 0, &atom);
		n += k != 0;
		vary = MAX(vary, k);
	}
	if (n != 1 || vary != 1)
		return false;
	for (u32 i = 0; i < a.n; i++)
		varying(t, &a.at[i], 0, &atom);
	op = atom_get(t, atom);
	if (op->kind != ATOM_BIN || (op->a != BIN_SDIV && op->a != BIN_UDIV) || varies(t, op->c, 0))
		return false;
	top = get(t, op->b);
	return is_linear(t, &top);
}

bool
term_linear(const Terms *t, TermId x, i64 *scale)
{
	Term a = get(t, x);
	u32 atom;

	*scale = 0;
	for (u32 i = 0; i < a.n; i++) {
		if (!varying(t, &a.at[i], 0, &atom))
			continue;
		if (a.at[i].atom[0] != t->number || a.at[i].atom[1])
			return false;
		*scale = a.at[i].factor;
	}
	return true;
}

bool
term_plain(const Terms *t, TermId x, i64 *scale, i64 *add)
{
	Term a = get(t, x);

	*scale = *add = 0;
	for (u32 i = 0; i < a.n; i++) {
		if (a.at[i].atom[1] || (a.at[i].atom[0] && a.at[i].atom[0] != t->number))
			return false;
		*(a.at[i].atom[0] ? scale : add) = a.at[i].factor;
	}
	return true;
}
