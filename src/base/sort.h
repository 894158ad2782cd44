/* sort.h - wide keys in order.
 *
 * qsort calls back for each comparison, and most of the time of sorting hundreds of
 * thousands of pairs of a report by position went there. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include "arena.h"

/* A number of 128 bits. */
typedef struct WideKey {
	u64 high, low;
} WideKey;

/* Puts the n keys in rising order. */
void sort_keys(Arena *scratch, WideKey *at, u32 n);

#endif
