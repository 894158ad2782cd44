/* lower_step.c - one instruction: stack, locals, control and monitors here,
 * the rest in lower_arith.c, lower_memory.c and lower_call.c. */
#include "jvm/lower_int.h"
#include "jvm/lower_op.h"

/* ---- positions ---------------------------------------------------------- */

static u32
line_at(const Lower *l, u32 pc)
{
	u32 lo = 0, hi = l->code.nline;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		if (l->code.lines[mid].from <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo; /* the number of entries at or before pc */
}

void
step_position(Lower *l)
{
	const JLine *lines = l->code.lines;
	u32 n = l->code.nline, k = l->line, line;

	if (!n)
		return;
	if (!k || lines[k - 1].from > l->pc || (k < n && lines[k].from <= l->pc))
		k = l->line = line_at(l, l->pc);
	line = k ? lines[k - 1].line : 0;
	if (line == l->line_no && l->src)
		return;
	l->line_no = line;
	l->src = line ? ir_src(l->ir, l->u->classes.at[l->class].source, line, 0) : 0;
}

/* ---- the stack ---------------------------------------------------------- */

typedef struct Taken {
	Slot at[2];
	u32 n;
} Taken;

/* Pops values that take so many slots in all. */
static Taken
take(Lower *l, u32 slots)
{
	Taken t = {.n = 0};

	while (slots && !l->why) {
		Slot s = pop_any(l);
		u32 own = kind_is_wide(s.kind) ? 2 : 1;
		if (own > slots) {
			lower_fail(l, "half of a long or double is moved");
			break;
		}
		slots -= own;
		t.at[t.n++] = s;
	}
	return t;
}

static void
put(Lower *l, const Taken *t)
{
	for (u32 k = t->n; k-- > 0;)
		push(l, t->at[k].kind, t->at[k].v);
}

/* Copies the top `slots` slots below the next `under` ones. */
static void
duplicate(Lower *l, u32 slots, u32 under)
{
	Taken top = take(l, slots), next = take(l, under);

	put(l, &top);
	put(l, &next);
	put(l, &top);
}

static void
stack_step(Lower *l, u8 op)
{
	Taken a, b;

	switch (op) {
	case J_POP: take(l, 1); break;
	case J_POP2: take(l, 2); break;
	case J_DUP: duplicate(l, 1, 0); break;
	case J_DUP_X1: duplicate(l, 1, 1); break;
	case J_DUP_X2: duplicate(l, 1, 2); break;
	case J_DUP2: duplicate(l, 2, 0); break;
	case J_DUP2_X1: duplicate(l, 2, 1); break;
	case J_DUP2_X2: duplicate(l, 2, 2); break;
	default: /* swap */
		a = take(l, 1);
		b = take(l, 1);
		put(l, &a);
		put(l, &b);
	}
}

/* ---- locals ------------------------------------------------------------- */

static void
increment(Lower *l, u32 slot, i32 by)
{
	Val args[2] = {local_get(l, slot, K_INT).v, k_int(l, by)}, v;
	Ins *i = emit_op(l, OP_BIN, 2, args);

	i->sub = BIN_ADD;
	v = emit_dst(l, i, RT_INT, 32);
	local_set(l, slot, (Slot){K_INT, v});
}

static void
go_back(Lower *l, u32 slot)
{
	Slot s = local_get(l, slot, K_RET);
	u32 to;

	if (l->why)
		return;
	to = flow_node(l, l->ctxs.at[s.v].ret, l->ctxs.at[s.v].parent);
	flow_end(l, OP_BR, 0, NULL, 1, &to);
}

static void
local_step(Lower *l, LocalUse u)
{
	const u8 *code = l->code.at + l->pc;
	Slot s;

	if (u.reads && u.writes) {
		increment(l, u.slot,
			  code[0] == J_WIDE ? code_s16(code + 4) : (i32)(signed char)code[2]);
	} else if (u.kind == K_RET) {
		go_back(l, u.slot);
	} else if (u.reads) {
		s = local_get(l, u.slot, u.kind);
		push(l, s.kind, s.v);
	} else {
		s = pop_any(l);
		if (s.kind != u.kind && !(u.kind == K_REF && (s.kind == K_OBJ || s.kind == K_RET)))
			lower_fail(l, "a value of another type is stored");
		else
			local_set(l, u.slot, s);
	}
}

/* ---- control ------------------------------------------------------------ */

static u32
target(Lower *l, i32 by)
{
	return flow_node(l, l->pc + (u32)by, l->nodes.at[l->node].ctx);
}

static void
branch(Lower *l, u8 op)
{
	Val c = arith_condition(l, op);
	bool forwards = arith_forwards(l, l->pc);
	u32 to[2];

	if (l->next >= l->code.n) {
		lower_fail(l, "control runs off the end of the body");
		return;
	}
	to[forwards] = target(l, code_s16(l->code.at + l->pc + 1));
	to[!forwards] = target(l, (i32)(l->next - l->pc));
	if (to[0] == to[1])
		flow_end(l, OP_BR, 0, NULL, 1, to);
	else
		flow_end(l, OP_CBR, 1, &c, 2, to);
}

static void
call_subroutine(Lower *l, i32 by)
{
	u32 ctx, to;

	if (l->next >= l->code.n) {
		lower_fail(l, "control runs off the end of the body");
		return;
	}
	ctx = flow_ctx(l, l->nodes.at[l->node].ctx, l->next);
	if (l->why)
		return;
	push(l, K_RET, ctx);
	to = flow_node(l, l->pc + (u32)by, ctx);
	flow_end(l, OP_BR, 0, NULL, 1, &to);
}

static void
switch_step(Lower *l, u8 op)
{
	const u8 *p = l->code.at + ((l->pc + 4) & ~3u);
	bool table = op == J_TABLESWITCH;
	i64 low = code_s32(p + 4);
	u32 n = table ? (u32)(code_s32(p + 8) - low) + 1 : (u32)low;
	Val *args = arena_array(&l->a, Val, n + 1);
	u32 *to = arena_array(&l->a, u32, n + 1);

	args[0] = pop(l, K_INT);
	to[0] = target(l, code_s32(p));
	for (u32 k = 0; k < n && !l->why; k++) {
		const u8 *entry = table ? p + 12 + 4 * k : p + 8 + 8 * k;
		args[k + 1] = k_int(l, table ? low + k : code_s32(entry));
		to[k + 1] = target(l, code_s32(table ? entry : entry + 4));
	}
	if (!l->why)
		flow_end(l, n ? OP_SWITCH : OP_BR, n ? n + 1 : 0, args, n + 1, to);
}

/* Does a finalizer of the class do anything? */
static bool
has_finalizer(const ClassFile *c)
{
	for (u32 k = 0; k < c->nmethod; k++) {
		const JMember *m = &c->methods[k];
		if (jstr_is(m->name, "finalize") && jstr_is(m->desc, "()V") && m->code &&
		    !(m->flags & ACC_STATIC))
			return m->ncode < 8 || code_s32(m->code + 4) != 1;
	}
	return false;
}

/* The machine registers an object whose class has a finalizer when it is made. */
static void
register_finalizer(Lower *l)
{
	static const JStr class = {"java/lang/ref/Finalizer", 23}, name = {"register", 8},
			  desc = {"(Ljava/lang/Object;)V", 21};
	Val this = 1;

	if (!jstr_is(l->m->name, "<init>") || !has_finalizer(l->c))
		return;
	call_emit(l, unit_method(l->u, class, name, desc, true), CALL_PLAIN, JVM_REF_STATIC, 1,
		  &this);
}

static void
return_step(Lower *l, u8 op)
{
	static const u8 kinds[] = {K_INT, K_LONG, K_FLOAT, K_DOUBLE, K_REF};
	Kind want = desc_kind(*name_return(l->m->desc).at);
	Kind have = op == J_RETURN ? K_NONE : kinds[op - J_IRETURN];
	Val v = op == J_RETURN ? 0 : pop(l, have);

	if (want != have)
		lower_fail(l, "the result has another type than the method says");
	if (l->why)
		return;
	register_finalizer(l);
	if (l->lock)
		emit_op(l, OP_RELEASE, 1, &l->lock)->flags = INS_RECURSIVE;
	flow_end(l, OP_RET, op != J_RETURN, &v, 0, NULL);
}

static void
control_step(Lower *l, u8 op)
{
	const u8 *code = l->code.at + l->pc;
	u32 to;
	Val v;

	switch (op) {
	case J_GOTO:
	case J_GOTO_W:
		to = target(l, op == J_GOTO ? code_s16(code + 1) : code_s32(code + 1));
		flow_end(l, OP_BR, 0, NULL, 1, &to);
		break;
	case J_JSR: call_subroutine(l, code_s16(code + 1)); break;
	case J_JSR_W: call_subroutine(l, code_s32(code + 1)); break;
	case J_TABLESWITCH:
	case J_LOOKUPSWITCH: switch_step(l, op); break;
	case J_ATHROW:
		v = pop_ref(l).v;
		flow_raise(l);
		flow_end(l, OP_THROW, 1, &v, 0, NULL);
		break;
	default: return_step(l, op);
	}
}

/* ---- monitors ----------------------------------------------------------- */

/* Neither throws: a handler that covers its own monitorexit, as compilers
 * write them, must not lead back to itself with the lock in doubt. */
static void
monitor_step(Lower *l, u8 op)
{
	Val v = pop_ref(l).v;

	memory_used(l, v);
	emit_op(l, op == J_MONITORENTER ? OP_ACQUIRE : OP_RELEASE, 1, &v)->flags = INS_RECURSIVE;
}

/* ---- all ---------------------------------------------------------------- */

static bool
is_branch(u8 op)
{
	return (op >= J_IFEQ && op <= J_IF_ACMPNE) || op == J_IFNULL || op == J_IFNONNULL;
}

static bool
is_control(u8 op)
{
	return op == J_GOTO || op == J_JSR || (op >= J_TABLESWITCH && op <= J_RETURN) ||
	       op == J_ATHROW || op == J_GOTO_W || op == J_JSR_W;
}

void
step(Lower *l)
{
	u8 op = l->code.at[l->pc];
	LocalUse u = code_local(l->code.at, l->pc);

	if (l->emit)
		step_position(l);
	if (u.kind)
		local_step(l, u);
	else if (op == J_NOP)
		return;
	else if (op >= J_POP && op <= J_SWAP)
		stack_step(l, op);
	else if (is_branch(op))
		branch(l, op);
	else if (is_control(op))
		control_step(l, op);
	else if (op == J_MONITORENTER || op == J_MONITOREXIT)
		monitor_step(l, op);
	else if (!arith_step(l, op) && !memory_step(l, op) && !call_step(l, op))
		lower_fail(l, "an unknown instruction");
}
