/* load_open_hook.c - methods that callers of an open program reach through a library only.
 *
 *	class Recent extends LinkedHashMap { protected boolean removeEldestEntry(e) { ... } }
 *
 * A class of the program that implements what a library's class above it keeps for subclasses
 * (`protected`) has it run by that class's own methods: callers who put to such a map run
 * removeEldestEntry.  So these are then part of what callers see. */
#include "jvm/load_open.h"

/* Do callers not see the method, but a class of a library above k declares it? */
static bool
is_hook(World *w, KlassId k, const JMember *m)
{
	const VecU32 *all = &world_klass(w, k)->all;
	StrId name;

	if (*m->name.at == '<' ||
	    m->flags & (ACC_PUBLIC | ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC))
		return false;
	name = open_method_name(w, m);
	for (u32 i = 1; i < all->n; i++)
		if (world_klass(w, all->at[i])->role != PATH_INPUT &&
		    !open_is_object(w, all->at[i]) && world_method(w, all->at[i], name) >= 0)
			return true;
	return false;
}

bool
open_has_hooks(World *w, KlassId k)
{
	const VecU32 *all = &world_klass(w, k)->all;

	for (u32 i = 0; i < all->n; i++) {
		const Klass *at = world_klass(w, all->at[i]);
		for (u32 m = 0; at->role == PATH_INPUT && at->file && m < at->file->nmethod; m++)
			if (is_hook(w, k, &at->file->methods[m]))
				return true;
	}
	return false;
}
