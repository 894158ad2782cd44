/* serial.c - threads that make the program's call one after the other.
 *
 * `fork f(x) in turn` is one thread in which the library calls f(x) again and
 * again, as an interrupt's handler; `fork f(x) holding lock` one that holds the
 * lock meanwhile, as a piece of work that never runs twice at once.  Each site
 * has a function of its own for that, so that callbacks keep their arguments:
 *
 *	serial(f, x..., lock): acquire lock; call f(x...); release lock
 *
 * A lock that is one of the arguments (a timer that its function gets) is
 * acquired as that, so that f is seen to hold a lock at a known distance from
 * what it reaches, whatever objects there are. */
#include "model/effect_int.h"

FnId
serial_fn(Emit *e, const Effect *f, bool locked, u32 n, const Val *args)
{
	Apply *x = e->x;
	FnId fn = x->out->fns.n;
	Serial s = {f, fn, locked, 0, arena_array(x->out->arena, Reg, n)};
	const Const *c = val_is_const(args[0]) ? ir_const(x->out, args[0]) : NULL;
	const Fn *callee = c && c->kind == CONST_FN ? &x->out->fns.at[c->ref] : NULL;
	const char *name = arena_printf(x->out->arena, CELL_PREFIX "serial.%u", fn);
	StrId id = intern_str(&x->out->strs, name);
	StrId pretty = !callee ? 0 : callee->pretty ? callee->pretty : callee->name;

	for (u32 k = 0; k < n; k++) {
		s.params[k].rt = (u8)effect_type_of(e, args[k]);
		s.params[k].width = effect_width_of(e, args[k]);
		if (locked && k && k < n - 1 && args[k] == args[n - 1])
			s.same = k;
	}
	vec_push(x->out->arena, &x->out->fns,
		 (Fn){.name = id,
		      .pretty = pretty, /* callee is gone once the table grows */
		      .linkage = LINK_INTERNAL,
		      .nparam = n,
		      .src = e->b->src,
		      .flags = FN_SYNTHETIC});
	vec_push(x->out->arena, &x->serials, s);
	return fn;
}

static void
build(Apply *x, const Serial *s)
{
	u32 n = x->out->fns.at[s->fn].nparam, ncall = n - s->locked;
	Val *args = arena_array(x->out->arena, Val, n), *lock = args + (s->same ? s->same : n - 1);
	Build b;
	Emit e = {.x = x, .b = &b};

	build_begin(&b, x->out, s->fn);
	for (u32 k = 0; k < n; k++) {
		build_param(&b, k, (RegType)s->params[k].rt, s->params[k].width, 0);
		args[k] = k + 1;
	}
	b.src = x->out->fns.at[s->fn].src;
	build_block_start(&b, build_block_new(&b));
	if (s->locked)
		effect_ins(&e, OP_ACQUIRE, 1, lock)->sub = LOCK_WRITE;
	effect_ins(&e, OP_CALL, ncall, args)->sub = s->effect->in_turn ? CALL_REPEAT : CALL_PLAIN;
	if (s->locked)
		effect_ins(&e, OP_RELEASE, 1, lock);
	build_term(&b, OP_RET, 0, NULL, 0, NULL);
	build_end(&b);
}

void
serial_finish(Apply *x)
{
	for (u32 k = 0; k < x->serials.n; k++)
		build(x, &x->serials.at[k]);
}
