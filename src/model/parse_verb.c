/* parse_verb.c - the grammar of each verb, one function each. */
#include "model/parse_int.h"

/* ---- verbs -------------------------------------------------------------- */

static void
read_plain(Parser *p, Effect *e)
{
	(void)p;
	(void)e;
}

/* recursive = "recursive" ["when" FACT] */
static void
recursive(Parser *p, Effect *e)
{
	e->recursive = rule_accept(p, "recursive");
	if (e->recursive && rule_accept(p, "when"))
		e->fact = rule_fact(p);
}

/* acquire ("write" | "read") value ["try"] [recursive] [on] */
static void
read_acquire(Parser *p, Effect *e)
{
	static const char *const modes[] = {"write", "read"};

	e->sub = (u8)rule_choose(p, modes, 2);
	e->a = rule_value(p);
	e->try = rule_accept(p, "try");
	recursive(p, e);
	rule_condition(p, e);
}

/* release value [recursive] [on] */
static void
read_release(Parser *p, Effect *e)
{
	e->a = rule_value(p);
	recursive(p, e);
	rule_condition(p, e);
}

/* ["method"]: a virtual call of it on the value before */
static void
method(Parser *p, Effect *e)
{
	if (p->failed || p->t.kind != TOK_STRING)
		return;
	e->method = arena_dup(p->m->arena, p->t.text, p->t.len);
	rule_next(p);
}

/* throws = "throws" ["when" FACT] */
static void
throws(Parser *p, Effect *e)
{
	e->throws = rule_accept(p, "throws");
	if (e->throws && rule_accept(p, "when"))
		e->fact = rule_fact(p);
}

/* fork value ["method"] "(" values ")" ["repeatedly" | "in" "turn" | "first"] ["later" | "interrupting"]
 * ["holding" value] ["named"] ["handle" (value | "result")] ["width" BITS] [on]
 * The handle is stored at the address value, or returned. */
static void
read_fork(Parser *p, Effect *e)
{
	e->a = rule_value(p);
	method(p, e);
	rule_arguments(p, e);
	if (rule_accept(p, "repeatedly")) {
		e->sub = CALL_REPEAT;
	} else if (!e->method && rule_accept(p, "in")) {
		rule_want(p, "turn");
		e->in_turn = true;
	} else if (e->method) {
		e->first = rule_accept(p, "first");
	}
	e->interrupts = !e->method && rule_accept(p, "interrupting");
	e->try = e->interrupts || rule_accept(p, "later");
	if (rule_accept(p, "holding"))
		e->c = rule_value(p);
	e->named = !e->method && rule_accept(p, "named");
	if (rule_accept(p, "handle")) {
		if (rule_at(p, "result")) {
			rule_next(p);
			e->handle = e->result = true;
		} else {
			e->b = rule_value(p);
		}
	}
	rule_bits(p, e);
	rule_condition(p, e);
}

/* join value ["result" "to" value] ["try"] ["again"] ["now"] [throws] [on] ["for" "result"]
 * again: null passes, and it may be repeated; now: it asks, and waits for nothing */
static void
read_join(Parser *p, Effect *e)
{
	e->a = rule_value(p);
	if (rule_accept(p, "result")) {
		rule_want(p, "to");
		e->b = rule_value(p);
	}
	e->try = rule_accept(p, "try");
	e->again = rule_accept(p, "again");
	e->now = rule_accept(p, "now");
	throws(p, e);
	rule_condition(p, e);
	if (!e->result && rule_accept(p, "for")) {
		rule_want(p, "result");
		e->result = e->fresh = true;
	}
}

/* detach | stop | publish | free | assume value */
static void
read_value(Parser *p, Effect *e)
{
	e->a = rule_value(p);
}

/* The kind of a task, any word, with what it is known by. */
static const Expr *
read_task(Parser *p, u32 *kind)
{
	if (p->t.kind != TOK_NAME) {
		rule_expected(p, "a kind of task");
		return NULL;
	}
	*kind = (u32)hash_bytes(p->t.text, p->t.len) & INT32_MAX;
	rule_next(p);
	return rule_value(p);
}

/* name KIND value ["and" KIND value] [on] */
static void
read_name(Parser *p, Effect *e)
{
	e->a = read_task(p, &e->kinds[0]);
	if (rule_accept(p, "and"))
		e->b = read_task(p, &e->kinds[1]);
	rule_condition(p, e);
}

/* finish KIND value */
static void
read_finish(Parser *p, Effect *e)
{
	e->a = read_task(p, &e->kinds[0]);
}

/* unwind ["further"] */
static void
read_unwind(Parser *p, Effect *e)
{
	e->one = rule_accept(p, "further");
}

/* cancel KIND value ["one"] */
static void
read_cancel(Parser *p, Effect *e)
{
	e->a = read_task(p, &e->kinds[0]);
	e->one = rule_accept(p, "one");
}

static void
event(Parser *p, Effect *e)
{
#define X(name, text) text,
	static const char *const kinds[] = {IR_EVENTS(X)};
#undef X

	e->sub = (u8)rule_choose(p, kinds, COUNT(kinds));
	e->a = rule_value(p);
}

/* signal KIND value ["times" value] */
static void
read_signal(Parser *p, Effect *e)
{
	event(p, e);
	if (rule_accept(p, "times"))
		e->b = rule_value(p);
}

/* await KIND value ["try"] [throws] [on] */
static void
read_await(Parser *p, Effect *e)
{
	event(p, e);
	e->try = rule_accept(p, "try");
	throws(p, e);
	rule_condition(p, e);
}

/* wait value "with" value [throws]: releases the second, awaits the first, acquires
 * the second again; it may always return by itself. */
static void
read_wait(Parser *p, Effect *e)
{
	e->a = rule_value(p);
	rule_want(p, "with");
	e->b = rule_value(p);
	throws(p, e);
}

/* retain value ["in" value]: kept at that address, or by code unknown to us */
static void
read_retain(Parser *p, Effect *e)
{
	e->a = rule_value(p);
	if (rule_accept(p, "in"))
		e->b = rule_value(p);
}

/* read | write size "at" value [order] */
static void
read_access(Parser *p, Effect *e)
{
	e->size = rule_size(p);
	rule_want(p, "at");
	e->a = rule_value(p);
	if (rule_at(p, "order"))
		rule_order(p, e);
}

/* copy size "from" value "to" value [order] */
static void
read_copy(Parser *p, Effect *e)
{
	e->size = rule_size(p);
	rule_want(p, "from");
	e->a = rule_value(p);
	rule_want(p, "to");
	e->b = rule_value(p);
	if (rule_at(p, "order"))
		rule_order(p, e);
}

/* ["or" ("null" | value)]: what the call may return instead */
static void
alternative(Parser *p, Effect *e)
{
	if (!rule_accept(p, "or"))
		return;
	e->or_null = rule_accept(p, "null");
	if (!e->or_null)
		e->c = rule_value(p);
}

/* allocate "class" ["to" value] | allocate size ["zeroed"] ["mapped"] ["to" value] [alternative] */
static void
read_allocate(Parser *p, Effect *e)
{
	if (!p->failed && p->t.kind == TOK_STRING) {
		e->text = arena_dup(p->m->arena, p->t.text, p->t.len);
		e->size.kind = SIZE_ANY;
		rule_next(p);
		if (rule_accept(p, "to"))
			e->a = rule_value(p);
		e->result = !e->a;
		return;
	}
	if (rule_accept(p, "like")) {
		e->b = rule_value(p);
		e->size.kind = SIZE_ANY;
		e->result = true;
		return;
	}
	e->size = rule_size(p);
	e->fresh = rule_accept(p, "zeroed");
	e->mapped = rule_accept(p, "mapped");
	if (rule_accept(p, "to"))
		e->a = rule_value(p);
	else
		e->result = true;
	if (e->a && rule_accept(p, "or"))
		rule_want(p, "null");
	else
		alternative(p, e);
}

/* channel "result" | channel "at" value ["and" value] */
static void
read_channel(Parser *p, Effect *e)
{
	e->result = rule_accept(p, "result");
	if (e->result)
		return;
	rule_want(p, "at");
	e->a = rule_value(p);
	if (rule_accept(p, "and"))
		e->b = rule_value(p);
}

/* return value [alternative] | return ("least" | "greatest") value "or" value: two signed numbers */
static void
read_return(Parser *p, Effect *e)
{
	e->result = true;
	if (rule_accept(p, "least"))
		e->which = CMP_SLT;
	else if (rule_accept(p, "greatest"))
		e->which = CMP_SGT;
	e->a = rule_value(p);
	if (e->which) {
		rule_want(p, "or");
		e->c = rule_value(p);
	} else {
		alternative(p, e);
	}
}

static void
read_result(Parser *p, Effect *e)
{
	(void)p;
	e->result = true;
}

/* Does x mean the same in every call? */
static bool
is_global(const Expr *x)
{
	while (x && x->of)
		x = x->of;
	return x && x->kind != EXPR_PARAM && x->kind != EXPR_REST && x->kind != EXPR_RESULT;
}

/* "at" "end": no call is left then whose arguments could be meant */
static void
read_at_end(Parser *p, Effect *e, const Tok *where)
{
	bool global = is_global(e->a);

	rule_want(p, "end");
	e->at_end = true;
	for (u32 k = 0; k < e->narg; k++)
		global = global && is_global(e->args[k]);
	if (!global || e->result)
		rule_complain(p, where,
			      "'at end' for a call that is not of the library's own objects");
}

/* call value ["method"] "(" values ")" ["once" | "repeatedly" | "maybe"] ["for" "result"] ["at" "end"]
 * of a method also ["to" value]: what it returns is kept at that address */
static void
read_call(Parser *p, Effect *e)
{
	Tok where = p->t;

	e->a = rule_value(p);
	method(p, e);
	rule_arguments(p, e);
	e->sub = CALL_PLAIN;
	if (rule_accept(p, "repeatedly"))
		e->sub = CALL_REPEAT;
	else if (rule_accept(p, "maybe"))
		e->sub = CALL_MAYBE;
	else
		(void)rule_accept(p, "once");
	if (rule_accept(p, "for")) {
		rule_want(p, "result");
		e->result = true;
	}
	if (rule_accept(p, "at"))
		read_at_end(p, e, &where);
	else if (e->method && rule_accept(p, "to"))
		e->b = rule_value(p);
}

/* The cell that names what `keep` and `run` speak of. */
static void
kept_in(Parser *p, Effect *e)
{
	Tok where = p->t;

	e->b = rule_value(p);
	if (e->b && e->b->kind != EXPR_CELL)
		rule_complain(p, &where, "calls are kept under the name of a global");
}

/* keep value "(" values ")" "in" GLOBAL ["ordered"] */
static void
read_keep(Parser *p, Effect *e)
{
	e->a = rule_value(p);
	rule_arguments(p, e);
	rule_want(p, "in");
	kept_in(p, e);
	e->order = rule_accept(p, "ordered") ? ORDER_SEQ_CST : ORDER_RELAXED;
}

/* run GLOBAL: each call that was kept there, any number of times */
static void
read_run(Parser *p, Effect *e)
{
	kept_in(p, e);
}

/* load value order ["width" BITS]: the result */
static void
read_load(Parser *p, Effect *e)
{
	e->result = true;
	e->a = rule_value(p);
	rule_order(p, e);
	rule_bits(p, e);
}

/* store value "at" value order ["width" BITS] */
static void
read_store(Parser *p, Effect *e)
{
	e->b = rule_value(p);
	rule_want(p, "at");
	e->a = rule_value(p);
	rule_order(p, e);
	rule_bits(p, e);
}

/* rmw OPERATION value "with" value order ["new" ["zero"]]: returns the old or new value, or
 * whether that is zero */
static void
read_rmw(Parser *p, Effect *e)
{
#define X(name, text) text,
	static const char *const ops[] = {IR_BINOPS(X)};
#undef X

	e->result = true;
	e->sub = (u8)rule_choose(p, ops, COUNT(ops));
	e->a = rule_value(p);
	rule_want(p, "with");
	e->b = rule_value(p);
	rule_order(p, e);
	rule_bits(p, e);
	e->fresh = rule_accept(p, "new");
	e->is_zero = e->fresh && rule_accept(p, "zero");
}

/* cas value "from" value "to" value order ["success"]: returns the old value,
 * or whether it was exchanged */
static void
read_cas(Parser *p, Effect *e)
{
	e->result = true;
	e->a = rule_value(p);
	rule_want(p, "from");
	e->b = rule_value(p);
	rule_want(p, "to");
	e->c = rule_value(p);
	rule_order(p, e);
	rule_bits(p, e);
	e->fresh = rule_accept(p, "success");
}

/* fence order */
static void
read_fence(Parser *p, Effect *e)
{
	rule_order(p, e);
}

/* exit ["thread" [value]] */
static void
read_exit(Parser *p, Effect *e)
{
	e->thread = rule_accept(p, "thread");
	if (!rule_line_ends(p) && !rule_at(p, ";") && !rule_at(p, "if"))
		e->a = rule_value(p);
}

/* assumption "text": shown with the report of a program that calls this */
static void
read_assumption(Parser *p, Effect *e)
{
	if (p->failed)
		return;
	if (p->t.kind != TOK_STRING) {
		rule_expected(p, "a string");
		return;
	}
	e->text = arena_dup(p->m->arena, p->t.text, p->t.len);
	rule_next(p);
}

/* (prove | refute) FACT ["if" PARAMETER "is" ["not"] NUMBER] */
static void
read_fact(Parser *p, Effect *e)
{
	e->fact = rule_fact(p);
	if (!rule_at(p, "if"))
		return;
	rule_want(p, "if");
	e->a = rule_param(p);
	if (!e->a)
		rule_expected(p, "a parameter's name");
	rule_want(p, "is");
	e->is_not = rule_accept(p, "not");
	e->number = rule_number(p, "a number");
}

static void (*const readers[VERB_COUNT])(Parser *, Effect *) = {
    [VERB_NOTHING] = read_plain,
    [VERB_ACQUIRE] = read_acquire,
    [VERB_RELEASE] = read_release,
    [VERB_HOLD] = read_acquire,
    [VERB_FORK] = read_fork,
    [VERB_JOIN] = read_join,
    [VERB_DETACH] = read_value,
    [VERB_STOP] = read_value,
    [VERB_NAME] = read_name,
    [VERB_FINISH] = read_finish,
    [VERB_CANCEL] = read_cancel,
    [VERB_SIGNAL] = read_signal,
    [VERB_AWAIT] = read_await,
    [VERB_WAIT] = read_wait,
    [VERB_PUBLISH] = read_value,
    [VERB_RETAIN] = read_retain,
    [VERB_FREE] = read_value,
    [VERB_READ] = read_access,
    [VERB_WRITE] = read_access,
    [VERB_COPY] = read_copy,
    [VERB_ALLOCATE] = read_allocate,
    [VERB_CHANNEL] = read_channel,
    [VERB_RETURN] = read_return,
    [VERB_CALL] = read_call,
    [VERB_LOAD] = read_load,
    [VERB_KEEP] = read_keep,
    [VERB_RUN] = read_run,
    [VERB_STORE] = read_store,
    [VERB_RMW] = read_rmw,
    [VERB_CAS] = read_cas,
    [VERB_FENCE] = read_fence,
    [VERB_EXIT] = read_exit,
    [VERB_THROW] = read_plain,
    [VERB_UNWIND] = read_unwind,
    [VERB_ASSUME] = read_value,
    [VERB_DUPLICATE] = read_result, /* has no operands */
    [VERB_SUCCEEDS] = rule_condition,
    [VERB_WAITS] = read_plain,
    [VERB_ASSUMPTION] = read_assumption,
    [VERB_PROVE] = read_fact,
    [VERB_REFUTE] = read_fact,
};

void
rule_verb(Parser *p, Verb v, Effect *e)
{
	readers[v](p, e);
}
