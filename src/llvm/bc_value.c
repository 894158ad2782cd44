/* bc_value.c - values by number, and their memory.
 *
 * A value may be named before it comes.  Then it exists already, and is filled in when it
 * does: nobody has to be told.  Memory comes from large blocks, of which those for bodies
 * are used again. */
#include "llvm/bc.h"

enum { POOL_CHUNK = 1 << 16, POOL_LARGE = POOL_CHUNK / 8 };

static char *
next_chunk(BcPool *p)
{
	if (p->used == p->chunks.n)
		vec_push(p->arena, &p->chunks, arena_alloc(p->arena, POOL_CHUNK));
	return p->chunks.at[p->used++];
}

void *
bc_alloc(BcModule *m, size_t n)
{
	BcPool *p = &m->pool[m->in_body];

	n = (n + 7) & ~(size_t)7;
	if ((size_t)(p->end - p->at) < n) {
		if (n > POOL_LARGE)
			return arena_alloc(m->arena, n);
		p->at = next_chunk(p);
		p->end = p->at + POOL_CHUNK;
	}
	p->at += n;
	return p->at - n;
}

/* Makes v, which is empty, what the rest says. */
static void
fill(BcModule *m, BcValue *v, u8 kind, BcType *type, u32 nop)
{
	v->kind = kind;
	v->type = type;
	v->nop = nop;
	v->ops = nop ? bc_alloc(m, nop * sizeof *v->ops) : NULL;
	if (nop)
		memset(v->ops, 0, nop * sizeof *v->ops);
}

BcValue *
bc_new(BcModule *m, u8 kind, BcType *type, u32 nop)
{
	BcValue *v = bc_alloc(m, sizeof *v);

	*v = (BcValue){0};
	fill(m, v, kind, type, nop);
	return v;
}

static bool
reach(BcModule *m, u64 number)
{
	if (number < m->vals.n)
		return true;
	/* each takes at least a bit of what is left */
	if (m->bad || number > m->next + (m->bits.end - m->bits.at) || number > UINT32_MAX / 8) {
		m->bad = true;
		return false;
	}
	(void)vec_extend(m->arena, &m->vals, (u32)number + 1 - m->vals.n);
	return true;
}

BcValue *
bc_value(BcModule *m, u64 number, BcType *type)
{
	BcValue *v;

	if (!reach(m, number))
		return bc_new(m, LLVMPoisonValueValueKind, type ? type : m->int1, 0);
	v = m->vals.at[number];
	if (!v) {
		v = bc_new(m, LLVMPoisonValueValueKind, type, 0);
		v->flags = BC_PENDING;
		m->pending++;
		m->bad |= !type || number < m->next;
		m->vals.at[number] = v;
	}
	m->bad |= !v->type;
	return v;
}

BcValue *
bc_define(BcModule *m, u8 kind, BcType *type, u32 nop)
{
	u32 number = m->next++;
	BcValue *v;

	if (!reach(m, number))
		return bc_new(m, kind, type, nop);
	v = m->vals.at[number];
	if (v) {
		m->pending--;
		m->bad |= !(v->flags & BC_PENDING) || v->type->kind != type->kind;
		v->flags = 0;
		fill(m, v, kind, type, nop);
	} else {
		v = bc_new(m, kind, type, nop);
	}
	m->vals.at[number] = v;
	return v;
}
