/* class.h - the hierarchy of classes: which class an object has, what a
 * virtual call runs, what a checked cast lets pass. */
#ifndef IR_CLASS_H
#define IR_CLASS_H

#include "ir/ir.h"

/* The classes by name, so that the class of an object's type is found. */
typedef struct ClassIndex {
	const Ir *ir;
	Map by_name; /* StrId -> ClassId */
} ClassIndex;
void class_index(ClassIndex *x, Arena *a, const Ir *ir);
/* The class of objects of type t; 0 if that is no class. */
ClassId class_of_type(const ClassIndex *x, TypeId t);

/* The class of an array of which no more is known than that it is one. */
#define ARRAY_OF_ANY "?[]"
/* That of an object made at run time for some interfaces. */
#define OBJECT_OF_ANY "?"

/* Is c super, or a class or interface below it?  What is of no known class may
 * be of any. */
bool class_within(const Ir *ir, ClassId c, ClassId super);
/* The same, where a class above c that was not found may be below any other, and
 * ARRAY_OF_ANY may be any array, OBJECT_OF_ANY any interface. */
bool class_may_be(const Ir *ir, ClassId c, ClassId super);
/* The CLASS_* flags of c and the classes above it. */
u32 class_flags(const Ir *ir, ClassId c);
/* The method with a body that a virtual call of `name` (with descriptor) runs
 * on an object of class c: its own, the nearest inherited one, or else the
 * default of an interface below all others that have one; 0 none. */
FnId class_method(const Ir *ir, ClassId c, StrId name);

#endif
