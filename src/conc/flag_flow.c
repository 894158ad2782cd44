/* flag_flow.c - what instructions do to what is known of flags.
 *
 * Known values are sets, rows are a disjunction over the values of one number;
 * a step maps each of them to a superset of what can be, and joining unites.
 * Writing the value that a flag has changes nothing: so whoever fails to take
 * a spin lock does not take it from its holder.
 *
 * A load tells its thread the value only if it comes after whatever gave the
 * flag that value: by a release that it acquires, or a lock around both, or
 * because the two are not parallel.  A compare-exchange or other
 * read-modify-write that changes nothing passes on the release before it. */
#include "conc/flag_int.h"

#include "conc/access.h"
#include "ir/arith.h"

#include <string.h>

/* ---- writes ---------------------------------------------------------------------- */

static FlagWrite *
write_at(Flags *f, const FlagPoint *at, u32 flag)
{
	u32 key[] = {flag, at->ins, at->entry->inst, at->entry->thread, at->order, at->held};
	u32 *known = map_at(f->arena, &f->write_of, hash_bytes(key, sizeof key));
	const Ins *ins = ir_ins(f->ir, at->ins);
	FlagWrite w = {.flag = flag,
		       .ins = at->ins,
		       .thread = at->entry->thread,
		       .order = at->order,
		       .held = at->held};

	if (!*known) {
		w.rmw = ((ins->op == OP_RMW || ins->op == OP_CAS) && ins->order != ORDER_PLAIN) ||
			ins->op == OP_AWAIT || ins->op == OP_SIGNAL;
		w.release =
		    ins->op == OP_SIGNAL || (ins->op != OP_AWAIT && order_releases(ins->order));
		vec_push(f->arena, &f->writes, w);
		*known = f->writes.n;
		f->changed = true;
	}
	return &f->writes.at[*known - 1];
}

/* The states that come of `from` where a thread sets one of the values. */
static Known
changed(u32 from, u8 values)
{
	Known out = 0;

	for (u32 v = 0; v < VALUES; v++)
		if (values >> v & 1)
			out |= (Known)(1u << (v == from / 2 ? from : 2 * v + 1));
	if (from / 2 == ANY && values >> ANY & 1)
		out |= (Known)(1u << (2 * ANY + 1));
	return out;
}

/* Notes what is known of the flags where the write is done. */
static void
note_when(Flags *f, FlagWrite *w, const Known *row)
{
	for (u32 k = 0; k < f->n; k++) {
		f->changed |= (row[k] & ~w->when[k]) != 0;
		w->when[k] |= row[k];
	}
}

/* A flag, of which k is known in that row: values[v] are those that may be set where it is v. */
static Known
write_values(Flags *f, const FlagPoint *at, u32 flag, const Known *row, Known k,
	     const u8 values[VALUES])
{
	FlagWrite *w = write_at(f, at, flag);
	Known out = 0;

	note_when(f, w, row);

	for (u32 s = 0; s < 2 * VALUES; s++) {
		u8 to = values[s / 2];
		if (!(k >> s & 1) || !to)
			continue;
		f->changed |= (to & ~w->to[s]) != 0;
		w->to[s] |= to;
		out |= changed(s, to);
	}
	return out;
}

/* ---- reads ------------------------------------------------------------------------ */

static bool
sets_value(const FlagWrite *w, u32 v)
{
	for (u32 s = 0; s < 2 * VALUES; s++)
		if (w->to[s] >> v & 1 && !(w->rmw && s / 2 == v && v != ANY))
			return true;
	return false;
}

/* Does it acquire where it finds v?  An exchange that expects another value
 * does not take place. */
static bool
acquires(const Flags *f, const FlagPoint *at, u32 flag, u32 v)
{
	const Ins *ins = ir_ins(f->ir, at->ins);
	const Flag *g = &f->at[flag];
	i64 e;

	if (ins->op == OP_AWAIT || ins_acquires(ins, true) == ins_acquires(ins, false))
		return ins->op == OP_AWAIT || ins_acquires(ins, true);
	return v != ANY && flag_number(f, at->entry->inst, ins_arg(f->ir, ins, 1), 0, 0, &e) &&
	       ins_acquires(ins, g->val[v] == arith_extend((u64)e, g->width));
}

enum { NO_FLAG = UINT32_MAX };

/* Can the write be done while this is known, as far as the flags say, but for one? */
static bool
enabled(const Flags *f, const FlagWrite *w, const Known *row, u32 but)
{
	for (u32 k = 0; k < f->n; k++)
		if (k != but && !known_compatible(w->when[k], row[k]))
			return false;
	return true;
}

/* Does a load here, where the row is known, come after what gave the flag the value that it
 * finds?  What another flag keeps from being done at once is ordered by that. */
static bool
trusted(const Flags *f, const FlagPoint *at, const Known *row, u32 flag, u32 v)
{
	bool ordered = acquires(f, at, flag, v);

	for (u32 i = 0; i < f->writes.n; i++) {
		const FlagWrite *w = &f->writes.at[i];
		if (w->flag == flag && sets_value(w, v) &&
		    order_parallel(f->e->order, at->entry->thread, at->order, w->thread,
				   w->order) &&
		    !(ordered && w->release) && !locks_apart(f->e->locks, at->held, w->held) &&
		    enabled(f, w, row, flag))
			return false;
	}
	return true;
}

/* Splits s by the flag's value, which ins finds, and sets what values[v] says;
 * null: nothing. */
static void
find_value(Flags *f, FlagState *s, const FlagPoint *at, u32 flag, const u8 (*values)[VALUES])
{
	const Flag *g = &f->at[flag];
	Val dst = ir_ins(f->ir, at->ins)->dst;
	FlagState out = {.obs = dst, .still = s->still, .still_val = s->still_val}, all = *s;

	state_collapse(f, &all);
	for (u32 v = 0; v < VALUES; v++) {
		Known k = all.k[0][flag];
		Known here = trusted(f, at, all.k[0], flag, v) ? k & (Known)(3u << 2 * v) : k;
		u32 r;
		if (!(k >> 2 * v & 3))
			continue;
		if (values)
			here = write_values(f, at, flag, all.k[0], here, values[v]);
		r = state_row(&out, v == ANY ? UNLISTED : g->val[v]);
		memcpy(out.k[r], all.k[0], sizeof out.k[r]);
		out.k[r][flag] = here;
	}
	if (!dst)
		state_collapse(f, &out);
	*s = out;
}

/* ---- instructions ------------------------------------------------------------------ */

static void
step_store(Flags *f, FlagState *s, const FlagPoint *at, const Ins *ins, u32 flag)
{
	for (u32 r = 0; r < s->nrow; r++) {
		u8 to[VALUES];
		i64 v;
		u8 set = 0xff;
		if (ins->width == f->at[flag].width &&
		    flag_number(f, at->entry->inst, ins_arg(f->ir, ins, 1), s->obs, s->val[r], &v))
			set = (u8)(1u << flag_value(&f->at[flag], v));
		memset(to, set, sizeof to);
		s->k[r][flag] = write_values(f, at, flag, s->k[r], s->k[r][flag], to);
	}
}

static bool
uses_value(const Ir *ir, const Ins *ins, Val v)
{
	return ins_arg(ir, ins, 0) == v || ins_arg(ir, ins, 1) == v;
}

/* The value that a read-modify-write sets where it finds v. */
static u8
modified(Flags *f, InstId inst, const Ins *ins, const Flag *g, u32 v)
{
	i64 x, y;

	if (!flag_number(f, inst, ins_arg(f->ir, ins, ins->op == OP_CAS ? 2 : 1), 0, 0, &x))
		return 0xff;
	if (ins->op == OP_CAS || ins->sub == BIN_XCHG)
		return (u8)(1u << flag_value(g, x));
	if (v == ANY || ins->sub == BIN_FLOAT)
		return 0xff;
	y = (i64)arith_combine(ins->sub, arith_mask((u64)g->val[v], g->width),
			       arith_mask((u64)x, g->width), g->width);
	return (u8)(1u << flag_value(g, y));
}

/* The register that says whether a compare-exchange which may fail by itself
 * did what it should: the comparison and a number that can be anything. */
static Val
weak_result(const Flags *f, const FlagPoint *at, const Ins *cas)
{
	const Fn *fn = pta_fn(f->p, at->entry->inst);

	for (InsId i = at->ins + 1; i < fn->ins + fn->nins && i <= at->ins + 3; i++) {
		const Ins *ins = ir_ins(f->ir, i);
		Val x = ins->narg == 2 ? ins_arg(f->ir, ins, 0) : 0;
		InsId def = val_is_reg(x) ? fn_reg(f->ir, fn, x)->def : 0;
		if (ins->op == OP_BIN && ins->sub == BIN_AND && def > at->ins && def < i &&
		    ir_ins(f->ir, def)->op == OP_CMP &&
		    uses_value(f->ir, ir_ins(f->ir, def), cas->dst))
			return ins->dst;
	}
	return 0;
}

/* It may fail by itself: rows by whether it did not. */
static void
step_weak(Flags *f, FlagState *s, const FlagPoint *at, u32 flag, Val result, i64 e, const u8 *to)
{
	Known k, here;
	u32 v = flag_value(&f->at[flag], e), r;

	state_collapse(f, s);
	k = s->k[0][flag];
	here = v != ANY && trusted(f, at, s->k[0], flag, v) ? k & (Known)(3u << 2 * v) : k;
	s->obs = result;
	s->val[0] = 0;
	r = state_row(s, 1);
	memcpy(s->k[r], s->k[0], sizeof s->k[r]);
	s->k[r][flag] = write_values(f, at, flag, s->k[0], here, to);
}

static void
step_rmw(Flags *f, FlagState *s, const FlagPoint *at, const Ins *ins, u32 flag)
{
	const Flag *g = &f->at[flag];
	u8 values[VALUES][VALUES] = {{0}};
	i64 e = 0;
	Val weak = ins->op == OP_CAS ? weak_result(f, at, ins) : 0;
	bool sure =
	    ins->op != OP_CAS || flag_number(f, at->entry->inst, ins_arg(f->ir, ins, 1), 0, 0, &e);

	for (u32 v = 0; v < VALUES; v++) {
		u8 to = ins->width == g->width ? modified(f, at->entry->inst, ins, g, v) : 0xff;
		for (u32 from = 0; from < VALUES; from++) {
			u8 keep = (u8)(1u << from);
			values[v][from] = to;
			if (ins->op == OP_CAS && (!sure || v == ANY || from == ANY))
				values[v][from] = to | keep;
			else if (ins->op == OP_CAS && g->val[v] != arith_extend((u64)e, g->width))
				values[v][from] = keep;
		}
	}
	if (weak && sure && s->nrow && flag_value(g, e) != ANY)
		step_weak(f, s, at, flag, weak, e, values[flag_value(g, e)]);
	else
		find_value(f, s, at, flag, values);
}

/* A semaphore's count goes up. */
static void
step_post(Flags *f, FlagState *s, const FlagPoint *at, const Ins *ins, u32 flag)
{
	const Flag *g = &f->at[flag];
	u8 to[VALUES];
	i64 by = 1;
	bool known =
	    ins->narg < 2 || flag_number(f, at->entry->inst, ins_arg(f->ir, ins, 1), 0, 0, &by);

	for (u32 v = 0; v < VALUES; v++)
		to[v] = known && v != ANY ? (u8)(1u << flag_value(g, g->val[v] + by)) : 0xff;
	for (u32 r = 0; r < s->nrow; r++)
		s->k[r][flag] = write_values(f, at, flag, s->k[r], s->k[r][flag], to);
}

/* It goes down where it is not 0; so it is not 0 for whoever passes. */
static Known
taken(Flags *f, const FlagPoint *at, const Known *row, u32 flag)
{
	const Flag *g = &f->at[flag];
	Known k = row[flag], out = 0;

	for (u32 v = 0; v < VALUES; v++) {
		Known here = trusted(f, at, row, flag, v) ? k & (Known)(3u << 2 * v) : k;
		u8 to[VALUES];
		if (!(k >> 2 * v & 3) || (v != ANY && g->val[v] <= 0))
			continue;
		memset(to, v == ANY ? 0xff : 1 << flag_value(g, g->val[v] - 1), sizeof to);
		out |= write_values(f, at, flag, row, here, to);
	}
	return out;
}

static void
step_take(Flags *f, FlagState *s, const FlagPoint *at, const Ins *ins, u32 flag)
{
	bool may_fail = ins->flags & INS_TRY || (ins->cond && ins->cond != SIGN_ANY);
	FlagState passed;
	u32 r;

	state_collapse(f, s);
	passed = *s;
	if (s->nrow)
		passed.k[0][flag] = taken(f, at, s->k[0], flag);
	if (s->nrow && !passed.k[0][flag])
		passed.nrow = 0;
	if (!may_fail) {
		*s = passed;
	} else if (!ins->dst || ins->cond != SIGN_ZERO) {
		state_join(f, s, &passed);
	} else if (s->nrow && passed.nrow) {
		s->obs = passed.obs = ins->dst;
		s->val[0] = -1;
		r = state_row(s, 0);
		memcpy(s->k[r], passed.k[0], sizeof s->k[r]);
	}
}

/* ---- other memory ------------------------------------------------------------------- */

/* A write that may reach a flag, or sets it to who knows what. */
static void
step_unknown(Flags *f, FlagState *s, const FlagPoint *at, u32 flag)
{
	u8 to[VALUES];

	memset(to, 0xff, sizeof to);
	for (u32 r = 0; r < s->nrow; r++)
		s->k[r][flag] |= write_values(f, at, flag, s->k[r], s->k[r][flag], to);
}

static bool
may_touch(const Flags *f, InstId inst, const Touch *t, SlotId slot, u64 bytes)
{
	SET_FOR (it, pta_pts(f->p, inst, t->addr))
		if (pta_slot(f->p, it.x)->obj == pta_slot(f->p, slot)->obj &&
		    pta_overlap(f->p, it.x, t->size, slot, bytes))
			return true;
	return false;
}

bool
flag_touched(const Flags *f, InstId inst, const Touch *t, u32 flag)
{
	const Flag *g = &f->at[flag];

	return may_touch(f, inst, t, g->slot, g->sem ? 1 : (g->width + 7u) / 8);
}

/* An event of which it is not known of which semaphore it is. */
static void
step_any_sem(Flags *f, FlagState *s, const FlagPoint *at, Val addr)
{
	for (u32 k = 0; k < f->n; k++)
		if (f->at[k].sem &&
		    may_touch(f, at->entry->inst, &(Touch){addr, 0, 1}, f->at[k].slot, 1))
			step_unknown(f, s, at, k);
}

/* The cell that addr is for sure, if it is this activation's own. */
static SlotId
own_cell(const Flags *f, InstId inst, Val addr)
{
	const Set *pts = pta_pts(f->p, inst, addr);
	SlotId s = set_single(pts) ? set_first(pts) : 0;
	const Obj *o = s ? pta_obj(f->p, pta_slot(f->p, s)->obj) : NULL;

	if (!s || o->kind != OBJ_STACK || !pta_slot_exact(f->p, s) ||
	    threads_shared(f->t, pta_slot(f->p, s)->obj) || set_has(&f->recursive, o->inst))
		return 0;
	return s;
}

static void
drop_cell(const Flags *f, FlagState *s)
{
	s->cell = 0;
	if (!s->obs)
		state_collapse(f, s);
}

/* Goes on by what is stored to the cell, if that tells rows apart or there is
 * but one. */
static bool
keep_in_cell(const Flags *f, FlagState *s, InstId inst, Val v, SlotId cell)
{
	FlagState kept = *s;
	i64 n;

	if (s->nrow == 1 && flag_number(f, inst, v, s->obs, s->val[0], &n)) {
		if (s->cell == cell)
			drop_cell(f, s);
		s->still = cell;
		s->still_val = n;
		return true;
	}
	if (!state_observe(f, &kept, inst, v, 0, cell) || (kept.nrow == 1 && s->nrow > 1))
		return false;
	if (kept.still == cell)
		kept.still = 0;
	*s = kept;
	return true;
}

static void
step_memory(Flags *f, FlagState *s, const FlagPoint *at, const Ins *ins)
{
	InstId inst = at->entry->inst;
	Touch touch[2];
	u32 n = access_touches(f->ir, at->ins, touch);
	SlotId cell = ins->op == OP_STORE ? own_cell(f, inst, ins_arg(f->ir, ins, 0)) : 0;

	if (cell && keep_in_cell(f, s, inst, ins_arg(f->ir, ins, 1), cell))
		return;
	for (u32 i = 0; i < n; i++) {
		if (!(touch[i].flags & ACC_WRITE) || touch[i].flags & ACC_FREE)
			continue;
		for (u32 k = 0; k < f->n; k++)
			if (flag_touched(f, inst, &touch[i], k))
				step_unknown(f, s, at, k);
		if (s->still && may_touch(f, inst, &touch[i], s->still, 8))
			s->still = 0;
		if (s->cell && may_touch(f, inst, &touch[i], s->cell, 8))
			drop_cell(f, s);
	}
}

void
flag_assume(const Flags *f, FlagState *s, InstId inst, Val cond)
{
	u32 n = 0;

	for (u32 r = 0; r < s->nrow; r++) {
		i64 v;
		if (flag_number(f, inst, cond, s->obs, s->val[r], &v) && !v)
			continue;
		s->val[n] = s->val[r];
		memmove(s->k[n++], s->k[r], sizeof s->k[r]);
	}
	s->nrow = n;
}

void
flag_step(Flags *f, FlagState *s, const FlagPoint *at)
{
	const Ins *ins = ir_ins(f->ir, at->ins);
	Val a0 = ins->narg ? ins_arg(f->ir, ins, 0) : 0;
	InstId inst = at->entry->inst;
	bool event = (ins->op == OP_SIGNAL || ins->op == OP_AWAIT) && ins->sub == EVENT_SEM;
	bool access =
	    ins->op == OP_LOAD || ins->op == OP_STORE || ins->op == OP_RMW || ins->op == OP_CAS;
	u32 flag = event || access ? flag_at(f, inst, a0) : FLAGS;

	if (flag < FLAGS && f->at[flag].sem != event)
		flag = FLAGS;
	if (event && flag == FLAGS)
		step_any_sem(f, s, at, a0);
	if (flag < FLAGS && ins->op == OP_STORE)
		step_store(f, s, at, ins, flag);
	else if (flag < FLAGS && ins->op == OP_LOAD && ins->width == f->at[flag].width)
		find_value(f, s, at, flag, NULL);
	else if (flag < FLAGS && access && ins->op != OP_LOAD)
		step_rmw(f, s, at, ins, flag);
	else if (flag < FLAGS && ins->op == OP_SIGNAL)
		step_post(f, s, at, ins, flag);
	else if (flag < FLAGS && ins->op == OP_AWAIT)
		step_take(f, s, at, ins, flag);
	else if (ins->op == OP_ASSUME)
		flag_assume(f, s, inst, a0);
	else if (ins->op == OP_LOAD && s->cell && own_cell(f, inst, a0) == s->cell)
		s->obs = ins->dst;
	else if (ins->op == OP_LOAD && s->still && own_cell(f, inst, a0) == s->still) {
		state_by_still(f, s);
		s->obs = ins->dst;
	} else if (ins->op != OP_PHI && !(ins->op == OP_BIN && ins->sub == BIN_AND))
		state_forget(f, s, ins->dst); /* those two may be observed before they are done */
	if (flag == FLAGS)
		step_memory(f, s, at, ins);
}

/* ---- the others ---------------------------------------------------------------------- */

/* What a write may make of a known state of another thread. */
static Known
after_write(const FlagWrite *w, Known k)
{
	Known out = k;

	if (k == (Known)~0u) /* anything already */
		return k;
	for (u32 s = 0; s < 2 * VALUES; s++) {
		u8 to;
		if (!(k >> s & 1))
			continue;
		to = w->to[s & ~1u] | (s & 1 ? 0 : w->to[s | 1]);
		for (u32 v = 0; v < VALUES; v++)
			if (to >> v & 1 && (v != s / 2 || v == ANY))
				out |= (Known)(1u << 2 * v);
	}
	return out;
}

/* The writes that may happen while a thread is at such a point. */
static const VecU32 *
meanwhile(Flags *f, const FlagPoint *at)
{
	u32 key[] = {at->entry->thread, at->order, at->held};
	u32 *known = map_at(f->arena, &f->view_of, hash_bytes(key, sizeof key));
	FlagView *v;

	if (!*known) {
		vec_push(f->arena, &f->views, (FlagView){0});
		*known = f->views.n;
	}
	v = &f->views.at[*known - 1];
	for (; v->seen < f->writes.n; v->seen++) {
		const FlagWrite *w = &f->writes.at[v->seen];
		if (order_parallel(f->e->order, at->entry->thread, at->order, w->thread,
				   w->order) &&
		    !locks_apart(f->e->locks, at->held, w->held))
			vec_push(f->arena, &v->writes, v->seen);
	}
	return &v->writes;
}

void
flag_interfere(Flags *f, FlagState *s, const FlagPoint *at)
{
	const VecU32 *writes = meanwhile(f, at);

	for (bool again = true; again;) {
		again = false;
		for (u32 i = 0; i < writes->n; i++) {
			const FlagWrite *w = &f->writes.at[writes->at[i]];
			for (u32 r = 0; r < s->nrow; r++) {
				Known k = after_write(w, s->k[r][w->flag]);
				if (k == s->k[r][w->flag] || !enabled(f, w, s->k[r], NO_FLAG))
					continue;
				again = true;
				s->k[r][w->flag] = k;
			}
		}
	}
}
