/* lower_call.c - calls by name. */
#include "jvm/lower_int.h"
#include "jvm/lower_op.h"

enum { ARGS = 257 };

static RegType
result_rt(Kind k)
{
	return kind_is_ref((u8)k) ? RT_PTR : k == K_FLOAT || k == K_DOUBLE ? RT_FLOAT : RT_INT;
}

Val
call_emit(Lower *l, u32 method, CallKind kind, JvmRefKind ref, u32 n, const Val *args)
{
	const UnitMethod *m = &l->u->methods.at[method];
	Val all[ARGS];
	Ins *i;

	flow_raise(l);
	if (!l->emit)
		return 0;
	unit_ref_method(l->u, ref, method);
	all[0] = ir_const_fn(l->ir, m->fn);
	for (u32 k = 0; k < n; k++)
		all[k + 1] = args[k];
	i = emit_op(l, OP_CALL, n + 1, all);
	i->sub = (u8)kind;
	i->aux = kind == CALL_VIRTUAL ? m->name : 0;
	i->flags = INS_THROWS;
	if (m->ret == K_NONE)
		return 0;
	return emit_dst(l, i, result_rt(m->ret),
			kind_is_wide((u8)m->ret) || m->ret == K_REF ? 64 : 32);
}

/* Pops the arguments of m, and the receiver if it has one, into args. */
static u32
pop_args(Lower *l, const UnitMethod *m, bool receiver, Val *args)
{
	for (u32 k = m->nparam; k-- > 0 && !l->why;)
		args[k + receiver] = pop(l, m->kinds[k]);
	if (receiver)
		args[0] = pop_ref(l).v;
	return m->nparam + receiver;
}

static void
invoke(Lower *l, u8 op)
{
	bool is_static = op == J_INVOKESTATIC;
	u32 id = unit_cp_method(l->u, l->c, code_u16(l->code.at + l->pc + 1), is_static), n;
	UnitMethod m = l->u->methods.at[id];
	Val args[ARGS], v = 0;

	if (!id || !m.fn || m.nparam > 255) {
		lower_fail(l, "an operand is no method");
		return;
	}
	n = pop_args(l, &m, !is_static, args);
	if (l->why)
		return;
	if (is_static) {
		memory_init(l, m.class);
		v = call_emit(l, id, CALL_PLAIN, JVM_REF_STATIC, n, args);
	} else if (op == J_INVOKESPECIAL || !handle_access(l, &m, args, &v)) {
		bool exact = op == J_INVOKESPECIAL || m.exact;
		v = call_emit(l, id, exact ? CALL_PLAIN : CALL_VIRTUAL,
			      exact ? JVM_REF_SPECIAL : JVM_REF_VIRTUAL, n, args);
	}
	if (l->emit)
		handle_made(l, &m, args, v);
	if (!is_static)
		memory_used(l, args[0]);
	if (m.ret != K_NONE)
		push(l, m.ret, v);
}

bool
call_step(Lower *l, u8 op)
{
	if (op == J_INVOKEDYNAMIC)
		indy_step(l, code_u16(l->code.at + l->pc + 1));
	else if (op >= J_INVOKEVIRTUAL && op <= J_INVOKEINTERFACE)
		invoke(l, op);
	else
		return false;
	return true;
}
