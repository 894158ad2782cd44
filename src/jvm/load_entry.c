/* load_entry.c - where a Java program starts, and the function that starts it.
 *
 *	main:  any number of times,
 *	       for each class that reflection may make: make one, construct it
 *	         with what unknown code knows, and keep it where the models of
 *	         reflection find it
 *	       for each method that reflection may call: call it, likewise
 *	       for each entry: initialise its class, call it
 *
 * with an array for main's arguments, and objects made for other parameters. */
#include "jvm/load_open.h"

#include <string.h>

enum { NAMES_SHOWN = 5 };

#define MAIN_NAME "main([Ljava/lang/String;)V"

/* ---- finding entries -------------------------------------------------------- */

KlassId
entry_class(World *w, const char *name, size_t n)
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
	KlassId k = dot ? entry_class(w, text, (size_t)(dot - text)) : 0;
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
	if (!jstr_is(c.name, name)) /* said where it is used */
		return false;
	for (u32 m = 0; m < c.nmethod; m++)
		if (is_main(&c.methods[m]))
			return true;
	return false;
}

static const char *
dotted(World *w, const char *name)
{
	char *s = arena_strdup(w->arena, name);

	for (char *c = s; *c; c++)
		*c = *c == '/' ? '.' : *c;
	return s;
}

/* Are the inputs archives without a main class, or has none of them a main? */
static bool
is_library(World *w)
{
	NameList names = {0};
	bool found = false;

	if (path_main(w->path))
		return false;
	path_list(w->path, &names);
	for (u32 i = 0; i < names.n && !found; i++)
		found = has_main(w, names.at[i]);
	return names.n && (!found || path_is_archives(w->path));
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
			list = arena_printf(w->arena, "%s%s%s", list, *list ? ", " : "",
					    dotted(w, found));
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
		diag_error(w->diag, NULL, "%s has no main(String[])", world_name(w, k));
		return false;
	}
	vec_push(w->arena, out, (Entry){k, (u32)m});
	return true;
}

/* ---- the function that starts them ------------------------------------------ */

ClassId
start_class(Starter *s, const char *name)
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

TypeId
start_type(Starter *s, const char *name)
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

Val
start_emit(Starter *s, Op op, RegType rt, u16 width, TypeId aux)
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

/* What unknown code gives. */
static Val
ask_unknown(Starter *s)
{
	Val r = build_reg(&s->b, RT_PTR, 64);
	Ins *i = build_ins(&s->b, OP_EXTERN, 0, NULL);

	i->dst = r;
	i->rt = RT_PTR;
	i->width = 64;
	i->aux = intern_str(&s->ir->strs, "reflection");
	return r;
}

/* A value for the parameter whose descriptor is at *d, which then is behind it;
 * unknown code's where that calls. */
static Val
make_argument(Starter *s, const char **d, bool unknown)
{
	u32 dims = (u32)strspn(*d, "["), n;
	const char *name;
	KlassId k;

	*d += dims;
	n = **d == 'L' ? (u32)strcspn(*d, ";") + 1 : 1;
	name = **d == 'L' ? arena_dup(s->w->arena, *d + 1, n - 2) : *d;
	*d += n;
	if (n == 1 && !dims)
		return start_emit(s, OP_NONDET, *name == 'D' || *name == 'F' ? RT_FLOAT : RT_INT,
				  *name == 'J' || *name == 'D' ? 64 : 32, 0);
	if (unknown)
		return ask_unknown(s);
	if (dims)
		return start_emit(s, OP_ALLOC, RT_PTR, 64, 0);
	k = world_class_named(s->w, name, strlen(name));
	return start_emit(s, OP_ALLOC, RT_PTR, 64, start_type(s, world_name(s->w, k)));
}

FnId
start_declare(Starter *s, const Entry *e, u32 nparam)
{
	Ir *ir = s->ir;
	const JMember *m = &world_klass(s->w, e->klass)->file->methods[e->method];
	const char *class = world_name(s->w, e->klass);

	vec_push(ir->arena, &ir->fns,
		 (Fn){.name = intern_str(&ir->strs, arena_printf(s->w->arena, "%s.%.*s%.*s", class,
								 (int)m->name.n, m->name.at,
								 (int)m->desc.n, m->desc.at)),
		      .unit = ir->unit,
		      .class = start_class(s, class),
		      .linkage = LINK_DECL,
		      .nparam = nparam});
	return ir->fns.n - 1;
}

static void
call(Starter *s, const Entry *e, Val receiver, bool unknown)
{
	const JMember *m = &world_klass(s->w, e->klass)->file->methods[e->method];
	const char *d = arena_dup(s->w->arena, m->desc.at, m->desc.n) + 1;
	Vec(Val) args = {0};

	vec_push(s->w->arena, &args, 0);
	if (receiver)
		vec_push(s->w->arena, &args, receiver);
	while (*d && *d != ')') {
		Val v = make_argument(s, &d, unknown);
		vec_push(s->w->arena, &args, v);
	}
	args.at[0] = ir_const_fn(s->ir, start_declare(s, e, args.n - 1));
	build_ins(&s->b, OP_CALL, args.n, args.at)->flags |= INS_THROWS;
}

Val
start_object(Starter *s, KlassId k)
{
	return start_emit(s, OP_ALLOC, RT_PTR, 64, start_type(s, world_name(s->w, k)));
}

void
start_initialise(Starter *s, KlassId k)
{
	build_ins(&s->b, OP_CINIT, 0, NULL)->aux = start_class(s, world_name(s->w, k));
}

static void
start(Starter *s, const Entry *e)
{
	const JMember *m = &world_klass(s->w, e->klass)->file->methods[e->method];
	Val receiver = 0;
	int init;

	start_initialise(s, e->klass);
	if (!(m->flags & ACC_STATIC)) {
		receiver = start_object(s, e->klass);
		init = world_method(s->w, e->klass, intern_str(&s->w->strs, "<init>()V"));
		if (init >= 0)
			call(s, &(Entry){e->klass, (u32)init}, receiver, false);
	}
	call(s, e, receiver, false);
}

/* Keeps an object in the library's cell of that name (share/models). */
static void
keep(Starter *s, Val object)
{
	Ir *ir = s->ir;
	Ins *i;

	if (!s->reflected) {
		vec_push(ir->arena, &ir->globals,
			 (Global){.name = intern_str(&ir->strs, "model.reflected"),
				  .pretty = intern_str(&ir->strs, "what reflection made"),
				  .unit = ir->unit,
				  .size = 8,
				  .linkage = LINK_INTERNAL});
		s->reflected = ir->globals.n - 1;
	}
	i = build_ins(&s->b, OP_STORE, 2, (Val[]){ir_const_global(ir, s->reflected, 0), object});
	i->width = 64;
	i->order = ORDER_RELAXED;
}

/* Does what reflection may do with a constructor or method. */
static void
reflect(Starter *s, const Entry *e)
{
	const JMember *m = &world_klass(s->w, e->klass)->file->methods[e->method];
	Val receiver = 0;

	start_initialise(s, e->klass);
	if (jstr_is(m->name, "<init>"))
		receiver = start_object(s, e->klass);
	else if (!(m->flags & ACC_STATIC))
		receiver = ask_unknown(s);
	call(s, e, receiver, true);
	if (jstr_is(m->name, "<init>"))
		keep(s, receiver);
}

/* In a loop, so that there may be any number of each object. */
static void
reflect_all(Starter *s)
{
	BlockId head = build_block_new(&s->b), body = build_block_new(&s->b);
	BlockId out = build_block_new(&s->b);
	Val more;

	build_term(&s->b, OP_BR, 0, NULL, 1, &head);
	build_block_start(&s->b, head);
	more = start_emit(s, OP_NONDET, RT_INT, 1, 0);
	build_term(&s->b, OP_CBR, 1, &more, 2, (BlockId[]){body, out});
	build_block_start(&s->b, body);
	for (u32 i = 0; i < s->w->reflected.n; i++)
		reflect(s, &s->w->reflected.at[i]);
	build_term(&s->b, OP_BR, 0, NULL, 1, &head);
	build_block_start(&s->b, out);
}

void
entry_build(World *w)
{
	Ir *ir = w->extra;
	Starter s = {.w = w, .ir = ir};
	FnId caller = w->open ? open_caller(&s) : 0;

	vec_push(ir->arena, &ir->fns,
		 (Fn){.name = intern_str(&ir->strs, "main"),
		      .pretty = intern_str(&ir->strs, caller ? "the harness" : "main"),
		      .unit = ir->unit,
		      .linkage = LINK_EXTERNAL,
		      .flags = FN_SYNTHETIC});
	build_begin(&s.b, ir, ir->fns.n - 1);
	build_block_start(&s.b, build_block_new(&s.b));
	if (w->reflected.n)
		reflect_all(&s);
	if (caller)
		open_start(&s, caller);
	for (u32 i = 0; i < w->entries.n; i++)
		start(&s, &w->entries.at[i]);
	build_term(&s.b, OP_RET, 0, NULL, 0, NULL);
	build_end(&s.b);
}

/* ---- reaching them ---------------------------------------------------------- */

/* The objects that main makes for the parameters. */
static void
reach_parameters(World *w, const JMember *m)
{
	const char *d = m->desc.at + 1, *end = m->desc.at + m->desc.n;

	while (d < end && *d != ')') {
		const char *stop = *d == 'L' ? memchr(d, ';', (size_t)(end - d)) : d;
		if (*d == 'L' && stop)
			reach_made(w, world_class_named(w, d + 1, (size_t)(stop - d - 1)));
		if (*d == '[') /* its elements are null */
			while (d[1] == '[')
				d++;
		d = *d == '[' ? (d[1] == 'L' ? memchr(d, ';', (size_t)(end - d)) : d + 1) : stop;
		d = d ? d + 1 : end;
	}
}

static void
reach_entry(World *w, const Entry *e)
{
	const JMember *m = &world_klass(w, e->klass)->file->methods[e->method];

	reach_initialiser(w, e->klass);
	reach_parameters(w, m);
	if (!(m->flags & ACC_STATIC)) {
		reach_made(w, e->klass);
		(void)reach_direct(w, e->klass, intern_str(&w->strs, "<init>()V"));
	}
	reach_method(w, e->klass, e->method);
}

bool
entry_find(World *w, const LoadOptions *opt)
{
	static const char *const every[] = {"*"};
	bool ok = true;

	if (opt->nopen)
		return open_find(w, opt->open, opt->nopen);
	if (!opt->nentry && is_library(w))
		return open_find(w, every, 1);
	for (u32 i = 0; i < opt->nentry; i++)
		ok &= find_entry(w, opt->entries[i], &w->entries);
	if (!opt->nentry)
		ok = find_main(w, &w->entries);
	for (u32 i = 0; ok && i < w->entries.n; i++)
		reach_entry(w, &w->entries.at[i]);
	return ok;
}
