/* part.c - members of the program's types that models speak of.
 *
 * A library's struct that the program fills in itself may be laid out in many
 * ways: by version, configuration and pointer size.  Where the program says how
 * (in its debug information), a model names the member, "work_struct.func".
 * Each name is looked up once, in time linear in the types. */
#include "model/model_int.h"

#include <string.h>

/* Is text the n bytes at name? */
static bool
spells(const char *text, const char *name, size_t n)
{
	return !strncmp(text, name, n) && !text[n];
}

static bool
is_type(const char *text, const char *name, size_t n)
{
	static const char tag[] = "struct ";

	if (!strncmp(text, tag, sizeof tag - 1))
		text += sizeof tag - 1;
	return spells(text, name, n);
}

/* Adds to what is known of the place the one that the type has. */
static u32
add_type(const Ir *in, const Type *t, const char *member, u32 known)
{
	for (u32 k = t->member; k < t->member + t->nmember; k++) {
		const Member *m = &in->members.at[k];
		u32 at;

		if (strcmp(ir_str(in, m->name), member) != 0)
			continue;
		at = m->off < INT32_MAX ? (u32)m->off + PART_AT : PART_MANY;
		return known < PART_MANY || known == at ? at : PART_MANY;
	}
	return known == PART_NONE && t->nmember ? PART_ABSENT : known;
}

u32
part_find(Apply *x, u32 name)
{
	const Ir *in = x->in;
	const char *text = intern_get(&x->m->names, name), *dot = strchr(text, '.');
	u32 found = map_get(&x->parts, name);

	if (found)
		return found;
	found = PART_NONE;
	for (TypeId t = 1; t < in->types.n; t++)
		if (in->types.at[t].kind == TYPE_STRUCT &&
		    is_type(ir_str(in, in->types.at[t].name), text, (size_t)(dot - text)))
			found = add_type(in, &in->types.at[t], dot + 1, found);
	map_put(x->out->arena, &x->parts, name, found);
	return found;
}
