/* jvm_case.h - class files made by hand, and small programs from them.
 *
 *	Asm m = {.a = &arena};
 *	asm_method(&m, ACC_STATIC, "f", "(I)I", 2, 1, CODE(J_ILOAD_0, J_IRETURN));
 *	bytes = asm_class_file(&m, "A", "java/lang/Object", &n);
 */
#ifndef JVM_CASE_H
#define JVM_CASE_H

#include "jvm/class_int.h"
#include "jvm/lower_op.h"
#include "jvm/name.h"
#include "unit.h"

#include <string.h>

typedef Vec(u8) Bytes;
typedef struct AsmHandler {
	u16 from, to, target, type;
} AsmHandler;
typedef struct Asm {
	Arena *a;
	Bytes pool, fields, methods, attrs;
	u16 npool, nfield, nmethod, nattr;
	const AsmHandler *handlers; /* of the next method */
	u16 nhandler;
	u16 major;
} Asm;

#define CODE(...) sizeof((u8[]){__VA_ARGS__}), (u8[]){__VA_ARGS__}
#define U2(x)     (u8)((x) >> 8), (u8)(x)

static inline void
asm_u1(Asm *m, Bytes *b, u32 v)
{
	vec_push(m->a, b, (u8)v);
}

static inline void
asm_u2(Asm *m, Bytes *b, u32 v)
{
	asm_u1(m, b, v >> 8);
	asm_u1(m, b, v);
}

static inline void
asm_u4(Asm *m, Bytes *b, u32 v)
{
	asm_u2(m, b, v >> 16);
	asm_u2(m, b, v);
}

static inline void
asm_bytes(Asm *m, Bytes *b, const void *p, size_t n)
{
	for (size_t k = 0; k < n; k++)
		asm_u1(m, b, ((const u8 *)p)[k]);
}

static inline u16
asm_utf8(Asm *m, const char *s)
{
	asm_u1(m, &m->pool, CP_UTF8);
	asm_u2(m, &m->pool, (u32)strlen(s));
	asm_bytes(m, &m->pool, s, strlen(s));
	return ++m->npool;
}

/* An entry with one or two references. */
static inline u16
asm_one(Asm *m, u8 tag, u16 x)
{
	asm_u1(m, &m->pool, tag);
	asm_u2(m, &m->pool, x);
	return ++m->npool;
}

static inline u16
asm_two(Asm *m, u8 tag, u16 x, u16 y)
{
	asm_u1(m, &m->pool, tag);
	asm_u2(m, &m->pool, x);
	asm_u2(m, &m->pool, y);
	return ++m->npool;
}

static inline u16
asm_class(Asm *m, const char *name)
{
	u16 s = asm_utf8(m, name);

	return asm_one(m, CP_CLASS, s);
}

static inline u16
asm_member(Asm *m, u8 tag, const char *class, const char *name, const char *desc)
{
	u16 c = asm_class(m, class), n = asm_utf8(m, name), d = asm_utf8(m, desc);
	u16 nt = asm_two(m, CP_NAME_TYPE, n, d);

	return asm_two(m, tag, c, nt);
}

static inline void
asm_method(Asm *m, u16 flags, const char *name, const char *desc, u16 stack, u16 locals, size_t n,
	   const u8 *code)
{
	u16 attr = asm_utf8(m, "Code"), s = asm_utf8(m, name), d = asm_utf8(m, desc);

	asm_u2(m, &m->methods, flags);
	asm_u2(m, &m->methods, s);
	asm_u2(m, &m->methods, d);
	asm_u2(m, &m->methods, 1);
	asm_u2(m, &m->methods, attr);
	asm_u4(m, &m->methods, (u32)(12 + n + m->nhandler * 8u));
	asm_u2(m, &m->methods, stack);
	asm_u2(m, &m->methods, locals);
	asm_u4(m, &m->methods, (u32)n);
	asm_bytes(m, &m->methods, code, n);
	asm_u2(m, &m->methods, m->nhandler);
	for (u16 k = 0; k < m->nhandler; k++) {
		asm_u2(m, &m->methods, m->handlers[k].from);
		asm_u2(m, &m->methods, m->handlers[k].to);
		asm_u2(m, &m->methods, m->handlers[k].target);
		asm_u2(m, &m->methods, m->handlers[k].type);
	}
	asm_u2(m, &m->methods, 0);
	m->nmethod++;
	m->nhandler = 0;
}

static inline void
asm_field(Asm *m, u16 flags, const char *name, const char *desc)
{
	u16 s = asm_utf8(m, name), d = asm_utf8(m, desc);

	asm_u2(m, &m->fields, flags);
	asm_u2(m, &m->fields, s);
	asm_u2(m, &m->fields, d);
	asm_u2(m, &m->fields, 0);
	m->nfield++;
}

static inline const u8 *
asm_class_file(Asm *m, const char *name, const char *super, size_t *n)
{
	u16 this = asm_class(m, name), up = super ? asm_class(m, super) : 0;
	Bytes b = {0};

	asm_u4(m, &b, 0xcafebabe);
	asm_u2(m, &b, 0);
	asm_u2(m, &b, m->major ? m->major : 49);
	asm_u2(m, &b, m->npool + 1u);
	asm_bytes(m, &b, m->pool.at, m->pool.n);
	asm_u2(m, &b, 1);
	asm_u2(m, &b, this);
	asm_u2(m, &b, up);
	asm_u2(m, &b, 0);
	asm_u2(m, &b, m->nfield);
	asm_bytes(m, &b, m->fields.at, m->fields.n);
	asm_u2(m, &b, m->nmethod);
	asm_bytes(m, &b, m->methods.at, m->methods.n);
	asm_u2(m, &b, m->nattr);
	asm_bytes(m, &b, m->attrs.at, m->attrs.n);
	*n = b.n;
	return b.at;
}

/* Parses and lowers a class into a unit of its own; the methods that were
 * refused are counted in *bad, the first reason is in *why.  Null with *why if
 * the class itself is refused.  What is made passes ir_check, or the test
 * fails. */
static inline Ir *
case_lower(Arena *a, const u8 *bytes, size_t n, u32 *bad, const char **why)
{
	ClassFile *c = arena_new(a, ClassFile);
	Ir *ir = arena_new(a, Ir);
	const char *reason, *broken;
	JvmUnit *u;

	*bad = 0;
	*why = NULL;
	if (!class_parse(c, a, bytes, n, why))
		return NULL;
	ir_init(ir, a);
	ir->unit = intern_str(&ir->strs, "case");
	u = jvm_unit_new(ir);
	if (!jvm_declare(u, c, why))
		return NULL;
	for (u32 k = 0; k < c->nmethod; k++)
		if (!jvm_lower_method(u, c, k, &reason)) {
			*why = *bad ? *why : reason;
			++*bad;
		}
	jvm_unit_finish(u);
	broken = ir_check(ir);
	if (broken)
		fail_msg("%s", broken);
	jvm_resolve(ir);
	broken = ir_check(ir);
	if (broken)
		fail_msg("resolved: %s", broken);
	return ir;
}

#endif
