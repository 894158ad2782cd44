/* lower_many.c - arrays of arrays.
 *
 * `new int[n][m]` makes many objects at one place, in loops.  Each type and
 * number of sizes has a function that does so: one array, and for each of its
 * elements a call of the function for one size less. */
#include "jvm/lower_int.h"

#include <stdio.h>

static u32
element_bytes(char d)
{
	switch (d) {
	case 'Z':
	case 'B': return 1;
	case 'C':
	case 'S': return 2;
	case 'I':
	case 'F': return 4;
	default: return 8;
	}
}

FnId
many_fn(JvmUnit *u, JStr array, u32 dims)
{
	ClassId c = unit_class(u, array);
	char sizes[16];
	StrId name, pretty;
	FnId f;

	u->text.n = 0;
	name_push(u->a, &u->text, (JStr){"new ", 4});
	name_class(u->a, &u->text, array);
	pretty = intern_bytes(&u->ir->strs, u->text.at, u->text.n);
	name_push(u->a, &u->text,
		  (JStr){sizes, (u32)snprintf(sizes, sizeof sizes, " of %u", dims)});
	name = unit_text(u);
	f = map_get(&u->fn_index, name);
	if (f)
		return f;
	f = unit_new_fn(u, name, pretty, c, (JStr){"", 0}, true);
	u->ir->fns.at[f].nparam = dims;
	u->ir->fns.at[f].ret = RT_PTR;
	u->ir->fns.at[f].flags = FN_STATIC | FN_SYNTHETIC;
	vec_push(u->a, &u->pending,
		 (Pending){.many = true, .fn = f, .class = c, .array = array, .dims = dims});
	return f;
}

static Ins *
define(Build *b, Op op, u32 narg, const Val *args, RegType rt, u16 width, Val *out)
{
	Val r = build_reg(b, rt, width);
	Ins *i = build_ins(b, op, narg, args);

	i->rt = (u8)rt;
	i->width = width;
	i->dst = *out = r;
	return i;
}

/* The array itself, with its length: 1 is the register of the size. */
static Val
build_array(JvmUnit *u, Build *b, const Pending *p)
{
	Ir *ir = u->ir;
	u32 bytes = p->array.n > 1 ? element_bytes(p->array.at[1]) : 8;
	u32 length = unit_length(u);
	TypeId type = unit_type(u, p->class);
	Val v, size, array, at;
	Ins *i = define(b, OP_CAST, 1, (Val[]){1}, RT_INT, 64, &v);

	i->sub = CAST_SEXT;
	i->imm = 32;
	define(b, OP_BIN, 2, (Val[]){v, ir_const_int(ir, 64, bytes)}, RT_INT, 64, &size)->sub =
	    BIN_MUL;
	define(b, OP_BIN, 2, (Val[]){size, ir_const_int(ir, 64, ARRAY_HEADER)}, RT_INT, 64, &v)
	    ->sub = BIN_ADD;
	i = define(b, OP_ALLOC, 1, &v, RT_PTR, 64, &array);
	i->sub = ALLOC_HEAP;
	i->aux = type;
	i->flags = INS_THROWS;
	i = define(b, OP_FIELD, 1, &array, RT_PTR, 64, &at);
	i->sub = 1;
	i->aux = length;
	i = build_ins(b, OP_STORE, 2, (Val[]){at, 1});
	i->flags = INS_FINAL;
	i->width = 32;
	return array;
}

/* Blocks 2 to 4: for each index, an element. */
static void
build_loop(JvmUnit *u, Build *b, const Pending *p, Val array)
{
	Ir *ir = u->ir;
	JStr inner = {p->array.at + 1, p->array.n - 1};
	Val index, next, c, at, v, args[256];
	Ins *i;

	args[0] = ir_const_fn(ir, many_fn(u, inner, p->dims - 1));
	for (u32 k = 1; k < p->dims; k++)
		args[k] = k + 1;
	build_term(b, OP_BR, 0, NULL, 1, (BlockId[]){2});
	build_block_start(b, 2);
	next = build_reg(b, RT_INT, 32);
	define(b, OP_PHI, 4, (Val[]){1, ir_const_int(ir, 32, 0), 3, next}, RT_INT, 32, &index);
	i = define(b, OP_CMP, 2, (Val[]){index, 1}, RT_INT, 1, &c);
	i->sub = CMP_SLT;
	i->imm = 32;
	build_term(b, OP_CBR, 1, &c, 2, (BlockId[]){3, 4});
	build_block_start(b, 3);
	define(b, OP_CALL, p->dims, args, RT_PTR, 64, &v)->flags = INS_THROWS;
	i = define(b, OP_INDEX, 2, (Val[]){array, index}, RT_PTR, 64, &at);
	i->sub = 1;
	i->imm = 8;
	build_ins(b, OP_STORE, 2, (Val[]){at, v})->width = 64;
	i = build_ins(b, OP_BIN, 2, (Val[]){index, ir_const_int(ir, 32, 1)});
	i->sub = BIN_ADD;
	i->rt = RT_INT;
	i->width = 32;
	i->dst = next;
	build_term(b, OP_BR, 0, NULL, 1, (BlockId[]){2});
	build_block_start(b, 4);
}

void
many_build(JvmUnit *u, const Pending *p)
{
	Build b;
	Val array;
	bool loop = p->dims > 1;

	u->ir->fns.at[p->fn].linkage = LINK_WEAK;
	build_begin(&b, u->ir, p->fn);
	for (u32 k = 0; k < p->dims; k++)
		build_param(&b, k, RT_INT, 32, 0);
	for (u32 k = 0; k < (loop ? 4u : 1u); k++)
		build_block_new(&b);
	build_block_start(&b, 1);
	array = build_array(u, &b, p);
	if (loop)
		build_loop(u, &b, p, array);
	build_term(&b, OP_RET, 1, &array, 0, NULL);
	build_end(&b);
}
