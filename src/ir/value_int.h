/* value_int.h - what value.c, value_cell.c, value_fact.c and prune.c share. */
#ifndef IR_VALUE_INT_H
#define IR_VALUE_INT_H

#include "ir/prune.h"
#include "ir/range.h"

enum { EDGE_LIVE = 1, EDGE_NEVER = 2 };

/* A variable, or a member of one, of which all accesses are known. */
typedef struct Cell {
	GlobalId global; /* 0: it is a field */
	u64 off;
	u16 width;
	u8 grown;
	bool any; /* nothing is known of it */
	Range range;
	u32 load; /* first in loads */
	u32 next; /* of the same global */
} Cell;
typedef struct CellLoad {
	InsId ins;
	u32 next;
} CellLoad;

typedef struct Values {
	const Ir *ir;
	Arena *arena; /* for as long as the analysis takes */
	PruneOptions opt;
	FnId root;
	/* by register: fn->reg + r */
	Range *val;
	u8 *grown;
	u32 *use, *uses; /* uses[use[x] ...] are the instructions that use it */
	/* by block: fn->block + b - 1 */
	FnId *fn_of;
	u8 *live;
	u32 *stop; /* so many of its instructions are known to be reached and passed */
	u32 *cut;  /* at most so many are passed, as value_fact.c found */
	/* by place in ir->succs */
	u8 *edge;
	/* by instruction */
	u32 *block_of;
	/* by function */
	u32 *call, *calls; /* calls[call[f] ...] are its plain calls */
	u8 *open;          /* somebody may call it whom we do not see */
	u8 *returns, *result_grown;
	Range *result;
	u32 *param;    /* of its first parameter in passed */
	Range *passed; /* by parameter: with what a call of the function returns */
	/* memory */
	u8 *hidden; /* [global]: every access names it */
	u32 *cell_of_global;
	u32 *field_cell; /* [FieldId]: 0 none, 1 not accessed, else its cell */
	Map cell_index;
	Vec(Cell) cells;
	Vec(CellLoad) loads;
	Map arm_of;          /* place of a phi's operand in ir->args -> index + 1 in: */
	Vec(i64) arms;       /* numbers that it is whenever control comes that way */
	VecU32 todo, blocks; /* instructions and blocks to look at (again) */
	bool found;          /* an edge turned out to be never taken */
} Values;

static inline const Fn *
values_fn(const Values *v, u32 block)
{
	return &v->ir->fns.at[v->fn_of[block]];
}
/* Is the register, or constant, a number or pointer of which ranges say something? */
static inline bool
value_is_number(u8 rt, u16 width)
{
	return (rt == RT_INT || rt == RT_PTR) && width && width <= 64;
}

/* value.c */
Range value_get(const Values *v, const Fn *f, Val x);
/* What the instruction gives, as far as its operands say. */
Range value_result(const Values *v, const Fn *f, BlockId b, const Ins *i);
/* The function that a call or fork certainly runs; 0 if it may be others. */
FnId value_callee(const Values *v, const Ins *i);
/* May control come from p, a block of f, to b? */
bool value_edge(const Values *v, const Fn *f, BlockId p, BlockId b);
/* Solves for all that root reaches, edges that are never taken left out. */
void values_solve(Values *v);
void values_init(Values *v, Arena *a, const Ir *ir, FnId root, const PruneOptions *opt);

/* value_cell.c */
void cells_find(Values *v);
/* The cell that a load or store accesses; 0 if it is not known. */
u32 cell_of(const Values *v, const Fn *f, const Ins *i);
/* Back to what cells begin with. */
void cells_reset(Values *v);
/* Says that the cell may hold x; true if that is new. */
bool cell_join(Cell *c, Range x);

/* value_field.c: the same for fields of classes */
void fields_find(Values *v);
u32 field_cell_of(const Values *v, const Fn *f, const Ins *i);

/* value_fact.c */
/* Looks for edges that the conditions passed before rule out. */
void values_refine(Values *v);

#endif
