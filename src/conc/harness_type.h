/* harness_type.h - which struct a pointer parameter or result points to. */
#ifndef CONC_HARNESS_TYPE_H
#define CONC_HARNESS_TYPE_H

#include "ir/ir.h"

typedef struct ParamTypes {
	u32 *first;   /* [FnId]: its first parameter in type */
	TypeId *type; /* of each function's parameters, then its result; 0 unknown */
} ParamTypes;

/* Looks at all bodies of ir; the memory is ir's. */
ParamTypes param_types(Ir *ir);

static inline TypeId
param_type(const ParamTypes *t, FnId f, u32 k)
{
	return t->type[t->first[f] + k];
}
static inline TypeId
result_type(const ParamTypes *t, const Ir *ir, FnId f)
{
	return t->type[t->first[f] + ir->fns.at[f].nparam];
}

#endif
