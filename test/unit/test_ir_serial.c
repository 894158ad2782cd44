/* test_ir_serial.c - the serial form: exact, the same for equal programs, and
 * harmless when damaged, also where the checksum has been made to fit. */
#include "test_ir.h"

static void
write_of(Bench *b, const Ir *ir, u8 **bytes, size_t *n)
{
	ir_write(ir, &b->arena, bytes, n);
}

static void
round_trip(void **state)
{
	Rand r = {31};

	(void)state;
	for (u32 k = 0; k < 100; k++) {
		Bench b;
		Ir ir, again;
		u8 *bytes, *second;
		size_t n, m;
		bench_init(&b);
		ir_init(&ir, &b.arena);
		random_program(&ir, &r);
		write_of(&b, &ir, &bytes, &n);
		ir_init(&again, &b.arena);
		assert_true(ir_read(&again, bytes, n));
		bench_check(&again);
		assert_string_equal(bench_print(&b, &ir), bench_print(&b, &again));
		write_of(&b, &again, &second, &m);
		assert_int_equal(n, m);
		assert_memory_equal(bytes, second, n);
		bench_release(&b);
	}
}

static void
constants_are_found_again(void **state)
{
	Bench b;
	Ir ir, again;
	u8 *bytes;
	size_t n;
	Val five;
	SrcId src;

	(void)state;
	bench_init(&b);
	ir_init(&ir, &b.arena);
	five = ir_const_int(&ir, 32, 5);
	ir_const_null(&ir);
	src = ir_src(&ir, intern_str(&ir.strs, "a.c"), 3, 4);
	write_of(&b, &ir, &bytes, &n);
	ir_init(&again, &b.arena);
	assert_true(ir_read(&again, bytes, n));
	assert_int_equal(ir_const_int(&again, 32, 5), five);
	assert_int_equal(ir_src(&again, intern_str(&again.strs, "a.c"), 3, 4), src);
	assert_int_equal(again.consts.n, ir.consts.n);
	bench_release(&b);
}

static void
damage_is_noticed(void **state)
{
	Rand r = {37};
	Bench b;
	Ir ir, again;
	u8 *bytes;
	size_t n;

	(void)state;
	bench_init(&b);
	ir_init(&ir, &b.arena);
	random_program(&ir, &r);
	write_of(&b, &ir, &bytes, &n);
	for (size_t cut = 0; cut < n; cut += 1 + cut / 8) {
		ir_init(&again, &b.arena);
		assert_false(ir_read(&again, bytes, cut));
	}
	for (u32 k = 0; k < 300; k++) {
		size_t at = rand_below(&r, (u32)n);
		u8 bit = (u8)(1u << rand_below(&r, 8));
		bytes[at] ^= bit;
		ir_init(&again, &b.arena);
		if (ir_read(&again, bytes, n))
			fail_msg("a change of byte %zu of %zu is not noticed", at, n);
		bytes[at] ^= bit;
	}
	ir_init(&again, &b.arena);
	assert_true(ir_read(&again, bytes, n));
	bench_release(&b);
}

/* With a checksum that fits, the lengths and ids are all that stands between
 * the bytes and us. */
static void
forged_bytes_do_no_harm(void **state)
{
	const char *rounds = getenv("IR_FLIPS");
	u32 n_rounds = rounds ? (u32)atoi(rounds) : 600, accepted = 0, unsound = 0;
	Rand r = {41};

	(void)state;
	for (u32 k = 0; k < n_rounds; k++) {
		Bench b;
		Ir ir, again;
		u8 *bytes;
		size_t n;
		u64 sum;
		bench_init(&b);
		ir_init(&ir, &b.arena);
		random_program(&ir, &r);
		write_of(&b, &ir, &bytes, &n);
		for (u32 j = 1 + rand_below(&r, 3); j; j--)
			bytes[16 + rand_below(&r, rand_below(&r, 4) ? (u32)n - 16 : 100)] ^=
			    (u8)(1u << rand_below(&r, 8));
		sum = hash_bytes(bytes + 16, n - 16);
		memcpy(bytes + 8, &sum, sizeof sum);
		ir_init(&again, &b.arena);
		if (ir_read(&again, bytes, n)) {
			if (ir_check(&again))
				unsound++;
			else
				accepted++, bench_print(&b, &again); /* as good as any program */
		}
		bench_release(&b);
	}
	assert_true(unsound && accepted); /* both ways were taken */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(round_trip),
	    cmocka_unit_test(constants_are_found_again),
	    cmocka_unit_test(damage_is_noticed),
	    cmocka_unit_test(forged_bytes_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
