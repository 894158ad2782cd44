/* layout.c - types of LLVM, matched with those of the debug information.
 *
 * LLVM's %struct.s is debug type "struct s" if the sizes agree; %struct.anon
 * is the one debug type without a name that has the same offsets, if there is
 * just one.  Otherwise the type is made from LLVM's layout, without names of
 * members.  LLVM's types contain each other by value only, so this ends. */
#include "llvm/llvm_int.h"

#include <ctype.h>
#include <string.h>

static TypeId
add(Lower *l, TypeKind kind, const char *name, u64 size)
{
	StrId s = name ? intern_str(&l->ir->strs, name) : 0;

	vec_push(l->ir->arena, &l->ir->types, (Type){.kind = (u8)kind, .name = s, .size = size});
	return l->ir->types.n - 1;
}

static TypeId
by_name(Lower *l, const char *name, size_t n, u64 size)
{
	StrId s = intern_find(&l->ir->strs, name, n);
	TypeId id = s ? map_get(&l->named, s) : 0;

	return id && l->ir->types.at[id].size == size ? id : 0;
}

/* The length of name without the ".12" that LLVM adds to tell equal names
 * apart. */
static size_t
base_length(const char *name)
{
	size_t n = strlen(name), k = n;

	while (k && isdigit((unsigned char)name[k - 1]))
		k--;
	return k && k < n && name[k - 1] == '.' ? k - 1 : n;
}

/* Is there a member of debug type d at each offset that t has, and no other? */
static bool
same_layout(Lower *l, const Type *d, BcType *t)
{
	u32 n = t->n, k = 0;

	for (u32 i = 0; i < d->nmember; i++) {
		u64 off = l->ir->members.at[d->member + i].off;
		while (k < n && bc_offset(l->m, t, k) < off)
			k++;
		if (k == n || bc_offset(l->m, t, k) != off)
			return false;
	}
	return true;
}

static TypeId
by_layout(Lower *l, BcType *t, bool is_union, u64 size)
{
	TypeId found = 0;

	for (u32 i = 0; i < l->anon.n; i++) {
		const Type *d = &l->ir->types.at[l->anon.at[i]];
		if (d->name || d->size != size || (d->kind == TYPE_UNION) != is_union)
			continue;
		if (!is_union && !same_layout(l, d, t))
			continue;
		if (found)
			return 0;
		found = l->anon.at[i];
	}
	return found;
}

/* Does LLVM call a type so that has no name in the source? */
static bool
is_anon(const char *name)
{
	size_t n = base_length(name);

	return (n == 11 && !memcmp(name, "struct.anon", n)) ||
	       (n == 10 && !memcmp(name, "union.anon", n));
}

static TypeId
match(Lower *l, BcType *t, u64 size)
{
	const char *name = t->name;
	size_t n;
	TypeId id;

	if (!name || !*name)
		return 0;
	n = base_length(name);
	if (is_anon(name))
		return by_layout(l, t, name[0] == 'u', size);
	id = by_name(l, name, strlen(name), size);
	return id ? id : by_name(l, name, n, size);
}

static TypeId
make_struct(Lower *l, BcType *t)
{
	u64 size = type_size(l, t);
	const char *name = t->name;
	TypeId id = match(l, t, size), *member;
	u32 n, first;

	if (id)
		return id;
	id = add(l, TYPE_STRUCT, name && is_anon(name) ? NULL : name, size);
	if (!size) /* also opaque types */
		return id;
	n = t->n;
	member = arena_array(&l->scratch, TypeId, n);
	for (u32 i = 0; i < n; i++)
		member[i] = type_of(l, t->part[i]);
	first = l->ir->members.n;
	for (u32 i = 0; i < n; i++)
		vec_push(l->ir->arena, &l->ir->members,
			 (Member){0, member[i], bc_offset(l->m, t, i)});
	l->ir->types.at[id].member = n ? first : 0;
	l->ir->types.at[id].nmember = n;
	return id;
}

static TypeId
make_array(Lower *l, BcType *t, u64 count)
{
	TypeId elem = type_of(l, t->part[0]);
	TypeId id = add(l, TYPE_ARRAY, NULL, type_size(l, t));

	l->ir->types.at[id].elem = elem;
	l->ir->types.at[id].count = count;
	return id;
}

static TypeId
make(Lower *l, BcType *t)
{
	u16 width;

	switch (t->kind) {
	case LLVMStructTypeKind: return make_struct(l, t);
	case LLVMArrayTypeKind: return make_array(l, t, t->count);
	case LLVMVectorTypeKind: return make_array(l, t, t->count);
	case LLVMFunctionTypeKind: return add(l, TYPE_FN, "function", 0);
	case LLVMPointerTypeKind: return add(l, TYPE_PTR, "void *", type_size(l, t));
	case LLVMIntegerTypeKind:
		return add(l, TYPE_INT, arena_printf(&l->scratch, "i%u", t->bits), type_size(l, t));
	default:
		if (type_reg(l, t, &width) == RT_FLOAT)
			return add(l, TYPE_FLOAT, arena_printf(&l->scratch, "f%u", width),
				   type_size(l, t));
		return 0;
	}
}

TypeId
type_of(Lower *l, BcType *t)
{
	TypeId id = t->id;

	if (!id && (id = make(l, t)))
		t->id = id;
	return id;
}
