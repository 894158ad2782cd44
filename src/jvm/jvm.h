/* jvm.h - Java class files to IR: what the parts of this directory share.
 *
 * class*.c read one class file and trust nothing in it; lower*.c turn methods
 * into IR, one at a time and in any order, into one growing Ir (a JvmUnit).
 * Nothing outside the given class is looked at: what it refers to is declared
 * by name and listed for the loader.  Units have no shared state, so that each
 * worker has its own; they are linked with ir_link, classes by name, and then
 * jvm_resolve finds for the program what the language finds through
 * superclasses (inherited fields and methods, volatile fields of others).
 *
 * Names in the IR, which models refer to:
 *
 *	class	java.util.Map$Entry	(an array: int[], java.lang.String[][])
 *	method	java.lang.Thread.start()V	class, dot, name and descriptor; <init> and <clinit>
 *	virtual call's aux	start()V
 *	static	java.lang.System.out	a global with the declaring class's name in front
 *	pretty	java.util.Map.Entry.getKey, new java.lang.Thread, lambda in a.B.run */
#ifndef JVM_JVM_H
#define JVM_JVM_H

#include "ir/ir.h"

/* ---- class files (class.c, class_attr.c) ----------------------------------------- */

/* Bytes in the class file; modified UTF-8, no zero byte behind. */
typedef struct JStr {
	const char *at;
	u32 n;
} JStr;

/* Access flags that matter, as in the class file. */
enum {
	ACC_PUBLIC = 0x0001,
	ACC_PRIVATE = 0x0002,
	ACC_STATIC = 0x0008,
	ACC_FINAL = 0x0010,
	ACC_SYNCHRONIZED = 0x0020, /* method */
	ACC_VOLATILE = 0x0040,     /* field */
	ACC_BRIDGE = 0x0040,       /* method */
	ACC_VARARGS = 0x0080,
	ACC_NATIVE = 0x0100,
	ACC_INTERFACE = 0x0200,
	ACC_ABSTRACT = 0x0400,
	ACC_SYNTHETIC = 0x1000,
	ACC_ENUM = 0x4000,
	ACC_MODULE = 0x8000
};

/* The class whose only field, `length`, stands for the length of every array; no
 * Java class can have this name. */
#define JVM_ARRAY "an array"

/* Behind it, the name of a static field that holds a handle of a variable: such a
 * class has a field "?", which stands for that variable, and one that is named as
 * the variable is; see lower_handle.c. */
#define JVM_HANDLE "handle of "

/* In Field.flags, beside the class file's own (and the notes, from bit 16): the
 * class declares the field; others only name it. */
#define JVM_DECLARED 0x80000000u

/* A field or method. */
typedef struct JMember {
	u16 flags;
	u16 notes;       /* NOTE_* */
	JStr name, desc; /* desc has been checked: a field's or a method's */
	JStr guard;      /* @GuardedBy's value */
	u16 value;       /* field: constant pool index of ConstantValue, 0 none */
	const u8 *code;  /* method: its Code attribute's contents, null if it has none */
	u32 ncode;       /* bytes of it */
} JMember;

/* A constant pool entry; what a and b are depends on the tag.  Strings are
 * looked up with class_utf8 and so on, which check the tag. */
typedef struct JConst {
	u8 tag; /* 0: no entry, also behind long and double */
	u16 a, b;
	u32 at; /* offset of the contents in the file */
} JConst;

typedef struct JBootstrap {
	u16 method;    /* constant pool index of a MethodHandle */
	u32 arg, narg; /* ClassFile.args[arg ...]: constant pool indices */
} JBootstrap;

typedef struct ClassFile {
	const u8 *bytes; /* the caller's; must live as long as this */
	size_t n;
	u16 major;
	u16 flags, notes;
	bool library; /* set by the loader: not the program's own */
	u32 nconst;
	JConst *consts; /* [1 .. nconst) */
	JStr name;      /* java/util/Map$Entry */
	JStr super;     /* empty for java/lang/Object and module-info */
	JStr *ifaces;
	u32 niface;
	JMember *fields, *methods;
	u32 nfield, nmethod;
	JStr source; /* SourceFile; empty: unknown */
	JStr host;   /* NestHost: the class around all; empty: none */
	JStr outer;  /* InnerClasses: the class that this one is a member of; empty: none */
	JStr *nest;  /* NestMembers */
	u32 nnest;
	JBootstrap *boots;
	u32 nboot;
	u16 *args;
	u32 narg;
} ClassFile;

/* Reads the class file; out's tables are a's, its strings the caller's bytes.
 * False: why says what is wrong (a's memory).  Bodies are only delimited here:
 * jvm_lower_method judges them. */
bool class_parse(ClassFile *out, Arena *a, const u8 *bytes, size_t n, const char **why);

/* Lookups that check index and tag; an empty string where there is none. */
JStr class_utf8(const ClassFile *c, u32 index);
JStr class_class(const ClassFile *c, u32 index); /* the name of a Class entry */

/* The method with that name and descriptor, -1 if c has none. */
int class_find_method(const ClassFile *c, JStr name, JStr desc);
int class_find_field(const ClassFile *c, JStr name, JStr desc);

static inline bool
jstr_is(JStr s, const char *text)
{
	size_t n = __builtin_strlen(text);

	return s.n == n && !__builtin_memcmp(s.at, text, n);
}

static inline bool
jstr_equal(JStr x, JStr y)
{
	return x.n == y.n && (!x.n || !__builtin_memcmp(x.at, y.at, x.n));
}

/* ---- lowering (lower*.c, name.c) -------------------------------------------------- */

/* What a lowered method refers to, for the loader to find. */
typedef enum JvmRefKind {
	JVM_REF_CLASS,   /* mentioned: cast, class constant, array element, caught */
	JVM_REF_NEW,     /* instantiated; name: its class only */
	JVM_REF_INIT,    /* its initialiser may run (new, static field or method) */
	JVM_REF_STATIC,  /* invokestatic, or a handle of it */
	JVM_REF_SPECIAL, /* invokespecial: exactly that method, or the next one above */
	JVM_REF_VIRTUAL, /* dispatched on the receiver, classes and interfaces */
	JVM_REF_FIELD,   /* instance or static field */
	JVM_REF_LAMBDA   /* an instance of a synthetic class was made: class implements iface;
			  * its method has been lowered with this one */
} JvmRefKind;
typedef struct JvmRef {
	JvmRefKind kind;
	StrId class; /* in the unit's strings: a.b.C$D; never an array */
	StrId name;  /* method: name and descriptor "run()V"; field: its name; else 0 */
	StrId iface; /* JVM_REF_LAMBDA: the interface */
} JvmRef;

typedef struct JvmUnit JvmUnit;

/* An empty unit whose tables are ir's (initialised, empty); its own memory is
 * ir's arena's too. */
JvmUnit *jvm_unit_new(Ir *ir);
/* Declares c: the class, its fields, its static fields as globals, its methods.
 * Each class once per unit; c must live as long as the unit.  False: why. */
bool jvm_declare(JvmUnit *u, const ClassFile *c, const char **why);
/* Lowers the body of method k of c, which has been declared; nothing happens
 * for abstract and native methods and for those already lowered.  False: the
 * body is malformed, why says how, the method stays a declaration. */
bool jvm_lower_method(JvmUnit *u, const ClassFile *c, u32 k, const char **why);
/* What the last jvm_lower_method or jvm_declare (superclasses) referred to, each
 * thing once per method; valid until the next call. */
const JvmRef *jvm_refs(const JvmUnit *u, u32 *n);
/* The function declared for a method, 0 if c was not declared. */
FnId jvm_fn(const JvmUnit *u, const ClassFile *c, u32 k);
/* Lays out classes and fields; the unit is then done, and u->ir passes
 * ir_check. */
void jvm_unit_finish(JvmUnit *u);
/* Declares and lowers all of c: methods that are malformed stay declarations,
 * with an assumption.  Returns how many those are. */
u32 jvm_lower_class(JvmUnit *u, const ClassFile *c);

/* In a whole program: inherited fields, static fields and methods become those
 * of the class that declares them, accesses to volatile fields are ordered, and
 * initialisers that do not exist are forgotten.  Cyclic superclasses are cut,
 * with an assumption. */
void jvm_resolve(Ir *ir);

#endif
