/* heap.h - a queue that gives back the least of its numbers. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/vec.h"

typedef Vec(u64) Heap;

static inline void
heap_push(Arena *a, Heap *h, u64 key)
{
	u32 i = h->n;

	vec_push(a, h, key);
	for (u32 up; i && h->at[up = (i - 1) / 2] > key; i = up)
		h->at[i] = h->at[up];
	h->at[i] = key;
}

static inline u64
heap_pop(Heap *h)
{
	u64 top = h->at[0], last = h->at[--h->n];
	u32 i = 0;

	for (u32 k; (k = 2 * i + 1) < h->n; i = k) {
		if (k + 1 < h->n && h->at[k + 1] < h->at[k])
			k++;
		if (h->at[k] >= last)
			break;
		h->at[i] = h->at[k];
	}
	h->at[i] = last;
	return top;
}

#endif
