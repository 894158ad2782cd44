/* table_fork.c - a loop that starts the functions of a table, each of them once.
 *
 *	for (i = 0; i < n; i++)
 *		pthread_create(&t[i], NULL, table[i], NULL);
 *
 * The loop is in no other one, and holds none around the fork, so that the load of the function
 * and the fork each run at most once in a round, and in the same one.  The address is that of a
 * variable and a number that each round makes greater (or less) by the same: no two rounds
 * load from the same place, unless they leave the variable, which is undefined.  Where a
 * function lies at one place of the variable only, whoever stores there, one round starts it. */
#include "conc/table_fork.h"

#include "ir/induction.h"

static const Ins *
def(const Ir *ir, const Fn *f, Val v, InsId *id)
{
	*id = val_is_reg(v) ? fn_reg(ir, f, v)->def : 0;
	return *id ? ir_ins(ir, *id) : NULL;
}

/* The instruction behind casts and copies. */
static const Ins *
made_by(const Ir *ir, const Fn *f, Val v, InsId *id)
{
	const Ins *i = def(ir, f, v, id);

	while (i && (i->op == OP_COPY || i->op == OP_CAST || i->op == OP_FILTER))
		i = def(ir, f, ins_arg(ir, i, 0), id);
	return i;
}

/* The address, without the members that it names. */
static const Ins *
element(const Ir *ir, const Fn *f, Val addr, InsId *id)
{
	const Ins *i = made_by(ir, f, addr, id);

	while (i && i->op == OP_FIELD)
		i = made_by(ir, f, ins_arg(ir, i, 0), id);
	return i;
}

/* Is the address another one in each round of the loop? */
static bool
moves(const Cfg *c, u32 loop, Val addr)
{
	const Ir *ir = c->ir;
	InsId id;
	const Ins *i = element(ir, c->fn, addr, &id);

	if (i && i->op == OP_INDEX && i->imm && val_is_const(ins_arg(ir, i, 0)))
		i = made_by(ir, c->fn, ins_arg(ir, i, 1), &id);
	return i && i->op == OP_PHI && loop_iv(c, loop, i->dst, NULL);
}

/* The only object that the address may be of, if it is a variable; else 0. */
static ObjId
variable_of(const Pta *p, InstId inst, Val addr)
{
	ObjId o = 0;

	SET_FOR (it, pta_pts(p, inst, addr)) {
		ObjId x = pta_slot(p, it.x)->obj;
		if (o && x != o)
			return 0;
		o = x;
	}
	return o && pta_obj(p, o)->kind == OBJ_GLOBAL && !pta_obj(p, o)->tls ? o : 0;
}

bool
table_forks_once(const Pta *p, Arena *a, const Edge *e)
{
	const Ir *ir = p->ir;
	const Fn *f = pta_fn(p, e->from);
	const Ins *fork = ir_ins(ir, e->ins);
	InsId id;
	const Ins *load = made_by(ir, f, ins_arg(ir, fork, 1), &id);
	Val addr = load && load->op == OP_LOAD ? ins_arg(ir, load, 0) : 0;
	ObjId table = addr ? variable_of(p, e->from, addr) : 0;
	Cfg c;
	u32 loop;

	if (!table || !pta_held_once(p, table, pta_inst(p, e->to)->fn))
		return false;
	cfg_build(&c, a, ir, f);
	loop = c.loop_of[cfg_block_of(ir, f, e->ins)];
	return loop && loop == c.loop_of[cfg_block_of(ir, f, id)] && !c.loops[loop].parent &&
	       !c.loops[loop].irreducible && moves(&c, loop, addr);
}
