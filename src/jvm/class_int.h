/* class_int.h - what the parts of the class reader share. */
#ifndef JVM_CLASS_INT_H
#define JVM_CLASS_INT_H

#include "base/reader.h"
#include "jvm/jvm.h"

/* Constant pool tags. */
enum {
	CP_UTF8 = 1,
	CP_INT = 3,
	CP_FLOAT = 4,
	CP_LONG = 5,
	CP_DOUBLE = 6,
	CP_CLASS = 7,
	CP_STRING = 8,
	CP_FIELD = 9,
	CP_METHOD = 10,
	CP_IMETHOD = 11,
	CP_NAME_TYPE = 12,
	CP_HANDLE = 15,
	CP_METHOD_TYPE = 16,
	CP_DYNAMIC = 17,
	CP_INVOKE_DYNAMIC = 18,
	CP_MODULE = 19,
	CP_PACKAGE = 20
};

/* Kinds of method handles. */
enum {
	HANDLE_GET_FIELD = 1,
	HANDLE_GET_STATIC = 2,
	HANDLE_PUT_FIELD = 3,
	HANDLE_PUT_STATIC = 4,
	HANDLE_VIRTUAL = 5,
	HANDLE_STATIC = 6,
	HANDLE_SPECIAL = 7,
	HANDLE_NEW = 8,
	HANDLE_INTERFACE = 9
};

typedef struct ClassReader {
	ClassFile *c;
	Arena *a;
	Reader r;
	const char *why; /* the first thing that was wrong */
} ClassReader;

/* Notes what is wrong, unless something was already; returns false. */
bool class_refuse(ClassReader *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reads the attributes of the class itself. */
bool class_attrs(ClassReader *p);
/* Reads the attributes of a field or method. */
bool class_member_attrs(ClassReader *p, JMember *m, bool is_method);

/* A member reference: class, name and descriptor; false if index is none. */
typedef struct JMemberRef {
	JStr class, name, desc;
	bool interface;
} JMemberRef;
bool class_member_ref(const ClassFile *c, u32 index, JMemberRef *out);
bool class_name_type(const ClassFile *c, u32 index, JStr *name, JStr *desc);
i64 class_number(const ClassFile *c, u32 index); /* of an int or long entry */

/* ---- descriptors -------------------------------------------------------- */

/* The length of the field descriptor at the start of s, 0 if there is none. */
u32 desc_field(const char *s, u32 n);
/* Says whether s is a method descriptor; counts parameters, and slots of the
 * operand stack that they take. */
bool desc_method(JStr s, u32 *nparam, u32 *nslot);

/* ---- a body --------------------------------------------------------------- */

typedef struct JHandler {
	u16 from, to, target;
	u16 type; /* a Class entry; 0: any exception */
} JHandler;
typedef struct JLine {
	u16 from, line;
} JLine;
typedef struct JLocal {
	u16 from, len, slot;
	JStr name;
} JLocal;
/* A Code attribute. */
typedef struct JCode {
	u16 max_stack, max_locals;
	const u8 *at;
	u32 n;
	JHandler *handlers;
	u32 nhandler;
	JLine *lines; /* in order of `from` */
	u32 nline;
	JLocal *locals;
	u32 nlocal;
} JCode;

/* Reads a method's Code attribute, m->code, into a; the instructions
 * themselves are not looked at.  False: why. */
bool class_code(JCode *out, Arena *a, const ClassFile *c, const JMember *m, const char **why);

#endif
