/* link_int.h - between the parts of the linker: link.c (symbols, bodies) and
 * link_type.c (types, classes), link_section.c (sets that the linker collects). */
#ifndef IR_LINK_INT_H
#define IR_LINK_INT_H

#include "base/diag.h"
#include "ir/ir.h"

/* One unit, and what its ids become in the program. */
typedef struct Unit {
	const Ir *ir;
	StrId *str;
	SrcId *src;
	TypeId *type;
	u64 *label; /* [type]: a hash of its content, see link_type.c */
	ClassId *class;
	FieldId *field;
	GlobalId *global;
	FnId *fn;
	Val *konst;
} Unit;

/* Where a symbol of the program comes from. */
typedef struct Pick {
	u32 unit, id;
} Pick;
typedef Vec(Pick) Picks;

typedef struct Link {
	Ir *out;
	Unit *units;
	u32 n;
	Arena scratch;
	Diag *diag;
	Picks fns, globals; /* by id in the program */
} Link;

void link_types(Link *l);
/* Functions and globals have their ids already. */
void link_classes(Link *l);
/* Writes the functions that say where sections begin and end. */
void link_sections(Ir *out);

#endif
