/* class_attr.c - the attributes of classes, members and bodies.
 *
 * Each is read by a reader of its own bytes alone, so a lying length inside
 * cannot reach beyond it.  Unknown attributes are skipped.  What only adds
 * comfort (annotations, local names, lines) is dropped where it is malformed;
 * what decides the meaning (bodies, bootstrap methods) is an error. */
#include "jvm/class_int.h"

#include <stdlib.h>
#include <string.h>

enum { NESTING = 16 }; /* of annotation values */

typedef struct Attr {
	JStr name;
	Reader r;
} Attr;

/* The next attribute. */
static bool
next_attr(ClassReader *p, Attr *at)
{
	u32 n;

	at->name = class_utf8(p->c, reader_u16be(&p->r));
	n = reader_u32be(&p->r);
	if (p->r.failed || n > reader_left(&p->r))
		return class_refuse(p, "an attribute is longer than the file");
	at->r = reader_part(&p->r, n);
	return true;
}

/* ---- annotations -------------------------------------------------------- */

static u16
note_of(JStr type)
{
	static const struct {
		const char *name;
		u16 note;
	} notes[] = {{"GuardedBy", NOTE_GUARDED_BY},
		     {"ThreadSafe", NOTE_THREAD_SAFE},
		     {"NotThreadSafe", NOTE_NOT_THREAD_SAFE},
		     {"Immutable", NOTE_IMMUTABLE},
		     {"ThreadConfined", NOTE_THREAD_CONFINED}};

	for (u32 k = 0; k < COUNT(notes); k++) {
		u32 n = (u32)strlen(notes[k].name);
		if (type.n >= n + 2 && type.at[type.n - 1] == ';' &&
		    !memcmp(type.at + type.n - 1 - n, notes[k].name, n) &&
		    strchr("/L$", type.at[type.n - 2 - n]))
			return notes[k].note;
	}
	return 0;
}

static void read_note(const ClassFile *c, Reader *r, u16 *notes, JStr *guard, u32 depth);

static void
read_value(const ClassFile *c, Reader *r, JStr *text, u32 depth)
{
	u8 tag = reader_u8(r);
	u16 skipped = 0;
	JStr inner = {"", 0};

	if (depth > NESTING) {
		reader_fail(r);
		return;
	}
	switch (tag) {
	case 'e': reader_skip(r, 4); break;
	case '@': read_note(c, r, &skipped, &inner, depth + 1); break;
	case '[':
		for (u32 n = reader_u16be(r); n && !r->failed; n--)
			read_value(c, r, text, depth + 1);
		break;
	case 's':
		inner = class_utf8(c, reader_u16be(r));
		if (!text->n)
			*text = inner;
		break;
	default: reader_skip(r, 2);
	}
}

static void
read_note(const ClassFile *c, Reader *r, u16 *notes, JStr *guard, u32 depth)
{
	u16 note = note_of(class_utf8(c, reader_u16be(r)));

	*notes |= note;
	for (u32 n = reader_u16be(r); n && !r->failed; n--) {
		JStr text = {"", 0};
		reader_skip(r, 2);
		read_value(c, r, &text, depth);
		if (note == NOTE_GUARDED_BY && !guard->n)
			*guard = text;
	}
}

static void
read_notes(const ClassFile *c, Reader *r, u16 *notes, JStr *guard)
{
	for (u32 n = reader_u16be(r); n && !r->failed; n--)
		read_note(c, r, notes, guard, 0);
}

static bool
is_notes(JStr name)
{
	return jstr_is(name, "RuntimeVisibleAnnotations") ||
	       jstr_is(name, "RuntimeInvisibleAnnotations");
}

/* ---- members ------------------------------------------------------------ */

bool
class_member_attrs(ClassReader *p, JMember *m, bool is_method)
{
	m->guard = (JStr){"", 0};
	for (u32 n = reader_u16be(&p->r); n; n--) {
		Attr at;
		if (!next_attr(p, &at))
			return false;
		if (is_method && jstr_is(at.name, "Code")) {
			if (m->code)
				return class_refuse(p, "method %.*s has two bodies",
						    (int)MIN(m->name.n, 200u), m->name.at);
			m->code = at.r.at;
			m->ncode = (u32)reader_left(&at.r);
		} else if (!is_method && jstr_is(at.name, "ConstantValue")) {
			m->value = reader_u16be(&at.r);
		} else if (is_notes(at.name)) {
			read_notes(p->c, &at.r, &m->notes, &m->guard);
		}
	}
	return !p->r.failed || class_refuse(p, "the file ends within a field or method");
}

/* ---- the class ---------------------------------------------------------- */

static bool
read_boots(ClassReader *p, Reader *r)
{
	ClassFile *c = p->c;

	c->nboot = reader_u16be(r);
	if (c->nboot * 4u > reader_left(r))
		return class_refuse(p, "the bootstrap methods are longer than their attribute");
	c->boots = arena_array(p->a, JBootstrap, c->nboot);
	c->args = arena_array(p->a, u16, reader_left(r) / 2);
	c->narg = 0;
	for (u32 k = 0; k < c->nboot; k++) {
		JBootstrap *b = &c->boots[k];
		b->method = reader_u16be(r);
		b->arg = c->narg;
		b->narg = reader_u16be(r);
		if (b->method >= c->nconst || c->consts[b->method].tag != CP_HANDLE ||
		    b->narg * 2u > reader_left(r))
			return class_refuse(p, "bootstrap method %u is malformed", k);
		for (u32 i = 0; i < b->narg; i++) {
			u16 arg = reader_u16be(r);
			if (!arg || arg >= c->nconst || !c->consts[arg].tag)
				return class_refuse(p, "bootstrap method %u is malformed", k);
			c->args[c->narg++] = arg;
		}
	}
	return !r->failed || class_refuse(p, "the bootstrap methods are cut short");
}

static void
read_nest(ClassReader *p, Reader *r)
{
	u32 n = reader_u16be(r);

	if (n * 2u > reader_left(r))
		return;
	p->c->nest = arena_array(p->a, JStr, n);
	for (p->c->nnest = 0; p->c->nnest < n; p->c->nnest++)
		p->c->nest[p->c->nnest] = class_class(p->c, reader_u16be(r));
}

/* Finds the class itself among the members that the file refers to. */
static void
read_outer(ClassFile *c, Reader *r)
{
	for (u32 n = reader_u16be(r); n && !r->failed; n--) {
		JStr inner = class_class(c, reader_u16be(r));
		JStr outer = class_class(c, reader_u16be(r));
		reader_skip(r, 4);
		if (!r->failed && inner.n == c->name.n && !memcmp(inner.at, c->name.at, inner.n))
			c->outer = outer;
	}
}

bool
class_attrs(ClassReader *p)
{
	ClassFile *c = p->c;
	JStr guard = {"", 0};

	for (u32 n = reader_u16be(&p->r); n; n--) {
		Attr at;
		if (!next_attr(p, &at))
			return false;
		if (jstr_is(at.name, "SourceFile"))
			c->source = class_utf8(c, reader_u16be(&at.r));
		else if (jstr_is(at.name, "NestHost"))
			c->host = class_class(c, reader_u16be(&at.r));
		else if (jstr_is(at.name, "NestMembers"))
			read_nest(p, &at.r);
		else if (jstr_is(at.name, "InnerClasses"))
			read_outer(c, &at.r);
		else if (is_notes(at.name))
			read_notes(c, &at.r, &c->notes, &guard);
		else if (jstr_is(at.name, "BootstrapMethods") && !read_boots(p, &at.r))
			return false;
	}
	return !p->r.failed || class_refuse(p, "the file ends within the class's attributes");
}

/* ---- bodies ------------------------------------------------------------- */

static int
by_start(const void *x, const void *y)
{
	const JLine *a = x, *b = y;

	return a->from != b->from ? (a->from > b->from) - (a->from < b->from)
				  : (a->line > b->line) - (a->line < b->line);
}

static void
read_lines(ClassReader *p, JCode *out, Reader *r)
{
	u32 n = reader_u16be(r);
	JLine *all;
	bool sorted = true;

	if (n * 4u > reader_left(r))
		return;
	all = arena_array(p->a, JLine, out->nline + n);
	if (out->nline)
		memcpy(all, out->lines, out->nline * sizeof *all);
	for (; n; n--) {
		all[out->nline].from = reader_u16be(r);
		all[out->nline].line = reader_u16be(r);
		sorted &= !out->nline || all[out->nline - 1].from <= all[out->nline].from;
		out->nline++;
	}
	if (!sorted)
		qsort(all, out->nline, sizeof *all, by_start);
	out->lines = all;
}

static void
read_locals(ClassReader *p, JCode *out, Reader *r)
{
	u32 n = reader_u16be(r);

	if (n * 10u > reader_left(r) || out->nlocal)
		return;
	out->locals = arena_array(p->a, JLocal, n);
	for (out->nlocal = 0; out->nlocal < n; out->nlocal++) {
		JLocal *l = &out->locals[out->nlocal];
		l->from = reader_u16be(r);
		l->len = reader_u16be(r);
		l->name = class_utf8(p->c, reader_u16be(r));
		reader_skip(r, 2);
		l->slot = reader_u16be(r);
	}
}

static bool
read_handlers(ClassReader *p, JCode *out)
{
	const ClassFile *c = p->c;

	out->nhandler = reader_u16be(&p->r);
	if (out->nhandler * 8u > reader_left(&p->r))
		return class_refuse(p, "the exception table is longer than the body");
	out->handlers = arena_array(p->a, JHandler, out->nhandler);
	for (u32 k = 0; k < out->nhandler; k++) {
		JHandler *h = &out->handlers[k];
		h->from = reader_u16be(&p->r);
		h->to = reader_u16be(&p->r);
		h->target = reader_u16be(&p->r);
		h->type = reader_u16be(&p->r);
		if (h->from >= h->to || h->to > out->n || h->target >= out->n)
			return class_refuse(p, "exception handler %u is out of range", k);
		if (h->type && *class_class(c, h->type).at == '[')
			return class_refuse(p, "exception handler %u catches an array", k);
		if (h->type && !class_class(c, h->type).n)
			return class_refuse(p, "exception handler %u catches no class", k);
	}
	return true;
}

static bool
read_code(ClassReader *p, JCode *out)
{
	out->max_stack = reader_u16be(&p->r);
	out->max_locals = reader_u16be(&p->r);
	out->n = reader_u32be(&p->r);
	if (!out->n || out->n > 65535)
		return class_refuse(p, "a body has %u bytes", out->n);
	out->at = reader_bytes(&p->r, out->n);
	if (p->r.failed)
		return class_refuse(p, "a body is longer than its attribute");
	if (!read_handlers(p, out))
		return false;
	for (u32 n = reader_u16be(&p->r); n; n--) {
		Attr at;
		if (!next_attr(p, &at))
			return false;
		if (jstr_is(at.name, "LineNumberTable"))
			read_lines(p, out, &at.r);
		else if (jstr_is(at.name, "LocalVariableTable"))
			read_locals(p, out, &at.r);
	}
	return !p->r.failed || class_refuse(p, "a body is cut short");
}

bool
class_code(JCode *out, Arena *a, const ClassFile *c, const JMember *m, const char **why)
{
	ClassFile view = *c; /* only read */
	ClassReader p = {.c = &view, .a = a, .r = reader_on(m->code, m->ncode)};

	memset(out, 0, sizeof *out);
	if (read_code(&p, out))
		return true;
	*why = p.why;
	return false;
}
