/* print_int.h - between the two halves of the printer: print.c (words, tables)
 * and print_fn.c (functions). */
#ifndef IR_PRINT_INT_H
#define IR_PRINT_INT_H

#include "ir/text.h"

typedef struct Printer {
	const Ir *ir;
	FILE *to;
	Arena scratch; /* for one function */
	Map symbols;   /* name -> 1 or, where several have it, 2 */
	const Fn *fn;
	bool *bare; /* by register: the name alone is enough */
	StrId file; /* of positions that name none */
} Printer;

/* print.c */
void print_str(Printer *p, StrId s);
/* The name s if there is anything to print of it, else 0. */
StrId print_named(const Printer *p, StrId s);
/* Can s stand without quotes? */
bool print_is_name(const Ir *ir, StrId s);
/* @name of function ('f') or global ('g') id. */
void print_symbol(Printer *p, char table, u32 id);
void print_kind(Printer *p, Kind k);
void print_src(Printer *p, SrcId id);
const char *print_name_at(Names n, u32 k);
void print_unit(Printer *p, StrId unit);

/* print_fn.c; the first is called before the others, for the same function */
void print_choose_names(Printer *p, const Fn *f);
void print_ins(Printer *p, const Ins *i, const Block *b);
void print_fn(Printer *p, FnId id);
/* A value; width is what an integer has without saying so. */
void print_val(Printer *p, Val v, u16 width);

#endif
