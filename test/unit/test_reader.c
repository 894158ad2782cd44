/* test_reader.c - values come back as they were written, and no read, however
 * cut the input is, goes past its end or forgets an error. */
#include "unit.h"

#include "base/reader.h"

#include <stdlib.h>
#include <string.h>

static void
fixed_width(void **state)
{
	static const u8 bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	Reader r = reader_on(bytes, sizeof bytes);

	(void)state;
	assert_int_equal(reader_u8(&r), 1);
	reader_seek(&r, 0);
	assert_int_equal(reader_u16le(&r), 0x0201);
	reader_seek(&r, 0);
	assert_int_equal(reader_u16be(&r), 0x0102);
	assert_int_equal(reader_u32le(&r), 0x06050403);
	reader_seek(&r, 1);
	assert_int_equal(reader_u32be(&r), 0x02030405);
	reader_seek(&r, 1);
	assert_true(reader_u64le(&r) == 0x0908070605040302u);
	assert_true(reader_done(&r));
	reader_seek(&r, 1);
	assert_true(reader_u64be(&r) == 0x0203040506070809u);
	assert_int_equal(reader_u8(&r), 0);
	assert_true(r.failed);
	reader_seek(&r, 0);
	assert_int_equal(reader_u8(&r), 0);
	assert_false(reader_done(&r));
}

static size_t
put_uleb(u8 *to, u64 x)
{
	size_t n = 0;

	for (; x >= 0x80; x >>= 7)
		to[n++] = (u8)(x | 0x80);
	to[n++] = (u8)x;
	return n;
}

static size_t
put_sleb(u8 *to, i64 x)
{
	size_t n = 0;

	for (;;) {
		u8 byte = x & 0x7f;
		x >>= 7;
		if ((x == 0 && !(byte & 0x40)) || (x == -1 && (byte & 0x40))) {
			to[n++] = byte;
			return n;
		}
		to[n++] = byte | 0x80;
	}
}

/* Each value back from exactly its bytes, an error from one byte less. */
static void
leb(void **state)
{
	Rand rand = {7};

	(void)state;
	for (u32 i = 0; i < 20000; i++) {
		u64 x = (u64)rand_below(&rand, UINT32_MAX) << 32 | rand_below(&rand, UINT32_MAX);
		u8 bytes[10];
		Reader r;
		size_t n;
		x >>= i % 64;
		x = i == 0 ? UINT64_MAX : i == 1 ? (u64)INT64_MIN : i == 2 ? INT64_MAX : x;
		n = put_uleb(bytes, x);
		r = reader_on(bytes, n);
		assert_true(reader_uleb(&r) == x && reader_done(&r));
		r = reader_on(bytes, n - 1);
		assert_true(reader_uleb(&r) == 0 && r.failed);
		n = put_sleb(bytes, i % 2 ? (i64)x : (i64)~x);
		r = reader_on(bytes, n);
		assert_true(reader_sleb(&r) == (i % 2 ? (i64)x : (i64)~x) && reader_done(&r));
		r = reader_on(bytes, n - 1);
		assert_true(reader_sleb(&r) == 0 && r.failed);
	}
}

static void
leb_too_large(void **state)
{
	static const u8 large[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2};
	static const u8 endless[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
				     0x80, 0x80, 0x80, 0x80, 0x80, 0};
	static const u8 wide[] = {0x80, 0x80, 0x80, 0x80, 0x10};
	Reader r = reader_on(large, sizeof large);

	(void)state;
	reader_uleb(&r);
	assert_true(r.failed);
	r = reader_on(endless, sizeof endless);
	reader_uleb(&r);
	assert_true(r.failed);
	r = reader_on(endless, sizeof endless);
	reader_sleb(&r);
	assert_true(r.failed);
	r = reader_on(wide, sizeof wide);
	reader_uleb32(&r);
	assert_true(r.failed);
}

/* A count must be backed by input, so nobody allocates what a liar asks for. */
static void
counts(void **state)
{
	static const u8 bytes[] = {3, 1, 1, 2, 2, 3, 3};
	Reader r = reader_on(bytes, sizeof bytes), part;

	(void)state;
	assert_int_equal(reader_count(&r, 2), 3);
	part = reader_part(&r, 4);
	assert_int_equal(reader_left(&part), 4);
	assert_int_equal(reader_left(&r), 2);
	part = reader_part(&r, 3);
	assert_true(part.failed && r.failed);
	r = reader_on(bytes, sizeof bytes);
	assert_int_equal(reader_count(&r, 3), 0);
	assert_true(r.failed);
	r = reader_on(NULL, 0);
	assert_true(reader_done(&r));
	assert_null(reader_bytes(&r, 1));
}

/* Random reads of random bytes in a block of exactly their size, so that the
 * sanitizers see a read past the end. */
static void
never_past_the_end(void **state)
{
	Rand rand = {8};

	(void)state;
	for (u32 round = 0; round < 5000; round++) {
		u32 n = rand_below(&rand, 20);
		u8 *bytes = malloc(n ? n : 1);
		Reader r = reader_on(bytes, n);
		for (u32 i = 0; i < n; i++)
			bytes[i] = (u8)rand_below(&rand, 256);
		for (u32 i = 0; i < 10; i++) {
			bool failed = r.failed;
			switch (rand_below(&rand, 7)) {
			case 0: reader_u64be(&r); break;
			case 1: reader_uleb(&r); break;
			case 2: reader_sleb(&r); break;
			case 3: reader_u16le(&r); break;
			case 4: reader_count(&r, 1 + rand_below(&rand, 3)); break;
			case 5: reader_skip(&r, rand_below(&rand, 5)); break;
			case 6: reader_part(&r, rand_below(&rand, 5)); break;
			}
			assert_true(r.at <= r.end && r.at >= r.start);
			assert_true(!failed || r.failed);
		}
		free(bytes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fixed_width),        cmocka_unit_test(leb),
	    cmocka_unit_test(leb_too_large),      cmocka_unit_test(counts),
	    cmocka_unit_test(never_past_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
