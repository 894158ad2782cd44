/* unit.h - what every unit test includes: cmocka, an arena per test, and random
 * numbers that are the same on each run. */
#ifndef UNIT_H
#define UNIT_H

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Rand {
	u64 x;
} Rand;

/* A number below n (xorshift64*). */
static inline u32
rand_below(Rand *r, u32 n)
{
	if (!r->x)
		r->x = 0x9e3779b97f4a7c15u;
	r->x ^= r->x >> 12;
	r->x ^= r->x << 25;
	r->x ^= r->x >> 27;
	return (u32)((r->x * 0x2545f4914f6cdd1du >> 32) % n);
}

#endif
