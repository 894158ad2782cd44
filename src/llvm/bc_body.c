/* bc_body.c - the body of a function: its constants, blocks and instructions.
 *
 * What a debug record says holds before the instruction behind which it is written; it becomes an
 * instruction of its own. */
#include "llvm/bc.h"

enum { BLOCK_CONSTANTS = 11, BLOCK_SYMBOLS = 14, BLOCK_METADATA, BLOCK_ATTACHMENT };
enum { DECLARE_BLOCKS = 1, SYMBOL_ENTRY = 1 };

static void
begin(BcModule *m, BcGlobal *f)
{
	BcPool *p = &m->pool[1];

	p->used = 0;
	p->at = p->end = NULL;
	m->in_body = true;
	m->fn = f;
	for (u32 k = m->nlasting; k < m->vals.n; k++)
		m->vals.at[k] = NULL;
	m->vals.n = m->next = m->nlasting;
	m->locs.n = 0;
	m->last_loc = m->site = 0;
	m->nblock = m->block = 0;
	m->last = NULL;
	m->nparam = f->v.of->n - 1;
	for (u32 k = 0; k < m->nparam; k++)
		(void)bc_define(m, LLVMArgumentValueKind, f->v.of->part[k + 1], 0);
}

static void
declare_blocks(BcModule *m)
{
	u64 n = record_op(&m->r, 0);

	if (m->nblock || !n || n > m->bits.end - m->bits.at) {
		m->bad = true;
		return;
	}
	m->blocks = bc_alloc(m, n * sizeof *m->blocks);
	memset(m->blocks, 0, n * sizeof *m->blocks);
	m->nblock = (u32)n;
	for (u32 k = 0; k < m->nblock; k++)
		m->blocks[k].number = k;
}

/* [kind, node, ...] of the function; an odd number is about an instruction.  Kind 0 is debug
 * information. */
static void
attachment(BcModule *m)
{
	const Record *r = &m->r;

	for (u32 k = 0; r->n % 2 == 0 && k < r->n; k += 2)
		if (!r->op[k] && !m->fn->debug)
			m->fn->debug = (u32)r->op[k + 1] + 1;
}

/* [value, name]; those of parameters are kept. */
static void
name(BcModule *m)
{
	const Record *r = &m->r;
	u64 k = record_op(r, 0) - m->nlasting;
	char *s;

	if (r->code != SYMBOL_ENTRY || k >= m->nparam || r->n < 2)
		return;
	s = bc_alloc(m, r->n);
	for (u32 i = 1; i < r->n; i++)
		s[i - 1] = (char)r->op[i];
	BC_PARAM(m, k)->text = s;
	BC_PARAM(m, k)->nto = r->n - 1;
}

static void
records(BcModule *m, void (*take)(BcModule *))
{
	u32 what;

	bits_enter(&m->bits, m->bits.block);
	while ((what = bits_next(&m->bits, &m->r)) == BITS_RECORD)
		take(m);
	m->bad |= what == BITS_BLOCK;
}

static void
inner_block(BcModule *m)
{
	switch (m->bits.block) {
	case BLOCK_CONSTANTS: bc_constants(m); break;
	case BLOCK_SYMBOLS: records(m, name); break;
	case BLOCK_ATTACHMENT: records(m, attachment); break;
	default: bits_skip(&m->bits); /* the nodes, which were read before, and the order of uses */
	}
}

bool
bc_body(BcModule *m, BcGlobal *f)
{
	u32 what;

	begin(m, f);
	m->bits.at = f->body;
	bits_enter(&m->bits, 12);
	while ((what = bits_next(&m->bits, &m->r)) != BITS_END && !m->bad)
		if (what == BITS_BLOCK)
			inner_block(m);
		else if (m->r.code == DECLARE_BLOCKS)
			declare_blocks(m);
		else
			bc_ins(m);
	m->bad |= m->bits.bad || m->pending || !m->nblock || m->block != m->nblock;
	return !m->bad;
}
