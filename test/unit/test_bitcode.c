/* test_bitcode.c - modules that no compiler writes, and what would not end or run out of the stack with
 * them: each is refused, soon. */
#include "unit.h"

#include "../fuzz/bit_writer.h"
#include "llvm/llvm_int.h"

enum { IDENTIFICATION = 13, MODULE = 8, CONSTANTS = 11, METADATA = 15, TYPES = 17, STRTAB = 23 };
enum { VERSION = 1, VARIABLE = 7, FUNCTION = 8, ALIAS = 14 };
enum { COUNT_OF_TYPES = 1, VOID, INTEGER = 7, ARRAY = 11, STRUCT = 18, FN_TYPE = 21, POINTER = 25 };
enum { SET_TYPE = 1, NULL_VALUE, AGGREGATE = 7, CAST = 11 };
enum { DEEP = 300000 };

#define OPS(...) (u32)COUNT(((u64[]){__VA_ARGS__})), (u64[]){__VA_ARGS__}
#define RECORD(w, code, ...) put_record(w, code, OPS(__VA_ARGS__))

static const char names[] = "abcdefgh";

typedef struct World {
	Arena a;
	BitWriter w;
	BcModule m;
} World;

static void
begin(World *x)
{
	static const char by[] = "LLVM19.1.7";
	u64 op[sizeof by];

	arena_init(&x->a, NULL);
	x->w = (BitWriter){.arena = &x->a};
	put_magic(&x->w);
	put_block(&x->w, IDENTIFICATION);
	for (u32 k = 0; k < sizeof by - 1; k++)
		op[k] = (u8)by[k];
	put_record(&x->w, 1, sizeof by - 1, op);
	put_end(&x->w);
	put_block(&x->w, MODULE);
	RECORD(&x->w, VERSION, 2);
}

/* Reads what was written; is it understood? */
static bool
understood(World *x)
{
	u8 *copy;
	u32 n;

	while (x->w.depth)
		put_end(&x->w);
	put_block(&x->w, STRTAB);
	put_bytes(&x->w, 1, 0, NULL, names, sizeof names - 1);
	put_end(&x->w);
	n = x->w.out.n;
	copy = arena_alloc(&x->a, n + BITS_SLACK);
	memcpy(copy, x->w.out.at, n);
	bc_read(&x->m, &x->a, copy, n);
	return !x->m.bad;
}

/* 0 is i8, 1 ptr, 2 void, 3 a function, 4 a struct of a pointer */
static void
put_types(BitWriter *w)
{
	put_block(w, TYPES);
	RECORD(w, COUNT_OF_TYPES, 5);
	RECORD(w, INTEGER, 8);
	RECORD(w, POINTER, 0);
	put_record(w, VOID, 0, NULL);
	RECORD(w, FN_TYPE, 0, 2);
	RECORD(w, STRUCT, 0, 1);
	put_end(w);
}

static void
put_variable(BitWriter *w, u64 type, u64 init)
{
	RECORD(w, VARIABLE, 0, 1, type, 2, init, 0, 0, 0);
}

static void
put_alias(BitWriter *w, u64 type, u64 of)
{
	RECORD(w, ALIAS, 1, 1, type, 0, of, 0, 0);
}

/* ---- constants ---------------------------------------------------------- */

static void
plain_module(void **state)
{
	World x;

	(void)state;
	begin(&x);
	put_types(&x.w);
	put_variable(&x.w, 4, 3);
	put_alias(&x.w, 4, 0);
	put_block(&x.w, CONSTANTS);
	RECORD(&x.w, SET_TYPE, 4);
	RECORD(&x.w, AGGREGATE, 1);
	assert_true(understood(&x));
	arena_release(&x.a);
}

static void
constants_within_themselves(void **state)
{
	World x;

	(void)state;
	begin(&x);
	put_types(&x.w);
	put_variable(&x.w, 4, 2);
	put_block(&x.w, CONSTANTS);
	RECORD(&x.w, SET_TYPE, 1);
	RECORD(&x.w, CAST, 11, 1, 2);
	RECORD(&x.w, CAST, 11, 1, 1);
	assert_false(understood(&x));
	arena_release(&x.a);
}

static void
aliases_of_themselves(void **state)
{
	World x;

	(void)state;
	begin(&x);
	put_types(&x.w);
	put_alias(&x.w, 0, 1);
	put_alias(&x.w, 0, 0);
	assert_false(understood(&x));
	arena_release(&x.a);
}

static void
deep_constants(void **state)
{
	World x;

	(void)state;
	for (u32 forward = 0; forward < 2; forward++) {
		begin(&x);
		put_types(&x.w);
		put_variable(&x.w, 1, 2);
		put_block(&x.w, CONSTANTS);
		RECORD(&x.w, SET_TYPE, 1);
		put_record(&x.w, NULL_VALUE, 0, NULL);
		for (u64 k = 2; k < DEEP; k++)
			RECORD(&x.w, CAST, 11, 1, forward ? k + 1 : k - 1);
		put_record(&x.w, NULL_VALUE, 0, NULL);
		assert_false(understood(&x));
		arena_release(&x.a);
	}
}

static void
variables_that_are_functions(void **state)
{
	World x;

	(void)state;
	begin(&x);
	put_types(&x.w);
	put_variable(&x.w, 3, 0);
	assert_false(understood(&x));
	arena_release(&x.a);
}

/* ---- types -------------------------------------------------------------- */

static void
deep_types(void **state)
{
	World x;

	(void)state;
	for (u32 forward = 0; forward < 2; forward++) {
		begin(&x);
		put_block(&x.w, TYPES);
		RECORD(&x.w, COUNT_OF_TYPES, DEEP);
		RECORD(&x.w, INTEGER, 8);
		for (u64 k = 1; k < DEEP - 1; k++)
			RECORD(&x.w, STRUCT, 0, forward ? k + 1 : k - 1);
		RECORD(&x.w, INTEGER, 8);
		assert_false(understood(&x));
		arena_release(&x.a);
	}
}

static void
types_within_themselves(void **state)
{
	World x;

	(void)state;
	begin(&x);
	put_block(&x.w, TYPES);
	RECORD(&x.w, COUNT_OF_TYPES, 2);
	RECORD(&x.w, STRUCT, 0, 1);
	RECORD(&x.w, ARRAY, 3, 0);
	assert_false(understood(&x));
	arena_release(&x.a);
}

static void
types_that_hold_nothing(void **state)
{
	World x;

	(void)state;
	begin(&x);
	put_block(&x.w, TYPES);
	RECORD(&x.w, COUNT_OF_TYPES, 2);
	put_record(&x.w, VOID, 0, NULL);
	RECORD(&x.w, ARRAY, 3, 0);
	assert_false(understood(&x));
	arena_release(&x.a);
}

/* ---- streams ------------------------------------------------------------ */

/* Blocks each of which says that it goes on to the end of the file. */
static void
blocks_beyond_their_own(void **state)
{
	enum { BLOCKS = 20000 };
	World x;
	u32 words;

	(void)state;
	begin(&x);
	for (u32 k = 0; k < BLOCKS; k++) {
		put_block(&x.w, METADATA);
		RECORD(&x.w, 3, 0);
		put_end(&x.w);
	}
	words = x.w.out.n / 4;
	for (u32 k = 0; k + 8 < x.w.out.n; k += 4)
		if (!memcmp(x.w.out.at + k, "\2\0\0\0", 4))
			memcpy(x.w.out.at + k, &words, 4);
	assert_false(understood(&x));
	arena_release(&x.a);
}

/* An abbreviation by which a record of a few bits has as many numbers as the file has bits. */
static void
arrays_of_nothing(void **state)
{
	enum { ARRAY_FIELD = 3, PAD = 1 << 16, RECORDS = 20000 };
	static const u8 pad[PAD];
	World x;

	(void)state;
	begin(&x);
	put_block(&x.w, METADATA);
	put_bits(&x.w, 2, BITS_INSIDE);
	put_vbr(&x.w, 3, 5);
	for (u32 k = 0; k < 3; k++) {
		put_bits(&x.w, k == 1 ? ARRAY_FIELD << 1 : 1, k == 1 ? 4 : 1);
		if (k != 1)
			put_vbr(&x.w, 3, 8);
	}
	for (u32 k = 0; k < RECORDS; k++) {
		put_bits(&x.w, BITS_FIRST_ABBREV, BITS_INSIDE);
		put_vbr(&x.w, PAD * 4, 6);
	}
	x.w.abbrevs[x.w.depth]++;
	put_bytes(&x.w, 3, 0, NULL, pad, PAD);
	assert_false(understood(&x));
	arena_release(&x.a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_module),
	    cmocka_unit_test(constants_within_themselves),
	    cmocka_unit_test(aliases_of_themselves),
	    cmocka_unit_test(deep_constants),
	    cmocka_unit_test(variables_that_are_functions),
	    cmocka_unit_test(deep_types),
	    cmocka_unit_test(types_within_themselves),
	    cmocka_unit_test(types_that_hold_nothing),
	    cmocka_unit_test(blocks_beyond_their_own),
	    cmocka_unit_test(arrays_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
