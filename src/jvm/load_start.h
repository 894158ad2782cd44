/* load_start.h - shared by the files that build the function which starts a
 * Java program. */
#ifndef JVM_LOAD_START_H
#define JVM_LOAD_START_H

#include "jvm/load_int.h"

typedef struct Starter {
	World *w;
	Ir *ir;
	Build b;
	Map classes, types; /* name of the unit -> id */
	GlobalId reflected; /* where objects of reflection are kept, 0 not yet made */
} Starter;

/* The class, or the type of its instances, that the unit knows by that name
 * (a.b.C$D, int[]). */
ClassId start_class(Starter *s, const char *name);
TypeId start_type(Starter *s, const char *name);
/* An instruction without operands, and its result. */
Val start_emit(Starter *s, Op op, RegType rt, u16 width, TypeId aux);
/* Declares method e, which has nparam parameters, its receiver counted. */
FnId start_declare(Starter *s, const Entry *e, u32 nparam);
/* A new instance of k, not yet constructed. */
Val start_object(Starter *s, KlassId k);
void start_initialise(Starter *s, KlassId k);

#endif
