/* name.h - descriptors, and names as a Java programmer writes them. */
#ifndef JVM_NAME_H
#define JVM_NAME_H

#include "jvm/jvm.h"

/* Text in the making; no zero byte behind. */
typedef Vec(char) NameBuf;

/* The result's descriptor of a method descriptor, which is well formed. */
JStr name_return(JStr desc);
/* The parameter of desc at *at (0 at first), which is moved on; empty: no more. */
JStr name_next_param(JStr desc, u32 *at);

/* Appends the name of a Class entry: a/b/C$D gives a.b.C$D, [I gives int[]. */
void name_class(Arena *a, NameBuf *b, JStr s);
/* The same for a field descriptor. */
void name_desc(Arena *a, NameBuf *b, JStr s);
void name_push(Arena *a, NameBuf *b, JStr s);
/* a.b.C.D; anonymous classes stay a.b.C$1. */
void name_pretty_class(Arena *a, NameBuf *b, JStr s);
/* a.b.C.run, new a.b.C, static initialiser of a.b.C, lambda in a.b.C.run. */
void name_pretty_method(Arena *a, NameBuf *b, JStr class, JStr method);

#endif
