/* bc_meta.c - nodes of debug information.
 *
 * A node is kept as the numbers of its record: most of them nobody asks for.  Numbers of other
 * nodes count from 1, where 0 is none, but for a few kinds of records.  The strings come first,
 * then the module's nodes; those of a body go on from there. */
#include "llvm/bc.h"

/* ---- access ------------------------------------------------------------- */

u64
bc_meta_num(const BcMeta *md, u32 k)
{
	if (k >= md->n || md->kind == MD_STRING)
		return 0;
	return md->wide ? md->wide_at[k] : md->at[k];
}

BcMeta *
bc_meta(BcModule *m, const BcMetas *beside, u64 number)
{
	if (number < m->nodes.at.n)
		return &m->nodes.at.at[number];
	number -= m->nodes.at.n;
	return beside && number < beside->at.n ? &beside->at.at[number] : NULL;
}

BcMeta *
bc_meta_ref(BcModule *m, const BcMeta *md, u32 k)
{
	u64 number = bc_meta_num(md, k);

	return number ? bc_meta(m, md->beside, number - 1) : NULL;
}

const char *
bc_meta_text(BcModule *m, const BcMeta *md, u32 k, u32 *n)
{
	const BcMeta *s = bc_meta_ref(m, md, k);

	*n = s && s->kind == MD_STRING ? s->n : 0;
	return *n ? s->text : NULL;
}

/* ---- reading ------------------------------------------------------------ */

static BcMeta *
add(BcModule *m, BcMetas *to, u8 kind)
{
	vec_push(m->arena, &to->at, (BcMeta){.kind = kind, .beside = to == &m->nodes ? NULL : to});
	return &to->at.at[to->at.n - 1];
}

/* [count, where the characters begin] and the lengths, then the characters. */
static void
strings(BcModule *m, BcMetas *to)
{
	u64 n = record_op(&m->r, 0), chars = record_op(&m->r, 1);
	const char *s, *end;
	Bits lengths;

	if (!m->r.blob || chars > m->r.nblob || n > chars * 8 / 6) {
		m->bad = true;
		return;
	}
	s = (const char *)m->r.blob + chars;
	end = (const char *)m->r.blob + m->r.nblob;
	bits_init(&lengths, m->arena, m->r.blob, chars);
	vec_reserve(m->arena, &to->at, n);
	for (u64 k = 0; k < n; k++) {
		u64 len = bits_vbr(&lengths, 6);
		BcMeta *md = add(m, to, MD_STRING);
		if (lengths.bad || len > (u64)(end - s)) {
			m->bad = true;
			return;
		}
		md->text = s;
		md->n = (u32)len;
		s += len;
	}
}

static void
node(BcModule *m, BcMetas *to)
{
	const Record *r = &m->r;
	BcMeta *md = add(m, to, (u8)r->code);
	u64 all = 0;
	u32 *at;

	md->n = r->n;
	for (u32 k = 0; k < r->n; k++)
		all |= r->op[k];
	md->wide = all > UINT32_MAX;
	m->in_body = false;
	if (md->wide) {
		u64 *wide = bc_alloc(m, r->n * sizeof *wide);
		memcpy(wide, r->op, r->n * sizeof *wide);
		md->wide_at = wide;
		return;
	}
	at = bc_alloc(m, r->n * sizeof *at);
	for (u32 k = 0; k < r->n; k++)
		at[k] = (u32)r->op[k];
	md->at = at;
}

/* [number of a global, then kinds and nodes of what is attached to it]; 0 is debug information. */
static void
attachment(BcModule *m)
{
	const Record *r = &m->r;
	u64 number = record_op(r, 0);
	BcValue *v = number < m->vals.n ? m->vals.at[number] : NULL;

	if (!v || number >= m->nglobal) {
		m->bad = true;
		return;
	}
	for (u32 k = 1; k + 1 < r->n; k += 2)
		if (!r->op[k] && !bc_global(v)->debug)
			bc_global(v)->debug = (u32)r->op[k + 1] + 1;
}

static bool
is_units(const Record *r)
{
	static const char name[] = "llvm.dbg.cu";

	for (u32 k = 0; k < r->n; k++)
		if (k >= sizeof name - 1 || r->op[k] != (u8)name[k])
			return false;
	return r->n == sizeof name - 1;
}

void
bc_metas(BcModule *m, BcGlobal *f)
{
	BcMetas *to = f ? &f->nodes : &m->nodes;
	bool units = false;
	u32 what;

	bits_enter(&m->bits, m->bits.block);
	while ((what = bits_next(&m->bits, &m->r)) == BITS_RECORD && !m->bad) {
		switch (m->r.code) {
		case MD_STRINGS: strings(m, to); break;
		case MD_NAME: units = is_units(&m->r); break;
		case MD_NAMED_NODE:
			for (u32 k = 0; units && k < m->r.n; k++)
				vec_push(m->arena, &m->units, (u32)m->r.op[k]);
			break;
		case MD_GLOBAL_ATTACHMENT: attachment(m); break;
		case MD_INDEX_OFFSET:
		case MD_INDEX: break;
		case 1: /* a string by itself, a kind: as others wrote them */
		case 6: m->bad = true; break;
		default: node(m, to);
		}
	}
	m->bad |= what == BITS_BLOCK || m->bits.bad;
}
