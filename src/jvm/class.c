/* class.c - reads a class file.
 *
 * Every count and index comes from bytes that nobody vouches for.  The pool is
 * read first, without following anything; then each entry's references are
 * checked, so that later lookups only ever ask for a tag.  Entries refer to
 * each other in at most three steps (member, name and type, string), but for
 * dynamic constants, whose users bound their own depth. */
#include "jvm/class_int.h"

#include <stdarg.h>
#include <string.h>

enum { MAGIC = 0xcafebabe, FIRST_VERSION = 45, LAST_VERSION = 80 };

bool
class_refuse(ClassReader *p, const char *fmt, ...)
{
	va_list ap;

	if (!p->why) {
		va_start(ap, fmt);
		p->why = arena_vprintf(p->a, fmt, ap);
		va_end(ap);
	}
	return false;
}

/* ---- lookups ------------------------------------------------------------ */

static u8
tag_of(const ClassFile *c, u32 index)
{
	return index && index < c->nconst ? c->consts[index].tag : 0;
}

JStr
class_utf8(const ClassFile *c, u32 index)
{
	const JConst *k = &c->consts[index];

	if (tag_of(c, index) != CP_UTF8)
		return (JStr){"", 0};
	return (JStr){(const char *)c->bytes + k->at, k->a};
}

JStr
class_class(const ClassFile *c, u32 index)
{
	return tag_of(c, index) == CP_CLASS ? class_utf8(c, c->consts[index].a) : (JStr){"", 0};
}

bool
class_name_type(const ClassFile *c, u32 index, JStr *name, JStr *desc)
{
	if (tag_of(c, index) != CP_NAME_TYPE)
		return false;
	*name = class_utf8(c, c->consts[index].a);
	*desc = class_utf8(c, c->consts[index].b);
	return true;
}

bool
class_member_ref(const ClassFile *c, u32 index, JMemberRef *out)
{
	u8 tag = tag_of(c, index);

	if (tag != CP_FIELD && tag != CP_METHOD && tag != CP_IMETHOD)
		return false;
	out->interface = tag == CP_IMETHOD;
	out->class = class_class(c, c->consts[index].a);
	return class_name_type(c, c->consts[index].b, &out->name, &out->desc);
}

i64
class_number(const ClassFile *c, u32 index)
{
	u8 tag = tag_of(c, index);
	Reader r = reader_on(c->bytes, c->n);

	if (tag != CP_INT && tag != CP_LONG)
		return 0;
	reader_seek(&r, c->consts[index].at);
	return tag == CP_INT ? (i32)reader_u32be(&r) : (i64)reader_u64be(&r);
}

static int
find_member(const JMember *m, u32 n, JStr name, JStr desc)
{
	for (u32 k = 0; k < n; k++)
		if (jstr_equal(m[k].name, name) && jstr_equal(m[k].desc, desc))
			return (int)k;
	return -1;
}

int
class_find_method(const ClassFile *c, JStr name, JStr desc)
{
	return find_member(c->methods, c->nmethod, name, desc);
}

int
class_find_field(const ClassFile *c, JStr name, JStr desc)
{
	return find_member(c->fields, c->nfield, name, desc);
}

/* ---- the constant pool -------------------------------------------------- */

static bool
is_tail(const u8 *s, size_t n, u32 want)
{
	if (n < want)
		return false;
	for (u32 k = 0; k < want; k++)
		if ((s[k] & 0xc0) != 0x80)
			return false;
	return true;
}

/* Modified UTF-8: one to three bytes, no zero byte. */
static bool
is_text(const u8 *s, size_t n)
{
	size_t k = 0;

	while (k < n) {
		u8 b = s[k++];
		u32 tail = b < 0x80 ? 0 : (b & 0xe0) == 0xc0 ? 1 : 2;
		if (b == 0 || (b >= 0x80 && b < 0xc0) || b >= 0xf0 || !is_tail(s + k, n - k, tail))
			return false;
		k += tail;
	}
	return true;
}

/* Reads entry k; returns how many places it takes, 0 for an unknown tag. */
static u32
read_const(ClassReader *p, JConst *k)
{
	Reader *r = &p->r;

	k->tag = reader_u8(r);
	k->at = (u32)reader_offset(r);
	switch (k->tag) {
	case CP_UTF8:
		k->a = reader_u16be(r);
		k->at += 2;
		reader_skip(r, k->a);
		return 1;
	case CP_INT:
	case CP_FLOAT: reader_skip(r, 4); return 1;
	case CP_LONG:
	case CP_DOUBLE: reader_skip(r, 8); return 2;
	case CP_CLASS:
	case CP_STRING:
	case CP_METHOD_TYPE:
	case CP_MODULE:
	case CP_PACKAGE: k->a = reader_u16be(r); return 1;
	case CP_FIELD:
	case CP_METHOD:
	case CP_IMETHOD:
	case CP_NAME_TYPE:
	case CP_DYNAMIC:
	case CP_INVOKE_DYNAMIC:
		k->a = reader_u16be(r);
		k->b = reader_u16be(r);
		return 1;
	case CP_HANDLE:
		k->a = reader_u8(r);
		k->b = reader_u16be(r);
		return 1;
	default: return 0;
	}
}

static bool
check_handle(const ClassFile *c, const JConst *k)
{
	u8 tag = tag_of(c, k->b);

	if (k->a < HANDLE_GET_FIELD || k->a > HANDLE_INTERFACE)
		return false;
	return k->a <= HANDLE_PUT_STATIC ? tag == CP_FIELD : tag == CP_METHOD || tag == CP_IMETHOD;
}

static bool
check_const(const ClassFile *c, const JConst *k)
{
	switch (k->tag) {
	case CP_UTF8: return is_text(c->bytes + k->at, k->a);
	case CP_CLASS: return class_utf8(c, k->a).n > 0;
	case CP_STRING:
	case CP_METHOD_TYPE:
	case CP_MODULE:
	case CP_PACKAGE: return tag_of(c, k->a) == CP_UTF8;
	case CP_FIELD:
	case CP_METHOD:
	case CP_IMETHOD: return tag_of(c, k->a) == CP_CLASS && tag_of(c, k->b) == CP_NAME_TYPE;
	case CP_NAME_TYPE: return class_utf8(c, k->a).n > 0 && tag_of(c, k->b) == CP_UTF8;
	case CP_DYNAMIC:
	case CP_INVOKE_DYNAMIC: return tag_of(c, k->b) == CP_NAME_TYPE;
	case CP_HANDLE: return check_handle(c, k);
	default: return true;
	}
}

static bool
read_consts(ClassReader *p)
{
	ClassFile *c = p->c;

	c->nconst = reader_u16be(&p->r);
	if (!c->nconst || c->nconst > reader_left(&p->r))
		return class_refuse(p, "the constant pool is longer than the file");
	c->consts = arena_array(p->a, JConst, c->nconst);
	for (u32 k = 1; k < c->nconst;) {
		u32 step = read_const(p, &c->consts[k]);
		if (p->r.failed)
			return class_refuse(p, "the file ends within the constant pool");
		if (!step)
			return class_refuse(p, "constant %u has an unknown tag %u", k,
					    c->consts[k].tag);
		k += step;
	}
	for (u32 k = 1; k < c->nconst; k++)
		if (!check_const(c, &c->consts[k]))
			return class_refuse(p, "constant %u (tag %u) is malformed", k,
					    c->consts[k].tag);
	return true;
}

/* ---- the class ---------------------------------------------------------- */

static bool
is_class_name(JStr s)
{
	return s.n && s.at[0] != '[' && !memchr(s.at, ';', s.n) && !memchr(s.at, '.', s.n) &&
	       s.at[0] != '/' && s.at[s.n - 1] != '/';
}

static bool
read_names(ClassReader *p)
{
	ClassFile *c = p->c;
	u32 super, this;

	c->flags = reader_u16be(&p->r);
	this = reader_u16be(&p->r);
	super = reader_u16be(&p->r);
	c->name = class_class(c, this);
	c->super = class_class(c, super);
	c->niface = reader_u16be(&p->r);
	if (p->r.failed)
		return class_refuse(p, "the file ends before the class's name");
	if (!is_class_name(c->name))
		return class_refuse(p, "the class has no proper name");
	if (super && !is_class_name(c->super))
		return class_refuse(p, "the superclass has no proper name");
	if (c->niface * 2u > reader_left(&p->r))
		return class_refuse(p, "the file ends within the interfaces");
	c->ifaces = arena_array(p->a, JStr, c->niface);
	for (u32 k = 0; k < c->niface; k++) {
		c->ifaces[k] = class_class(c, reader_u16be(&p->r));
		if (!is_class_name(c->ifaces[k]))
			return class_refuse(p, "interface %u has no proper name", k);
	}
	return true;
}

static bool
check_member(ClassReader *p, const JMember *m, bool is_method)
{
	u32 nparam, nslot;

	if (!m->name.n)
		return class_refuse(p, "a %s has no name", is_method ? "method" : "field");
	if (is_method) {
		if (!desc_method(m->desc, &nparam, &nslot) ||
		    nslot + !(m->flags & ACC_STATIC) > 255)
			return class_refuse(p, "method %.*s has a malformed descriptor",
					    (int)MIN(m->name.n, 200u), m->name.at);
	} else if (!m->desc.n || desc_field(m->desc.at, m->desc.n) != m->desc.n) {
		return class_refuse(p, "field %.*s has a malformed descriptor",
				    (int)MIN(m->name.n, 200u), m->name.at);
	}
	return true;
}

static bool
read_members(ClassReader *p, bool methods, JMember **out, u32 *n)
{
	*n = reader_u16be(&p->r);
	if (*n * 8u > reader_left(&p->r))
		return class_refuse(p, "the file ends within the %s",
				    methods ? "methods" : "fields");
	*out = arena_array(p->a, JMember, *n);
	for (u32 k = 0; k < *n; k++) {
		JMember *m = &(*out)[k];
		m->flags = reader_u16be(&p->r);
		m->name = class_utf8(p->c, reader_u16be(&p->r));
		m->desc = class_utf8(p->c, reader_u16be(&p->r));
		if (!check_member(p, m, methods) || !class_member_attrs(p, m, methods))
			return false;
	}
	return true;
}

static bool
check_boots(ClassReader *p)
{
	const ClassFile *c = p->c;

	for (u32 k = 1; k < c->nconst; k++)
		if ((c->consts[k].tag == CP_DYNAMIC || c->consts[k].tag == CP_INVOKE_DYNAMIC) &&
		    c->consts[k].a >= c->nboot)
			return class_refuse(
			    p, "constant %u names a bootstrap method that is not there", k);
	return true;
}

static bool
read_class(ClassReader *p)
{
	u32 magic = reader_u32be(&p->r);

	reader_u16be(&p->r);
	p->c->major = reader_u16be(&p->r);
	if (p->r.failed || magic != (u32)MAGIC)
		return class_refuse(p, "not a class file");
	if (p->c->major < FIRST_VERSION || p->c->major > LAST_VERSION)
		return class_refuse(p, "class file version %u is not known", p->c->major);
	if (!read_consts(p) || !read_names(p) ||
	    !read_members(p, false, &p->c->fields, &p->c->nfield) ||
	    !read_members(p, true, &p->c->methods, &p->c->nmethod) || !class_attrs(p))
		return false;
	if (reader_left(&p->r))
		return class_refuse(p, "%zu bytes behind the end of the class", reader_left(&p->r));
	return check_boots(p);
}

bool
class_parse(ClassFile *out, Arena *a, const u8 *bytes, size_t n, const char **why)
{
	ClassReader p = {.c = out, .a = a, .r = reader_on(bytes, n)};

	memset(out, 0, sizeof *out);
	out->bytes = bytes;
	out->n = n;
	out->source = out->host = out->name = out->super = (JStr){"", 0};
	if (n <= UINT32_MAX / 2 ? read_class(&p) : class_refuse(&p, "the file is too large"))
		return true;
	*why = p.why;
	return false;
}
