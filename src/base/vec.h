/* vec.h - a growing array of any type, in an arena.
 *
 *	Vec(u32) v = {0};
 *	vec_push(arena, &v, 7);
 *	for (u32 i = 0; i < v.n; i++) use(v.at[i]);
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "arena.h"

#define Vec(T)                                                                                     \
	struct {                                                                                   \
		T *at;                                                                             \
		u32 n, cap;                                                                        \
	}

typedef Vec(u32) VecU32;

/* The same where there is no room yet. */
void *vec_grow(Arena *a, void *at, u32 *cap, u32 want, size_t size);

/* Makes room for at least want elements of the given size; returns the block. */
static inline void *
vec_room(Arena *a, void *at, u32 *cap, u32 want, size_t size)
{
	return want <= *cap ? at : vec_grow(a, at, cap, want, size);
}

/* Room for k more elements behind v->n, which stays. */
#define vec_reserve(a, v, k)                                                                       \
	((v)->at = vec_room((a), (v)->at, &(v)->cap, (v)->n + (u32)(k), sizeof *(v)->at))

#define vec_push(a, v, ...) (vec_reserve((a), (v), 1), (v)->at[(v)->n++] = (__VA_ARGS__))

/* Appends k zeroed elements and returns a pointer to the first. */
#define vec_extend(a, v, k) (vec_reserve((a), (v), (k)), (v)->n += (u32)(k), (v)->at + (v)->n - (k))

#endif
