/* vec.c - growth of Vec. */
#include "vec.h"

void *
vec_grow(Arena *a, void *at, u32 *cap, u32 want, size_t size)
{
	u32 room = *cap;

	if (want > UINT32_MAX / 2)
		fatal("a table with more than two billion elements");
	if (!room)
		room = FIRST_CAP(8);
	while (room < want)
		room *= 2;
	room = (u32)MIN(arena_room(room * size) / size, UINT32_MAX / 2);
	at = arena_grow(a, at, *cap * size, room * size);
	*cap = room;
	return at;
}
