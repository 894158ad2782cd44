/* load_reach.c - what runs: methods, instances, initialisers.
 *
 * Everything is done once per thing: a method is reached once, a class made and
 * initialised once, a virtual call of one name on one class followed once per
 * class below it.  So the work ends. */
#include "jvm/load_int.h"

#include <string.h>

/* ---- methods --------------------------------------------------------------- */

/* The number of arguments of a call of m, with the receiver. */
static u32
count_args(const JMember *m)
{
	u32 n = !(m->flags & ACC_STATIC);

	for (const char *s = m->desc.at + 1, *end = m->desc.at + m->desc.n; s < end && *s != ')';
	     s++) {
		while (s < end && *s == '[')
			s++;
		if (s < end && *s == 'L')
			while (s < end && *s != ';')
				s++;
		n++;
	}
	return n;
}

static const char *
full_name(World *w, const Klass *k, const JMember *m)
{
	return arena_printf(w->arena, "%s.%.*s%.*s", intern_get(&w->strs, k->name), (int)m->name.n,
			    m->name.at, (int)m->desc.n, m->desc.at);
}

/* Does a model say what method m of k does? */
static bool
is_modelled(World *w, const Klass *k, const JMember *m)
{
	return w->models && models_covers(w->models, full_name(w, k, m), count_args(m));
}

/* What the model of a method calls back or makes: `what` is a method or class. */
static void
reach_callback(void *ctx, const char *what, bool made)
{
	World *w = ctx;
	const char *end = made ? what + strlen(what) : strchr(what, '(');

	if (!end)
		return;
	while (!made && end > what && *end != '.')
		end--;
	if (made)
		reach_made(w, world_class_named(w, what, (size_t)(end - what)));
	else
		reach_virtual(w, world_class_named(w, what, (size_t)(end - what)),
			      intern_str(&w->strs, end + 1));
}

/* The only abstract method of an interface and those above it; null if it has
 * none or several, or is no interface. */
static const JMember *
functional_method(World *w, KlassId id)
{
	const JMember *only = NULL;
	KlassId object = world_class_named(w, "java/lang/Object", 16);

	if (!world_klass(w, id)->file || !(world_klass(w, id)->file->flags & ACC_INTERFACE))
		return NULL;
	for (u32 i = 0; i < world_klass(w, id)->all.n; i++) {
		const ClassFile *c = world_klass(w, world_klass(w, id)->all.at[i])->file;
		for (u32 m = 0; c && c->flags & ACC_INTERFACE && m < c->nmethod; m++) {
			if (!(c->methods[m].flags & ACC_ABSTRACT) ||
			    world_method(w, object, world_member(w, &c->methods[m])) >= 0)
				continue;
			if (only)
				return NULL;
			only = &c->methods[m];
		}
	}
	return only;
}

/* What an unknown method with that descriptor may call back: the functional
 * interfaces that it takes. */
static void
reach_given(World *w, JStr desc)
{
	const char *end = desc.at + desc.n;

	for (const char *s = memchr(desc.at, '(', desc.n); s && s < end && *s != ')'; s++) {
		const char *stop = *s == 'L' ? memchr(s, ';', (size_t)(end - s)) : NULL;
		KlassId id;
		const JMember *m;
		if (!stop)
			continue;
		id = world_class_named(w, s + 1, (size_t)(stop - s - 1));
		m = functional_method(w, id);
		if (m)
			reach_virtual(w, id, world_member(w, m));
		s = stop;
	}
}

void
reach_method(World *w, KlassId id, u32 method)
{
	Klass *k = world_klass(w, id);
	const JMember *m = &k->file->methods[method];

	if (k->reached[method])
		return;
	k->reached[method] = 1;
	if (is_modelled(w, k, m)) {
		w->stats->modelled++;
		models_calls(w->models, full_name(w, k, m), count_args(m), reach_callback, w);
	} else if (m->code) {
		vec_push(w->arena, &w->pending, (Job){.klass = id, .method = method});
	} else {
		reach_given(w, m->desc);
	}
}

/* The nearest method of that name that has a body or is native, in the classes
 * above k; then in interfaces.  0 if there is none. */
static KlassId
find_direct(World *w, KlassId id, StrId name, u32 *method)
{
	const Klass *k = world_klass(w, id);

	for (u32 i = 0; i < k->all.n; i++) { /* superclasses come first */
		KlassId at = k->all.at[i];
		int m = world_method(w, at, name);
		if (m >= 0) {
			*method = (u32)m;
			return at;
		}
	}
	return 0;
}

bool
reach_direct(World *w, KlassId id, StrId name)
{
	u32 method;
	KlassId at = find_direct(w, id, name, &method);

	if (at)
		reach_method(w, at, method);
	else
		reach_given(w, jstr(intern_get(&w->strs, name)));
	return at != 0;
}

/* Is there, among k's interfaces, a default of that name below the one at? */
static bool
is_overridden(World *w, const Klass *k, KlassId at, StrId name)
{
	for (u32 i = 0; i < k->all.n; i++) {
		const Klass *x = world_klass(w, k->all.at[i]);
		for (u32 j = 1; world_method(w, k->all.at[i], name) >= 0 && j < x->all.n; j++)
			if (x->all.at[j] == at)
				return true;
	}
	return false;
}

/* Reaches what a virtual call of name runs on an instance of id: the nearest
 * method in its superclasses, else the lowest defaults of its interfaces. */
static void
reach_dispatched(World *w, KlassId id, StrId name)
{
	const Klass *k = world_klass(w, id);

	for (KlassId c = id; c; c = world_klass(w, c)->super) {
		int m = world_method(w, c, name);
		if (m >= 0 &&
		    !(world_klass(w, c)->file->methods[m].flags & (ACC_STATIC | ACC_ABSTRACT))) {
			reach_method(w, c, (u32)m);
			return;
		}
	}
	for (u32 i = 0; i < k->all.n; i++) {
		KlassId at = k->all.at[i];
		int m = world_method(w, at, name);
		if (m >= 0 && world_klass(w, at)->file->methods[m].code &&
		    !is_overridden(w, k, at, name))
			reach_method(w, at, (u32)m);
	}
}

void
reach_virtual(World *w, KlassId id, StrId name)
{
	u32 *seen = map_at(w->arena, &w->call_index, map_pair(id, name)), method;
	KlassId at;

	if (*seen)
		return;
	*seen = 1;
	at = find_direct(w, id, name, &method);
	if (at && is_modelled(w, world_klass(w, at), &world_klass(w, at)->file->methods[method]))
		reach_method(w, at, method);
	else if (!at || world_klass(w, at)->file->methods[method].flags & ACC_ABSTRACT)
		reach_given(w, jstr(intern_get(&w->strs, name)));
	vec_push(w->arena, &world_klass(w, id)->calls, name);
	for (u32 i = 0; i < world_klass(w, id)->below.n; i++)
		reach_dispatched(w, world_klass(w, id)->below.at[i], name);
}

/* ---- classes --------------------------------------------------------------- */

void
reach_made(World *w, KlassId id)
{
	if (world_klass(w, id)->made)
		return;
	world_klass(w, id)->made = true;
	for (u32 i = 0; i < world_klass(w, id)->all.n; i++) {
		KlassId at = world_klass(w, id)->all.at[i];
		vec_push(w->arena, &world_klass(w, at)->below, id);
		for (u32 j = 0; j < world_klass(w, at)->calls.n; j++)
			reach_dispatched(w, id, world_klass(w, at)->calls.at[j]);
	}
}

/* Does the interface have a body that an instance can run? */
static bool
has_default(const ClassFile *c)
{
	for (u32 i = 0; i < c->nmethod; i++)
		if (c->methods[i].code && !(c->methods[i].flags & ACC_STATIC))
			return true;
	return false;
}

/* Superclasses are initialised before, and interfaces that have defaults. */
void
reach_initialiser(World *w, KlassId id)
{
	StrId name = intern_str(&w->strs, "<clinit>()V");

	if (world_klass(w, id)->initialised)
		return;
	for (u32 i = 0; i < world_klass(w, id)->all.n; i++) {
		KlassId at = world_klass(w, id)->all.at[i];
		Klass *k = world_klass(w, at);
		int m = world_method(w, at, name);
		if (k->initialised || !k->file ||
		    (at != id && k->file->flags & ACC_INTERFACE && !has_default(k->file)))
			continue;
		k->initialised = true;
		if (m >= 0)
			reach_method(w, at, (u32)m);
	}
	world_klass(w, id)->initialised = true;
}

/* ---- references ------------------------------------------------------------ */

/* A string of the lane in the world's strings. */
static StrId
translate(World *w, Lane *lane, StrId s)
{
	u32 *id;

	if (!s)
		return 0;
	id = map_at(w->arena, &lane->str, s);
	if (!*id)
		*id = intern_bytes(&w->strs, ir_str(lane->ir, s), intern_len(&lane->ir->strs, s));
	return *id;
}

void
reach_refs(World *w, Lane *lane, const JvmRef *refs, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		StrId class = translate(w, lane, refs[i].class),
		      name = translate(w, lane, refs[i].name);
		switch (refs[i].kind) {
		case JVM_REF_CLASS: break; /* without an instance it is only a name */
		case JVM_REF_FIELD: (void)world_class(w, class); break;
		case JVM_REF_NEW: reach_made(w, world_class(w, class)); break;
		case JVM_REF_INIT: reach_initialiser(w, world_class(w, class)); break;
		case JVM_REF_STATIC:
		case JVM_REF_SPECIAL: (void)reach_direct(w, world_class(w, class), name); break;
		case JVM_REF_VIRTUAL: reach_virtual(w, world_class(w, class), name); break;
		case JVM_REF_LAMBDA:
			reach_made(w, world_lambda(w, class, translate(w, lane, refs[i].iface)));
			break;
		}
	}
}
