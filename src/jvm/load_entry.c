/* load_entry.c - where a Java program starts, and the function that starts it.
 *
 *	main:  for each entry: initialise its class, call it
 *
 * with an array for main's arguments, and objects made for other parameters. */
#include "jvm/load_int.h"

#include <string.h>

enum { NAMES_SHOWN = 5 };

#define MAIN_NAME "main([Ljava/lang/String;)V"

typedef struct Entry {
	KlassId klass;
	u32 method;
} Entry;
typedef Vec(Entry) Entries;

typedef struct Starter {
	World *w;
	Ir *ir;
	Build b;
	Map classes, types; /* name of the unit -> id */
} Starter;

/* ---- finding entries -------------------------------------------------------- */

static const char *
class_name(World *w, KlassId k)
{
	return intern_get(&w->strs, world_klass(w, k)->name);
}

/* The class that a programmer calls name (n bytes, dots): a nested class's
 * dollar signs may be dots.  0 if there is none. */
static KlassId
find_class(World *w, const char *name, size_t n)
{
	char *s = arena_dup(w->arena, name, n), *dot;
	ClassBytes found;

	for (char *c = s; *c; c++)
		*c = *c == '.' ? '/' : *c;
	while (!path_find(w->path, s, &found)) {
		dot = strrchr(s, '/');
		if (!dot)
			return 0;
		*dot = '$';
	}
	return world_class_named(w, s, strlen(s));
}

/* Adds the methods that text, a.b.C.method with or without a descriptor, names. */
static bool
find_entry(World *w, const char *text, Entries *out)
{
	const char *desc = strchr(text, '('), *end = desc ? desc : text + strlen(text);
	const char *dot = memrchr(text, '.', (size_t)(end - text)), *name = dot ? dot + 1 : text;
	KlassId k = dot ? find_class(w, text, (size_t)(dot - text)) : 0;
	const ClassFile *c = k ? world_klass(w, k)->file : NULL;
	u32 before = out->n;

	for (u32 m = 0; c && m < c->nmethod; m++) {
		JStr s = c->methods[m].name, d = c->methods[m].desc;
		if (c->methods[m].code && s.n == (size_t)(end - name) && !memcmp(s.at, name, s.n) &&
		    (!desc || jstr_is(d, desc)))
			vec_push(w->arena, out, (Entry){k, m});
	}
	if (out->n == before)
		diag_error(w->diag, NULL,
			   c ? "--entry %s: the class has no such method with a body"
			     : "--entry %s: there is no such class",
			   text);
	return out->n > before;
}

/* Is it the method that a virtual machine would start? */
static bool
is_main(const JMember *m)
{
	return m->flags & ACC_STATIC && m->code && jstr_is(m->name, "main") &&
	       jstr_is(m->desc, "([Ljava/lang/String;)V");
}

static bool
has_main(World *w, const char *name)
{
	const char *why;
	ClassBytes bytes;
	ClassFile c;

	if (!path_find(w->path, name, &bytes))
		return false;
	if (!class_parse(&c, w->arena, bytes.at, bytes.n, &why)) {
		path_skip(w->path, name, bytes.from, bytes.role, why);
		return false;
	}
	for (u32 m = 0; m < c.nmethod; m++)
		if (is_main(&c.methods[m]))
			return true;
	return false;
}

/* The only class of the inputs with a main; null after a diagnostic. */
static const char *
only_main(World *w)
{
	const char *found = NULL, *list = "";
	NameList names = {0};
	u32 n = 0;

	path_list(w->path, &names);
	for (u32 i = 0; i < names.n; i++) {
		if (!has_main(w, names.at[i]))
			continue;
		found = names.at[i];
		if (n++ < NAMES_SHOWN)
			list = arena_printf(w->arena, "%s%s%s", list, *list ? ", " : "", found);
	}
	if (n == 1)
		return found;
	if (n)
		diag_error(w->diag, NULL,
			   "%u classes have a main: choose one with --entry CLASS.main, of %s%s", n,
			   list, n > NAMES_SHOWN ? ", ..." : "");
	else
		diag_error(w->diag, NULL,
			   "no class of the inputs has a main: give --entry CLASS.METHOD");
	return NULL;
}

static bool
find_main(World *w, Entries *out)
{
	const char *name = path_main(w->path);
	KlassId k;
	int m;

	if (!name)
		name = only_main(w);
	if (!name)
		return false;
	k = world_class_named(w, name, strlen(name));
	m = world_method(w, k, intern_str(&w->strs, MAIN_NAME));
	if (m < 0) {
		diag_error(w->diag, NULL, "%s has no main(String[])", class_name(w, k));
		return false;
	}
	vec_push(w->arena, out, (Entry){k, (u32)m});
	return true;
}

/* ---- the function that starts them ------------------------------------------ */

static ClassId
class_id(Starter *s, const char *name)
{
	Ir *ir = s->ir;
	StrId str = intern_str(&ir->strs, name);
	u32 *id = map_at(ir->arena, &s->classes, str);

	if (!*id) {
		vec_push(ir->arena, &ir->classes, (Class){.name = str, .unit = ir->unit});
		*id = ir->classes.n - 1;
	}
	return *id;
}

static TypeId
type_id(Starter *s, const char *name)
{
	Ir *ir = s->ir;
	StrId str = intern_str(&ir->strs, name);
	u32 *id = map_at(ir->arena, &s->types, str);

	if (!*id) {
		vec_push(ir->arena, &ir->types, (Type){.kind = TYPE_CLASS, .name = str});
		*id = ir->types.n - 1;
	}
	return *id;
}

static Val
emit(Starter *s, Op op, RegType rt, u16 width, TypeId aux)
{
	Val r = build_reg(&s->b, rt, width);
	Ins *i = build_ins(&s->b, op, 0, NULL);

	i->dst = r;
	i->rt = (u8)rt;
	i->width = width;
	i->aux = aux;
	i->sub = op == OP_ALLOC ? ALLOC_HEAP : 0;
	return r;
}

/* A value for the parameter whose descriptor is at *d, which then is behind it. */
static Val
make_argument(Starter *s, const char **d)
{
	u32 dims = (u32)strspn(*d, "["), n;
	const char *name;

	*d += dims;
	n = **d == 'L' ? (u32)strcspn(*d, ";") + 1 : 1;
	name = **d == 'L' ? arena_dup(s->w->arena, *d + 1, n - 2) : *d;
	*d += n;
	if (*name == 'D' && n == 1 && !dims)
		return emit(s, OP_NONDET, RT_FLOAT, 64, 0);
	if (*name == 'F' && n == 1 && !dims)
		return emit(s, OP_NONDET, RT_FLOAT, 32, 0);
	if (n == 1 && !dims)
		return emit(s, OP_NONDET, RT_INT, *name == 'J' ? 64 : 32, 0);
	if (dims)
		return emit(s, OP_ALLOC, RT_PTR, 64, 0);
	{
		KlassId k = world_class_named(s->w, name, strlen(name));
		reach_made(s->w, k);
		return emit(s, OP_ALLOC, RT_PTR, 64, type_id(s, class_name(s->w, k)));
	}
}

static FnId
declare(Starter *s, const Entry *e, u32 nparam)
{
	Ir *ir = s->ir;
	const JMember *m = &world_klass(s->w, e->klass)->file->methods[e->method];
	const char *class = class_name(s->w, e->klass);

	vec_push(ir->arena, &ir->fns,
		 (Fn){.name = intern_str(&ir->strs, arena_printf(s->w->arena, "%s.%.*s%.*s", class,
								 (int)m->name.n, m->name.at,
								 (int)m->desc.n, m->desc.at)),
		      .unit = ir->unit,
		      .class = class_id(s, class),
		      .linkage = LINK_DECL,
		      .nparam = nparam});
	return ir->fns.n - 1;
}

static void
call(Starter *s, const Entry *e, Val receiver)
{
	const JMember *m = &world_klass(s->w, e->klass)->file->methods[e->method];
	const char *d = arena_dup(s->w->arena, m->desc.at, m->desc.n) + 1;
	Vec(Val) args = {0};
	Ins *i;

	vec_push(s->w->arena, &args, 0);
	if (receiver)
		vec_push(s->w->arena, &args, receiver);
	while (*d && *d != ')') {
		Val v = make_argument(s, &d);
		vec_push(s->w->arena, &args, v);
	}
	args.at[0] = ir_const_fn(s->ir, declare(s, e, args.n - 1));
	i = build_ins(&s->b, OP_CALL, args.n, args.at);
	i->flags |= INS_THROWS;
	reach_method(s->w, e->klass, e->method);
}

static void
start(Starter *s, const Entry *e)
{
	const Klass *k = world_klass(s->w, e->klass);
	const JMember *m = &k->file->methods[e->method];
	Val receiver = 0;
	int init;

	build_ins(&s->b, OP_CINIT, 0, NULL)->aux = class_id(s, class_name(s->w, e->klass));
	reach_initialiser(s->w, e->klass);
	if (!(m->flags & ACC_STATIC)) {
		receiver = emit(s, OP_ALLOC, RT_PTR, 64, type_id(s, class_name(s->w, e->klass)));
		reach_made(s->w, e->klass);
		init = world_method(s->w, e->klass, intern_str(&s->w->strs, "<init>()V"));
		if (init >= 0)
			call(s, &(Entry){e->klass, (u32)init}, receiver);
	}
	call(s, e, receiver);
}

static void
build_main(World *w, const Entries *entries)
{
	Ir *ir = w->extra;
	Starter s = {.w = w, .ir = ir};
	FnId fn;

	vec_push(ir->arena, &ir->fns,
		 (Fn){.name = intern_str(&ir->strs, "main"),
		      .unit = ir->unit,
		      .linkage = LINK_EXTERNAL,
		      .flags = FN_SYNTHETIC});
	fn = ir->fns.n - 1;
	build_begin(&s.b, ir, fn);
	build_block_start(&s.b, build_block_new(&s.b));
	for (u32 i = 0; i < entries->n; i++)
		start(&s, &entries->at[i]);
	build_term(&s.b, OP_RET, 0, NULL, 0, NULL);
	build_end(&s.b);
}

bool
entry_build(World *w, const LoadOptions *opt)
{
	Entries entries = {0};
	bool ok = true;

	for (u32 i = 0; i < opt->nentry; i++)
		ok &= find_entry(w, opt->entries[i], &entries);
	if (!opt->nentry)
		ok = find_main(w, &entries);
	if (ok)
		build_main(w, &entries);
	return ok;
}
