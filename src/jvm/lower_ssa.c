/* lower_ssa.c - the second mode: instructions in SSA form.
 *
 * Nodes are emitted in reverse postorder.  Where all predecessors came before,
 * a live place gets a phi only if their values differ; where one is still to
 * come (a loop), it always does, and phis that turn out to have one value are
 * replaced by it at the end (after Braun et al., "Simple and efficient
 * construction of SSA form").  A local that a handler reads keeps one value
 * from the first throwing instruction of a block to its end: local_set starts a
 * new block otherwise.  Registers and blocks are numbered in order of emission,
 * so equal bytecode gives equal IR. */
#include "jvm/lower_int.h"

#include <string.h>

enum { PASSES = 16, NAMES_TRIED = 64, MAX_VALUES = 1 << 25 };

static RegType
kind_rt(u8 k)
{
	return kind_is_ref(k) ? RT_PTR : k == K_FLOAT || k == K_DOUBLE ? RT_FLOAT : RT_INT;
}

static u16
kind_width(u8 k)
{
	return k == K_INT || k == K_FLOAT ? 32 : 64;
}

/* ---- instructions ------------------------------------------------------- */

static Val
new_reg(Lower *l, RegType rt, u16 width)
{
	vec_push(&l->a, &l->regs, (Reg){.rt = (u8)rt, .width = width});
	vec_push(&l->a, &l->lengths, 0);
	return l->regs.n - 1;
}

Ins *
emit_op(Lower *l, Op op, u32 narg, const Val *args)
{
	Ins i = {.op = (u8)op, .narg = narg, .arg = l->args.n, .src = l->src};

	if (!l->emit) {
		l->sink = i;
		return &l->sink;
	}
	i.site = l->nodes.at[l->node].dispatch ? 0 : l->pc + 1;
	for (u32 k = 0; k < narg; k++)
		vec_push(&l->a, &l->args, args[k]);
	vec_push(&l->a, &l->ins, i);
	return &l->ins.at[l->ins.n - 1];
}

Val
emit_dst(Lower *l, Ins *i, RegType rt, u16 width)
{
	i->rt = (u8)rt;
	i->width = width;
	return l->emit ? (i->dst = new_reg(l, rt, width)) : 0;
}

/* Gives v the name that local has from `at` on. */
void
ssa_name(Lower *l, Val v, u32 local, u32 at)
{
	u32 tried = 0;

	if (!val_is_reg(v) || l->regs.at[v].name)
		return;
	lower_spend(l, l->code.nlocal);
	for (u32 k = 0; k < l->code.nlocal && tried < NAMES_TRIED; k++) {
		const JLocal *n = &l->code.locals[k];
		if (n->slot != local)
			continue;
		tried++;
		if (at >= n->from && at - n->from < n->len) {
			l->regs.at[v].name = intern_bytes(&l->ir->strs, n->name.at, n->name.n);
			return;
		}
	}
}

/* ---- blocks and edges --------------------------------------------------- */

static void
begin_block(Lower *l, u32 node, bool first)
{
	vec_push(&l->a, &l->blocks,
		 (LBlock){.ins = l->ins.n, .node = node, .first = first, .to = l->targets.n});
	l->throwing = false;
}

static void
add_edge(Lower *l, u32 to, const Slot *vals)
{
	Node *n = &l->nodes.at[to];
	u32 block = l->blocks.n - 1;

	if (n->edge && l->edges.at[n->edge].block == block)
		return; /* a branch that names it twice */
	vec_push(&l->a, &l->edges, (InEdge){n->edge, block, vals});
	n->edge = l->edges.n - 1;
}

static const Slot *
snapshot(Lower *l, u32 depth)
{
	Slot *s = arena_array(&l->a, Slot, l->nlocal + depth + 1);

	l->room += l->nlocal + depth + 1;
	if (l->room > MAX_VALUES)
		lower_fail(l, "the body is too large");
	memcpy(s, l->local, l->nlocal * sizeof *s);
	memcpy(s + l->nlocal, l->stack, depth * sizeof *s);
	return s;
}

void
ssa_end(Lower *l, Op op, u32 narg, const Val *args, u32 nto, const u32 *to)
{
	u32 exc = l->throwing ? l->nodes.at[l->node].exc : 0;
	LBlock *b;
	const Slot *vals = nto || exc ? snapshot(l, l->depth) : NULL;

	emit_op(l, op, narg, args);
	b = &l->blocks.at[l->blocks.n - 1];
	b->nins = l->ins.n - b->ins;
	b->to = l->targets.n;
	b->nto = nto;
	b->exc = exc;
	for (u32 k = 0; k < nto; k++) {
		vec_push(&l->a, &l->targets, to[k]);
		if (!(to[k] & TO_BLOCK))
			add_edge(l, to[k], vals);
	}
	if (exc)
		add_edge(l, exc, vals);
}

void
ssa_split(Lower *l)
{
	u32 next = TO_BLOCK | l->blocks.n;

	ssa_end(l, OP_BR, 0, NULL, 1, &next);
	begin_block(l, l->node, false);
}

void
ssa_entered(Lower *l)
{
	if (!l->entering)
		return;
	l->entering = false;
	l->inited_everywhere = l->inited.n;
	l->used_everywhere = l->used.n;
}

/* Only this block leads there, and its exceptions so far go where those of the
 * node go. */
bool
ssa_merge(Lower *l, u32 to)
{
	const Node *n = &l->nodes.at[to];

	if (n->npred != 1 || to == 1 || (l->throwing && l->nodes.at[l->node].exc != n->exc))
		return false;
	l->merged = to;
	return true;
}

/* ---- nodes -------------------------------------------------------------- */

static Val
new_phi(Lower *l, u32 node, u32 slot, u8 kind)
{
	Val r = new_reg(l, kind_rt(kind), kind_width(kind));

	vec_push(&l->a, &l->phis, (Phi){r, node, slot});
	l->nodes.at[node].nphi++;
	return r;
}

/* What a place holds at the node's start. */
static Slot
join(Lower *l, u32 node, u32 slot)
{
	const Node *n = &l->nodes.at[node];
	Slot s = {n->in[slot].kind, 0};
	bool differ = n->back;

	if (s.kind == K_RET)
		return n->in[slot];
	if (!s.kind || (slot < l->nlocal && !node_live(n, slot)))
		return (Slot){0};
	assert(n->edge);
	s.v = l->edges.at[n->edge].vals[slot].v;
	for (u32 e = n->edge; e && !differ; e = l->edges.at[e].next)
		differ = l->edges.at[e].vals[slot].v != s.v;
	if (differ) {
		s.v = new_phi(l, node, slot, s.kind);
		if (slot < l->nlocal)
			ssa_name(l, s.v, slot, n->at);
	}
	return s;
}

static void
start_node(Lower *l, u32 id)
{
	Node *n = &l->nodes.at[id];

	l->node = id;
	l->ended = false;
	n->done = true;
	n->block = l->blocks.n;
	n->phi = l->phis.n;
	begin_block(l, id, true);
	for (u32 k = 0; k < l->nlocal; k++)
		l->local[k] = join(l, id, k);
	l->depth = n->depth;
	for (u32 k = 0; k < n->depth; k++)
		l->stack[k] = join(l, id, l->nlocal + k);
	l->inited.n = l->inited_everywhere;
	l->used.n = l->used_everywhere;
}

/* Tests the exception's class against each handler's, in their order. */
static void
emit_dispatch(Lower *l, const Node *n)
{
	HandlerList h = l->lists.at[n->list];
	Ins *i;
	Val e, is;

	if (h.n) {
		l->pc = l->clauses.at[h.first].target;
		step_position(l);
	}
	i = emit_op(l, OP_NONDET, 0, NULL);
	i->sub = 2;
	e = emit_dst(l, i, RT_PTR, 64);
	l->stack[0] = (Slot){K_OBJ, e};
	l->depth = 1;
	for (u32 k = 0; k < h.n; k++) {
		Clause c = l->clauses.at[h.first + k];
		u32 to[2] = {TO_BLOCK | l->blocks.n, TO_BLOCK | (l->blocks.n + 1)};
		u32 handler = flow_node(l, c.target, n->ctx);
		ClassId class;
		l->stack[0].v = e;
		if (!c.type) {
			flow_end(l, OP_BR, 0, NULL, 1, &handler);
			return;
		}
		class = unit_cp_class(l->u, l->c, c.type);
		unit_ref_class(l->u, JVM_REF_CLASS, class);
		i = emit_op(l, OP_FILTER, 1, &e);
		i->sub = 1;
		i->aux = class;
		is = emit_dst(l, i, RT_INT, 32);
		ssa_end(l, OP_CBR, 1, &is, 2, to);
		begin_block(l, l->node, false);
		i = emit_op(l, OP_FILTER, 1, &e);
		i->sub = 2;
		i->aux = class;
		l->stack[0].v = emit_dst(l, i, RT_PTR, 64);
		ssa_end(l, OP_BR, 0, NULL, 1, &handler);
		begin_block(l, l->node, false);
	}
	if (l->lock)
		emit_op(l, OP_RELEASE, 1, &l->lock)->flags = INS_RECURSIVE;
	ssa_end(l, OP_THROW, 1, &e, 0, NULL);
}

/* ---- the beginning ------------------------------------------------------ */

static void
enter_params(Lower *l)
{
	u32 at = 0, slot = 0;
	JStr d;

	memset(l->local, 0, l->nlocal * sizeof *l->local);
	if (!(l->m->flags & ACC_STATIC)) {
		l->local[slot] = (Slot){K_OBJ, new_reg(l, RT_PTR, 64)};
		l->regs.at[1].name = intern_str(&l->ir->strs, "this");
		slot++;
	}
	while ((d = name_next_param(l->m->desc, &at)).n) {
		l->local[slot] =
		    (Slot){(u8)desc_kind(*d.at), new_reg(l, desc_rt(*d.at), desc_width(*d.at))};
		ssa_name(l, l->local[slot].v, slot, 0);
		slot += kind_is_wide(l->local[slot].kind) ? 2 : 1;
	}
}

static void
begin_function(Lower *l)
{
	ClassId super = l->ir->classes.at[l->class].super;

	enter_params(l);
	if (l->m->flags & ACC_SYNCHRONIZED) {
		l->lock = l->m->flags & ACC_STATIC ? ir_const_class(l->ir, l->class) : 1;
		emit_op(l, OP_ACQUIRE, 1, &l->lock)->flags = INS_RECURSIVE;
	}
	if (jstr_is(l->m->name, "<clinit>") && super) {
		emit_op(l, OP_CINIT, 0, NULL)->aux = super;
		unit_ref_class(l->u, JVM_REF_INIT, super);
		vec_push(&l->a, &l->inited, super);
	}
}

/* A function's entry has no predecessor: where the body's has, it gets a block
 * before it. */
static void
emit_entry(Lower *l)
{
	u32 first = 1;

	l->pc = 0;
	l->node = 1;
	l->nodes.at[1].done = true;
	step_position(l);
	begin_block(l, 1, false);
	begin_function(l);
	l->depth = 0;
	if (l->nodes.at[1].back) {
		ssa_end(l, OP_BR, 0, NULL, 1, &first);
		start_node(l, 1);
	} else {
		l->nodes.at[1].block = 1;
		l->ended = false;
	}
}

/* Emits l->node, which has been started, and those that go on in its blocks. */
static void
emit_chain(Lower *l)
{
	for (;;) {
		Node n = l->nodes.at[l->node];
		l->merged = 0;
		if (n.dispatch)
			emit_dispatch(l, &n);
		else
			flow_run(l);
		if (!l->merged || l->why)
			return;
		l->node = l->merged;
		l->nodes.at[l->node].done = true;
		l->ended = false;
	}
}

bool
ssa_emit(Lower *l)
{
	l->emit = true;
	vec_push(&l->a, &l->regs, (Reg){0});
	vec_push(&l->a, &l->lengths, 0);
	vec_push(&l->a, &l->blocks, (LBlock){0});
	vec_push(&l->a, &l->edges, (InEdge){0});
	l->entering = true;
	emit_entry(l);
	emit_chain(l);
	ssa_entered(l);
	for (u32 k = 1; k < l->norder && !l->why; k++) {
		if (l->nodes.at[l->order[k]].done)
			continue;
		start_node(l, l->order[k]);
		emit_chain(l);
	}
	return !l->why;
}

/* ---- the end ------------------------------------------------------------ */

static Val
find(const Val *repl, Val v)
{
	while (val_is_reg(v) && repl[v] != v)
		v = repl[v];
	return v;
}

/* The one value that phi stands for, or 0. */
static Val
only_value(const Lower *l, const Val *repl, const Phi *p)
{
	Val same = 0;

	for (u32 e = l->nodes.at[p->node].edge; e; e = l->edges.at[e].next) {
		Val v = find(repl, l->edges.at[e].vals[p->slot].v);
		if (v == p->reg || v == same)
			continue;
		if (same)
			return 0;
		same = v;
	}
	return same;
}

static Val *
simplify(Lower *l)
{
	Val *repl = arena_array(&l->a, Val, l->regs.n);
	bool changed = true;

	for (Val r = 0; r < l->regs.n; r++)
		repl[r] = r;
	for (u32 pass = 0; changed && pass < PASSES; pass++) {
		changed = false;
		for (u32 k = 0; k < l->phis.n; k++) {
			const Phi *p = &l->phis.at[k];
			Val v = repl[p->reg] == p->reg ? only_value(l, repl, p) : 0;
			if (!v)
				continue;
			repl[p->reg] = v;
			if (val_is_reg(v) && !l->regs.at[v].name)
				l->regs.at[v].name = l->regs.at[p->reg].name;
			changed = true;
		}
	}
	return repl;
}

/* The length of an array whose making is in sight is what it was made with: the
 * field's address and the load of it, which are neighbours, go away. */
static void
forward_lengths(Lower *l, Val *repl)
{
	u32 length = unit_length(l->u);

	for (u32 k = 0; k + 1 < l->ins.n; k++) {
		Ins *at = &l->ins.at[k], *load = at + 1;
		Val array;
		if (at->op != OP_FIELD || at->aux != length || load->op != OP_LOAD)
			continue;
		array = find(repl, l->args.at[at->arg]);
		if (!val_is_reg(array) || !l->lengths.at[array])
			continue;
		repl[load->dst] = l->lengths.at[array];
		at->op = load->op = OP_NONE;
		at->narg = load->narg = at->dst = load->dst = 0;
	}
}

/* The values that something other than an unused phi reads. */
static void
mark_used(Lower *l, const Val *repl, u8 *used)
{
	VecU32 work = {0};
	u32 *phi_of = arena_array(&l->a, u32, l->regs.n);

	for (u32 k = 0; k < l->phis.n; k++)
		phi_of[l->phis.at[k].reg] = k + 1;
	for (u32 k = 0; k < l->ins.n; k++)
		for (u32 i = 0; i < l->ins.at[k].narg; i++)
			vec_push(&l->a, &work, find(repl, l->args.at[l->ins.at[k].arg + i]));
	while (work.n) {
		Val v = work.at[--work.n];
		if (!val_is_reg(v) || used[v])
			continue;
		used[v] = 1;
		if (!phi_of[v])
			continue;
		const Phi *p = &l->phis.at[phi_of[v] - 1];
		for (u32 e = l->nodes.at[p->node].edge; e; e = l->edges.at[e].next)
			vec_push(&l->a, &work, find(repl, l->edges.at[e].vals[p->slot].v));
	}
}

typedef struct Final {
	Build b;
	Val *repl; /* [our register]: what stands for it */
	Val *reg;  /* [our register]: the function's, 0 none */
	u8 *used;
	VecU32 scratch;
} Final;

static Val
final_val(const Final *f, Val v)
{
	v = find(f->repl, v);
	return val_is_reg(v) ? f->reg[v] : v;
}

static bool
is_kept(const Final *f, const Phi *p)
{
	return f->repl[p->reg] == p->reg && f->used[p->reg];
}

static void
number(Lower *l, Final *f, Val r)
{
	f->reg[r] = build_reg(&f->b, l->regs.at[r].rt, l->regs.at[r].width);
	l->ir->regs.at[l->ir->fns.at[l->fn].reg + f->reg[r]].name = l->regs.at[r].name;
}

static void
number_registers(Lower *l, Final *f)
{
	u32 nparam = l->ir->fns.at[l->fn].nparam;

	for (Val r = 1; r <= nparam; r++) {
		f->reg[r] = r;
		build_param(&f->b, r - 1, l->regs.at[r].rt, l->regs.at[r].width,
			    l->regs.at[r].name);
	}
	for (u32 b = 1; b < l->blocks.n; b++) {
		const LBlock *x = &l->blocks.at[b];
		const Node *n = &l->nodes.at[x->node];
		if (!x->kept)
			continue;
		for (u32 k = n->phi; x->first && k < n->phi + n->nphi; k++)
			if (is_kept(f, &l->phis.at[k]))
				number(l, f, l->phis.at[k].reg);
		for (u32 k = x->ins; k < x->ins + x->nins; k++)
			if (l->ins.at[k].dst)
				number(l, f, l->ins.at[k].dst);
	}
}

static void
build_phi(Lower *l, Final *f, const Phi *p)
{
	Ins *i;
	const Reg *r = &l->regs.at[p->reg];

	f->scratch.n = 0;
	for (u32 e = l->nodes.at[p->node].edge; e; e = l->edges.at[e].next) {
		vec_push(&l->a, &f->scratch, l->blocks.at[l->edges.at[e].block].id);
		vec_push(&l->a, &f->scratch, final_val(f, l->edges.at[e].vals[p->slot].v));
	}
	i = build_ins(&f->b, OP_PHI, f->scratch.n, f->scratch.at);
	i->dst = f->reg[p->reg];
	i->rt = r->rt;
	i->width = r->width;
}

static void
build_one(Lower *l, Final *f, const LBlock *from, u32 k)
{
	Ins x = l->ins.at[k], *i;
	u32 arg;

	f->scratch.n = 0;
	for (u32 a = 0; a < x.narg; a++)
		vec_push(&l->a, &f->scratch, final_val(f, l->args.at[x.arg + a]));
	if (k + 1 < from->ins + from->nins) {
		i = build_ins(&f->b, x.op, x.narg, f->scratch.at);
	} else {
		BlockId *to = arena_array(&l->a, BlockId, from->nto + 1);
		for (u32 t = 0; t < from->nto; t++) {
			u32 target = l->targets.at[from->to + t];
			u32 b = target & TO_BLOCK ? target & ~TO_BLOCK : l->nodes.at[target].block;
			to[t] = l->blocks.at[b].id;
		}
		i = build_term(&f->b, x.op, x.narg, f->scratch.at, from->nto, to);
	}
	arg = i->arg;
	*i = x;
	i->arg = arg;
	i->dst = x.dst ? f->reg[x.dst] : 0;
}

static void
build_block(Lower *l, Final *f, u32 id)
{
	const LBlock *b = &l->blocks.at[id];
	const Node *n = &l->nodes.at[b->node];

	build_block_start(&f->b, b->id);
	f->b.src = l->ins.at[b->ins].src;
	for (u32 k = n->phi; b->first && k < n->phi + n->nphi; k++)
		if (is_kept(f, &l->phis.at[k]))
			build_phi(l, f, &l->phis.at[k]);
	for (u32 k = b->ins; k < b->ins + b->nins; k++)
		if (l->ins.at[k].op)
			build_one(l, f, b, k);
	if (b->exc)
		build_block_exc(&f->b, b->id, l->blocks.at[l->nodes.at[b->exc].block].id);
}

void
ssa_finish(Lower *l)
{
	Final f = {0};

	prune(l);
	f.repl = simplify(l);
	forward_lengths(l, f.repl);
	f.reg = arena_array(&l->a, Val, l->regs.n);
	f.used = arena_array(&l->a, u8, l->regs.n);
	mark_used(l, f.repl, f.used);
	build_begin(&f.b, l->ir, l->fn);
	for (u32 k = 1; k < l->blocks.n; k++)
		if (l->blocks.at[k].kept)
			build_block_new(&f.b);
	number_registers(l, &f);
	for (u32 k = 1; k < l->blocks.n; k++)
		if (l->blocks.at[k].kept)
			build_block(l, &f, k);
	build_end(&f.b);
}
