/* lower.c - from a Prog's statements to IR.
 *
 * Variables become SSA values: cur[] is what each holds here, branches join
 * by phis for those that differ, a loop has phis for those its body sets.
 * Blocks must be started in the order of their ids, so the ids behind a
 * nested body are foreseen by counting its blocks. */
#include "gen.h"

typedef struct Lower {
	const Prog *prog;
	Ir *ir;
	Build b;
	FnId fns[GEN_FNS];
	Val cur[VARS];
	StrId method;    /* the virtual one */
	BlockId handler; /* of the blocks being made; 0 none */
	VecU32 handlers; /* of each block of the function, set at its end */
	u32 line;
} Lower;

static void lower_list(Lower *l, u32 first);

static const Stmt *
stmt(const Lower *l, u32 id)
{
	return &l->prog->stmts.at[id];
}

/* ---- instructions -------------------------------------------------------- */

static RegType
var_type(Var v)
{
	return v <= P1 ? RT_PTR : RT_INT;
}

static u16
var_width(Var v)
{
	return v == V0 || v == V1 ? 32 : 64;
}

/* Builds an instruction with a result. */
static Ins *
value(Lower *l, Op op, RegType rt, u16 width, u32 narg, const Val *args)
{
	Val dst = build_reg(&l->b, rt, width);
	Ins *i = build_ins(&l->b, op, narg, args);

	i->dst = dst;
	i->rt = (u8)rt;
	i->width = width;
	return i;
}

static Val
num(Lower *l, u16 width, i64 n)
{
	return ir_const_int(l->ir, width, n);
}

static Val
test(Lower *l, CmpPred pred, Val a, Val b, u16 width)
{
	Ins *i = value(l, OP_CMP, RT_INT, 1, 2, (Val[]){a, b});

	i->sub = (u8)pred;
	i->imm = width;
	return i->dst;
}

/* The value of v brought to the given width. */
static Val
resize(Lower *l, Val v, u16 width)
{
	Ins *i;

	if (width == 32)
		return v;
	i = value(l, OP_CAST, RT_INT, width, 1, (Val[]){v});
	i->sub = width < 32 ? CAST_TRUNC : CAST_ZEXT;
	i->imm = 32;
	return i->dst;
}

static Val
field(Lower *l, Val p, u32 off)
{
	Ins *i;

	if (!off)
		return p;
	i = value(l, OP_FIELD, RT_PTR, 64, 1, (Val[]){p});
	i->imm = off;
	return i->dst;
}

static Val
element(Lower *l, Val p, u8 index, u8 stride)
{
	Val v = l->cur[(index & ~INDEX_MASKED) - 1];
	Ins *i;

	if (index & INDEX_MASKED) {
		i = value(l, OP_BIN, RT_INT, 32, 2, (Val[]){v, num(l, 32, 1)});
		i->sub = BIN_AND;
		v = i->dst;
	}
	i = value(l, OP_INDEX, RT_PTR, 64, 2, (Val[]){p, v});
	i->imm = stride;
	return i->dst;
}

static Val
address(Lower *l, Place p)
{
	Val v;

	if (p.base >= BASE_P0)
		v = field(l, l->cur[p.base - BASE_P0 + P0], p.off);
	else
		v = ir_const_global(l->ir, p.base, p.off);
	return p.index ? element(l, v, p.index, p.width) : v;
}

/* ---- memory -------------------------------------------------------------- */

static void
load(Lower *l, const Stmt *s)
{
	u16 width = (u16)(s->place.width * 8);
	Val p = address(l, s->place);
	bool pointer = s->kind == ST_PLOAD;
	Ins *i = value(l, OP_LOAD, pointer ? RT_PTR : RT_INT, width, 1, (Val[]){p});
	Val v = i->dst;

	i->order = s->order;
	if (!pointer && width != 32) {
		i = value(l, OP_CAST, RT_INT, 32, 1, (Val[]){v});
		i->sub = width > 32 ? CAST_TRUNC : CAST_ZEXT;
		i->imm = width;
		v = i->dst;
	}
	l->cur[s->var] = v;
}

static void
store(Lower *l, const Stmt *s)
{
	u16 width = (u16)(s->place.width * 8);
	Val p = address(l, s->place), v;
	Ins *i;

	if (s->kind == ST_PSTORE)
		v = l->cur[s->var];
	else if (s->num >= 0)
		v = num(l, width, s->num);
	else
		v = resize(l, l->cur[s->var], width);
	i = build_ins(&l->b, OP_STORE, 2, (Val[]){p, v});
	i->width = width;
	i->order = s->order;
	i->flags = s->flags;
}

static void
update(Lower *l, const Stmt *s)
{
	Val p = address(l, s->place);
	Ins *i;

	if (s->kind == ST_RMW)
		i = value(l, OP_RMW, RT_INT, 32, 2, (Val[]){p, num(l, 32, s->num)});
	else
		i = value(l, OP_CAS, RT_INT, 32, 3, (Val[]){p, num(l, 32, 0), num(l, 32, s->num)});
	i->order = s->order;
	i->sub = s->kind != ST_RMW ? s->mode : s->mode ? BIN_XCHG : BIN_ADD;
	l->cur[s->var] = i->dst;
}

static void
bytes(Lower *l, const Stmt *s)
{
	Val p = address(l, s->place), n = num(l, 64, s->place.width);

	if (s->kind == ST_BCOPY)
		build_ins(&l->b, OP_BCOPY, 3, (Val[]){p, address(l, s->place2), n});
	else
		build_ins(&l->b, s->kind == ST_WRITEN ? OP_WRITEN : OP_READN, 2, (Val[]){p, n});
}

static void
alloc(Lower *l, const Stmt *s)
{
	Ins *i = value(l, OP_ALLOC, RT_PTR, 64, 1, (Val[]){num(l, 64, OBJECT_SIZE)});

	i->sub = s->mode;
	i->aux = s->cls; /* types are numbered as their classes */
	l->cur[s->var] = i->dst;
}

static void
pointer_set(Lower *l, const Stmt *s)
{
	l->cur[s->var] = s->num ? l->cur[s->var2] : ir_const_global(l->ir, BASE_S, 0);
}

/* ---- synchronisation ----------------------------------------------------- */

static void
lock(Lower *l, const Stmt *s)
{
	Val p = address(l, s->place);
	Ins *i;

	if (s->kind == ST_TRYLOCK) {
		i = value(l, OP_ACQUIRE, RT_INT, 32, 1, &p);
		i->cond = SIGN_ZERO;
		i->flags = s->flags | INS_TRY;
		l->cur[s->var] = i->dst;
	} else {
		i = build_ins(&l->b, s->kind == ST_LOCK ? OP_ACQUIRE : OP_RELEASE, 1, &p);
		i->cond = SIGN_ANY;
		i->flags = s->flags;
	}
	if (i->op == OP_ACQUIRE)
		i->sub = s->mode;
}

static void
fork_thread(Lower *l, const Stmt *s)
{
	Val slot = 0, args[4];
	Ins *i;

	if (s->mode == FORK_ELEMENT)
		slot = address(l, s->place2);
	else if (s->mode == FORK_GLOBAL)
		slot = ir_const_global(l->ir, BASE_HANDLE, 0);
	else if (s->mode != FORK_REGISTER) {
		i = value(l, OP_ALLOC, RT_PTR, 64, 1, (Val[]){num(l, 64, 8)});
		slot = i->dst;
	}
	args[0] = slot;
	args[1] = ir_const_fn(l->ir, l->fns[s->fn]);
	args[2] = address(l, s->place);
	args[3] = s->num ? num(l, 32, s->num - 1) : l->cur[s->var2];
	if (slot) {
		i = value(l, OP_FORK, RT_INT, 32, 4, args);
		i->cond = s->mode == FORK_MAY_FAIL ? SIGN_ZERO : SIGN_ANY;
		i->width = 64; /* of the handle */
		i = value(l, OP_LOAD, RT_INT, 64, 1, &slot);
	} else {
		i = value(l, OP_FORK, RT_INT, 64, 4, args);
		i->cond = SIGN_ANY;
		i->flags = INS_HANDLE;
	}
	l->cur[s->var] = i->dst;
}

static void
join(Lower *l, const Stmt *s)
{
	Ins *i;

	if (s->kind == ST_TRYJOIN) {
		i = value(l, OP_JOIN, RT_INT, 32, 1, &l->cur[s->var]);
		i->flags = INS_TRY | s->flags;
		i->cond = SIGN_ZERO;
		l->cur[s->var2] = i->dst;
	} else {
		i = build_ins(&l->b, s->kind == ST_DETACH ? OP_DETACH : OP_JOIN, 1,
			      &l->cur[s->var]);
		i->cond = SIGN_ANY;
		i->flags = s->flags;
	}
	i->flags |= l->prog->java ? INS_RECURSIVE : 0;
}

static void
join_element(Lower *l, const Stmt *s)
{
	Val p = address(l, s->place);
	Val h = value(l, OP_LOAD, RT_INT, 64, 1, &p)->dst;

	Ins *i = build_ins(&l->b, OP_JOIN, 1, &h);

	i->cond = SIGN_ANY;
	i->flags = l->prog->java ? INS_RECURSIVE : 0;
}

static void
handle_select(Lower *l, const Stmt *s)
{
	Val c = test(l, CMP_NE, l->cur[s->var2], num(l, 32, 0), 32);
	Ins *i = value(l, OP_SELECT, RT_INT, 64, 3, (Val[]){c, l->cur[H0], l->cur[H1]});

	l->cur[s->var] = i->dst;
}

static void
event(Lower *l, const Stmt *s)
{
	bool many = s->kind == ST_SIGNAL && s->num;
	Ins *i = build_ins(&l->b, s->kind == ST_SIGNAL ? OP_SIGNAL : OP_AWAIT, many ? 2 : 1,
			   (Val[]){address(l, s->place), num(l, 32, s->num)});

	i->sub = s->mode;
	i->flags = s->flags;
}

static void
call(Lower *l, const Stmt *s)
{
	Val f = ir_const_fn(l->ir, l->fns[s->fn]), p = address(l, s->place), c;
	Ins *i;

	if (s->kind == ST_ICALL && s->mode) {
		f = value(l, OP_LOAD, RT_PTR, 64, 1, (Val[]){ir_const_global(l->ir, BASE_FP, 0)})
			->dst;
	} else if (s->kind == ST_ICALL) {
		c = test(l, CMP_NE, l->cur[s->var], num(l, 32, 0), 32);
		i = value(l, OP_SELECT, RT_PTR, 64, 3,
			  (Val[]){c, f, ir_const_fn(l->ir, l->fns[s->fn2])});
		f = i->dst;
	}
	i = build_ins(&l->b, OP_CALL, 3, (Val[]){f, p, l->cur[s->var]});
	i->sub = s->kind == ST_VCALL ? CALL_VIRTUAL : CALL_PLAIN;
	i->aux = s->kind == ST_VCALL ? l->method : 0;
	i->flags = l->prog->java ? INS_THROWS : 0;
}

static void
set_function(Lower *l, const Stmt *s)
{
	Val at = ir_const_global(l->ir, BASE_FP, 0);

	build_ins(&l->b, OP_STORE, 2, (Val[]){at, ir_const_fn(l->ir, l->fns[s->fn])})->width = 64;
}

/* var = var2 mode num */
static void
calculate(Lower *l, const Stmt *s)
{
	Val args[] = {l->cur[s->var2], num(l, 32, s->num)};
	Ins *i = value(l, OP_BIN, RT_INT, 32, 2, args);

	i->sub = s->mode;
	l->cur[s->var] = i->dst;
}

/* ---- control ------------------------------------------------------------- */

static u32
count_blocks(const Lower *l, u32 first)
{
	u32 n = 0;

	for (u32 id = first; id; id = stmt(l, id)->next) {
		const Stmt *s = stmt(l, id);
		u32 inner;

		if (s->gone)
			continue;
		inner = count_blocks(l, s->body) + count_blocks(l, s->other);
		if (s->flat)
			n += inner;
		else if (s->kind == ST_IF || s->kind == ST_IFP || s->kind == ST_LOOP ||
			 s->kind == ST_SYNC || s->kind == ST_TRY)
			n += inner + 3;
		else if (s->kind == ST_RETIF || s->kind == ST_EXIT || s->kind == ST_TEXIT ||
			 s->kind == ST_THROW)
			n += 2;
	}
	return n;
}

static void
start_block(Lower *l)
{
	build_block_start(&l->b, build_block_new(&l->b));
	vec_push(l->ir->arena, &l->handlers, l->handler);
}

static void
jump(Lower *l, BlockId to)
{
	build_term(&l->b, OP_BR, 0, NULL, 1, &to);
}

static void
branch(Lower *l, Val cond, BlockId yes, BlockId no)
{
	build_term(&l->b, OP_CBR, 1, &cond, 2, (BlockId[]){yes, no});
}

static Val
condition(Lower *l, const Stmt *s)
{
	if (s->kind == ST_IFP)
		return test(l, CMP_NE, l->cur[s->var], ir_const_null(l->ir), 64);
	return test(l, s->num ? CMP_EQ : CMP_NE, l->cur[s->var], num(l, 32, 0), 32);
}

static void
lower_if(Lower *l, const Stmt *s)
{
	BlockId yes = l->b.cur + 1, no, end, from_yes, from_no;
	Val mine[VARS];

	no = yes + 1 + count_blocks(l, s->body);
	end = no + 1 + count_blocks(l, s->other);
	branch(l, condition(l, s), yes, no);
	for (Var v = 0; v < VARS; v++)
		mine[v] = l->cur[v];
	start_block(l);
	lower_list(l, s->body);
	from_yes = l->b.cur;
	jump(l, end);
	for (Var v = 0; v < VARS; v++) {
		Val yes_value = l->cur[v];
		l->cur[v] = mine[v];
		mine[v] = yes_value;
	}
	start_block(l);
	lower_list(l, s->other);
	from_no = l->b.cur;
	jump(l, end);
	start_block(l);
	for (Var v = 0; v < VARS; v++)
		if (mine[v] != l->cur[v])
			l->cur[v] = value(l, OP_PHI, var_type(v), var_width(v), 4,
					  (Val[]){from_yes, mine[v], from_no, l->cur[v]})
					->dst;
}

/* The variables that a list may set, as bits. */
static u32
sets(const Lower *l, u32 first)
{
	u32 set = 0;

	for (u32 id = first; id; id = stmt(l, id)->next) {
		const Stmt *s = stmt(l, id);
		if (!s->gone)
			set |= 1u << s->var | 1u << s->var2 | sets(l, s->body) | sets(l, s->other);
	}
	return set;
}

/* A phi of the value before the loop and of next, which the body's end sets. */
static Val
loop_phi(Lower *l, Var v, Val first, BlockId before, BlockId back, Val *next)
{
	*next = build_reg(&l->b, var_type(v), var_width(v));
	return value(l, OP_PHI, var_type(v), var_width(v), 4, (Val[]){before, first, back, *next})
	    ->dst;
}

static void
copy_to(Lower *l, Var v, Val dst, Val from)
{
	Ins *i = build_ins(&l->b, OP_COPY, 1, &from);

	i->dst = dst;
	i->rt = (u8)var_type(v);
	i->width = var_width(v);
}

static void
lower_loop(Lower *l, const Stmt *s)
{
	BlockId before = l->b.cur, head = before + 1, back = head + 1 + count_blocks(l, s->body);
	u32 set = sets(l, s->body);
	Val at_head[VARS], next[VARS], counter, next_counter;
	Ins *i;

	jump(l, head);
	start_block(l);
	counter = loop_phi(l, V0, num(l, 32, 0), before, back, &next_counter);
	for (Var v = 0; v < VARS; v++)
		if (set >> v & 1)
			l->cur[v] = loop_phi(l, v, l->cur[v], before, back, &next[v]);
	for (Var v = 0; v < VARS; v++)
		at_head[v] = l->cur[v];
	branch(l, test(l, CMP_SLT, counter, num(l, 32, s->num), 32), head + 1, back + 1);
	start_block(l);
	if (s->mode)
		l->cur[s->var] = counter;
	lower_list(l, s->body);
	for (Var v = 0; v < VARS; v++)
		if (set >> v & 1)
			copy_to(l, v, next[v], l->cur[v]);
	i = build_ins(&l->b, OP_BIN, 2, (Val[]){counter, num(l, 32, 1)});
	*i = (Ins){.op = OP_BIN,
		   .sub = BIN_ADD,
		   .rt = RT_INT,
		   .width = 32,
		   .dst = next_counter,
		   .arg = i->arg,
		   .narg = 2,
		   .src = i->src,
		   .site = i->site};
	assert(l->b.cur == back);
	jump(l, head);
	start_block(l);
	for (Var v = 0; v < VARS; v++)
		l->cur[v] = at_head[v];
}

/* A body with a handler, under a monitor or not; the handler knows the
 * variables as they were before, and goes on or throws again. */
static void
lower_try(Lower *l, const Stmt *s)
{
	BlockId outer = l->handler, handler, end, from_body, from_handler;
	bool sync = s->kind == ST_SYNC, goes_on = !sync || s->num;
	Stmt lock_it = {.kind = ST_LOCK, .place = s->place, .flags = INS_RECURSIVE};
	Stmt unlock = {.kind = ST_UNLOCK, .place = s->place, .flags = INS_RECURSIVE};
	Val before[VARS], after[VARS];

	handler = l->b.cur + 2 + count_blocks(l, s->body);
	end = handler + 1 + count_blocks(l, s->other);
	if (sync)
		lock(l, &lock_it);
	for (Var v = 0; v < VARS; v++)
		before[v] = l->cur[v];
	jump(l, l->b.cur + 1);
	l->handler = handler;
	start_block(l);
	lower_list(l, s->body);
	for (Var v = 0; v < VARS; v++) {
		after[v] = l->cur[v];
		l->cur[v] = before[v];
	}
	if (sync)
		lock(l, &unlock);
	from_body = l->b.cur;
	jump(l, end);
	l->handler = outer;
	start_block(l);
	assert(l->b.cur == handler);
	lower_list(l, s->other);
	if (sync)
		lock(l, &unlock);
	from_handler = l->b.cur;
	if (goes_on)
		jump(l, end);
	else
		build_term(&l->b, OP_THROW, 0, NULL, 0, NULL);
	start_block(l);
	assert(l->b.cur == end);
	for (Var v = 0; v < VARS; v++)
		if (!goes_on)
			l->cur[v] = after[v];
		else if (after[v] != l->cur[v])
			l->cur[v] = value(l, OP_PHI, var_type(v), var_width(v), 4,
					  (Val[]){from_body, after[v], from_handler, l->cur[v]})
					->dst;
}

static void
construct(Lower *l, const Stmt *s)
{
	Ins *i;

	alloc(l, s);
	i = build_ins(&l->b, OP_CALL, 3,
		      (Val[]){ir_const_fn(l->ir, l->fns[s->fn]), l->cur[s->var], l->cur[V0]});
	i->sub = CALL_PLAIN;
	i->flags = INS_THROWS;
}

/* return, exit, texit or throw, if the variable is not zero */
static void
lower_leave(Lower *l, const Stmt *s)
{
	static const Op ops[ST_COUNT] = {
	    [ST_RETIF] = OP_RET, [ST_EXIT] = OP_EXIT, [ST_TEXIT] = OP_TEXIT, [ST_THROW] = OP_THROW};

	branch(l, condition(l, s), l->b.cur + 1, l->b.cur + 2);
	start_block(l);
	build_term(&l->b, ops[s->kind], 0, NULL, 0, NULL);
	start_block(l);
}

/* ---- statements ---------------------------------------------------------- */

static void
lower_stmt(Lower *l, const Stmt *s)
{
	switch ((StmtKind)s->kind) {
	case ST_LOAD:
	case ST_PLOAD: load(l, s); break;
	case ST_STORE:
	case ST_PSTORE: store(l, s); break;
	case ST_RMW:
	case ST_CAS: update(l, s); break;
	case ST_BCOPY:
	case ST_WRITEN:
	case ST_READN: bytes(l, s); break;
	case ST_ALLOC: alloc(l, s); break;
	case ST_FREE: build_ins(&l->b, OP_FREE, 1, &l->cur[s->var]); break;
	case ST_PSET: pointer_set(l, s); break;
	case ST_LOCK:
	case ST_TRYLOCK:
	case ST_UNLOCK: lock(l, s); break;
	case ST_CALL:
	case ST_VCALL:
	case ST_ICALL: call(l, s); break;
	case ST_FORK: fork_thread(l, s); break;
	case ST_JOIN:
	case ST_TRYJOIN:
	case ST_DETACH: join(l, s); break;
	case ST_JOINAT: join_element(l, s); break;
	case ST_FPSET: set_function(l, s); break;
	case ST_HSELECT: handle_select(l, s); break;
	case ST_HLOAD:
		l->cur[s->var] = value(l, OP_LOAD, RT_INT, 64, 1,
				       (Val[]){ir_const_global(l->ir, BASE_HANDLE, 0)})
				     ->dst;
		break;
	case ST_NONDET: l->cur[s->var] = value(l, OP_NONDET, RT_INT, 32, 0, NULL)->dst; break;
	case ST_IF:
	case ST_IFP: lower_if(l, s); break;
	case ST_LOOP: lower_loop(l, s); break;
	case ST_RETIF:
	case ST_EXIT:
	case ST_THROW:
	case ST_TEXIT: lower_leave(l, s); break;
	case ST_SYNC:
	case ST_TRY: lower_try(l, s); break;
	case ST_CINIT: build_ins(&l->b, OP_CINIT, 0, NULL)->aux = s->cls; break;
	case ST_NEW: construct(l, s); break;
	case ST_SIGNAL:
	case ST_AWAIT: event(l, s); break;
	case ST_FENCE: build_ins(&l->b, OP_FENCE, 0, NULL)->order = s->order; break;
	case ST_ASSUME: build_ins(&l->b, OP_ASSUME, 1, (Val[]){condition(l, s)}); break;
	case ST_CALC: calculate(l, s); break;
	case ST_COUNT: assert(!"a statement");
	}
}

static void
lower_list(Lower *l, u32 first)
{
	for (u32 id = first; id; id = stmt(l, id)->next) {
		const Stmt *s = stmt(l, id);
		if (s->gone)
			continue;
		l->b.src = ir_src(l->ir, intern_str(&l->ir->strs, "random.c"), ++l->line, 1);
		if (s->flat) {
			lower_list(l, s->body);
			lower_list(l, s->other);
		} else {
			lower_stmt(l, s);
		}
	}
}

static void
lower_fn(Lower *l, u32 f)
{
	bool has_params = l->ir->fns.at[l->fns[f]].nparam > 0;

	build_begin(&l->b, l->ir, l->fns[f]);
	if (has_params) {
		l->ir->regs.at[l->ir->fns.at[l->fns[f]].reg + 1] = (Reg){.rt = RT_PTR, .width = 64};
		l->ir->regs.at[l->ir->fns.at[l->fns[f]].reg + 2] = (Reg){.rt = RT_INT, .width = 32};
	}
	l->cur[P0] = has_params ? 1 : ir_const_global(l->ir, BASE_S, 0);
	l->cur[P1] = ir_const_global(l->ir, BASE_S, 0);
	l->cur[V0] = has_params ? 2 : num(l, 32, 0);
	l->cur[V1] = num(l, 32, 1);
	l->cur[H0] = l->cur[H1] = num(l, 64, 0);
	l->handlers.n = 0;
	start_block(l);
	lower_list(l, l->prog->fns[f].body);
	build_term(&l->b, OP_RET, 0, NULL, 0, NULL);
	for (u32 k = 0; k < l->handlers.n; k++)
		if (l->handlers.at[k])
			build_block_exc(&l->b, k + 1, l->handlers.at[k]);
	build_end(&l->b);
}

static void
make_globals(Ir *ir)
{
	static const struct {
		const char *name;
		u32 size;
	} table[] = {
#define X(id, text, bytes) {text, bytes},
	    GEN_GLOBALS(X)
#undef X
	};

	for (u32 g = 0; g < COUNT(table); g++)
		vec_push(ir->arena, &ir->globals,
			 (Global){.name = intern_str(&ir->strs, table[g].name),
				  .size = table[g].size,
				  .linkage = LINK_INTERNAL,
				  .tls = g + 1 == BASE_TLS});
}

/* Classes, and types with their names and numbers for what is allocated. */
static void
make_classes(Lower *l)
{
	static const char *const names[] = {"P", "Q", "K", "L"};
	Ir *ir = l->ir;
	u32 helper = 0, init = 0;

	l->method = intern_str(&ir->strs, "m(I)V");
	for (ClassId c = CLASS_P; c <= CLASS_L; c++) {
		StrId name = intern_str(&ir->strs, names[c - 1]);
		Class k = {.name = name, .super = c == CLASS_Q ? CLASS_P : 0};
		FnKind kind = c <= CLASS_Q ? FN_HELPER : FN_INIT;
		u32 *from = c <= CLASS_Q ? &helper : &init;

		while (l->prog->fns[*from].kind != kind)
			++*from;
		k.method = ir->refs.n;
		k.nmethod = 1;
		k.cinit = kind == FN_INIT ? l->fns[*from] : 0;
		ir->fns.at[l->fns[*from]].class = c;
		ir->fns.at[l->fns[*from]].flags = kind == FN_INIT ? FN_CINIT : 0;
		vec_push(ir->arena, &ir->refs, l->fns[(*from)++]);
		vec_push(ir->arena, &ir->classes, k);
		vec_push(ir->arena, &ir->types,
			 (Type){.kind = TYPE_CLASS, .name = name, .size = OBJECT_SIZE});
	}
}

/* Initialisers have no parameters, like main. */
static u32
count_params(FnKind kind)
{
	return kind == FN_MAIN || kind == FN_INIT ? 0 : 2;
}

FnId
gen_lower(const Prog *p, Ir *ir)
{
	Lower l = {.prog = p, .ir = ir};

	make_globals(ir);
	for (u32 f = 0; f < p->nfn; f++) {
		l.fns[f] = ir->fns.n;
		vec_push(ir->arena, &ir->fns,
			 (Fn){.name = intern_str(&ir->strs, p->fns[f].name),
			      .linkage = LINK_EXTERNAL,
			      .ret = RT_VOID,
			      .flags = p->fns[f].kind == FN_MAKER ? FN_CONSTRUCTOR : 0,
			      .nparam = count_params(p->fns[f].kind)});
	}
	make_classes(&l);
	for (u32 f = 0; f < p->nfn; f++)
		lower_fn(&l, f);
	return l.fns[0];
}
