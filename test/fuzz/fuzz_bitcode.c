/* fuzz_bitcode.c - bitcode that is said to be as our clang wrote it, so that LLVM does not verify
 * it: it is refused, or lowered to what ir_check passes or has a message for.
 *
 * Flipped bits mostly make the rest of a file senseless, so inputs are changed record by
 * record: what can be read is written again, without abbreviations, but for a few numbers. */
#include "bit_writer.h"
#include "fuzz.h"

#include "base/map.h"
#include "llvm/llvm_int.h"

#include <stdlib.h>

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned seed);

static void
check(Ir *ir, Arena *a)
{
	Arena tables;
	Ir again;
	u8 *bytes;
	size_t n;

	arena_init(&tables, NULL);
	ir_init(&again, &tables);
	ir_write(ir, a, &bytes, &n);
	if (ir_read(&again, bytes, n))
		(void)ir_check(&again);
	arena_release(&tables);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *wrong = NULL;
	Arena a, tables;
	char *copy;
	Ir ir;

	arena_init(&a, NULL);
	arena_init(&tables, NULL);
	ir_init(&ir, &tables);
	copy = calloc(n + BITS_SLACK, 1); /* of its own: whoever reads beyond it is found out */
	assert(copy);
	if (n)
		memcpy(copy, bytes, n);
	if (module_lower_own(&ir, &a, &(Source){.name = "unit", .cwd = "/", .trusted = true}, copy,
			     n, &wrong) &&
	    !wrong)
		check(&ir, &a);
	arena_release(&tables);
	arena_release(&a);
	free(copy);
	return 0;
}

/* ---- reading ------------------------------------------------------------ */

enum { MAGIC = 4, DEPTH = BITS_DEEP - 2 };

/* A record, or the begin or end of a block. */
typedef struct Event {
	u32 what, code; /* the kind of block */
	u32 n;
	u64 *op;
	const u8 *blob;
	size_t nblob;
} Event;

typedef struct Edit {
	Arena a;
	u64 seed;
	Vec(Event) events;
	VecU32 records; /* which of the events */
} Edit;

/* A number below n. */
static u32
draw(Edit *e, u32 n)
{
	e->seed += 0x9e3779b97f4a7c15u;
	return (u32)(hash_bytes(&e->seed, sizeof e->seed) % n);
}

/* False: not all of it can be read. */
static bool
take(Edit *e, const u8 *bytes, size_t n)
{
	Bits b;
	Record r = {0};
	u32 depth = 0;

	bits_init(&b, &e->a, bytes, n);
	b.at = 8 * MAGIC;
	while (depth || b.at + 32 <= b.end) {
		u32 what = bits_next(&b, &r);
		if (b.bad || depth > DEPTH)
			return false;
		if (what == BITS_BLOCK && !b.block) { /* of abbreviations */
			bits_about_blocks(&b, &r);
			continue;
		}
		Event v = {what, what == BITS_BLOCK ? b.block : r.code, r.n, NULL, r.blob, r.nblob};
		if (what == BITS_BLOCK) {
			bits_enter(&b, b.block);
			depth++;
		} else if (what == BITS_RECORD) {
			v.op = arena_array(&e->a, u64, v.n + 1);
			if (v.n)
				memcpy(v.op, r.op, v.n * sizeof *v.op);
			vec_push(&e->a, &e->records, e->events.n);
		} else if (!depth--) {
			return false;
		}
		vec_push(&e->a, &e->events, v);
	}
	return true;
}

/* ---- changing ----------------------------------------------------------- */

static u64
odd_number(Edit *e, const Event *other)
{
	static const u64 odd[] = {0, UINT32_MAX, (u64)1 << 31, (u64)1 << 63, UINT64_MAX};

	switch (draw(e, 4)) {
	case 0: return other->n ? other->op[draw(e, other->n)] : 1;
	case 1: return odd[draw(e, COUNT(odd))];
	default: return draw(e, 64);
	}
}

static void
change(Edit *e)
{
	u32 *at = &e->records.at[draw(e, e->records.n)];
	Event *v = &e->events.at[*at];
	const Event *other = &e->events.at[e->records.at[draw(e, e->records.n)]];
	u64 *op = v->n ? &v->op[draw(e, v->n)] : NULL;
	Event was = *v;

	switch (draw(e, 8)) {
	case 0: v->code = other->code; break;
	case 1: v->n -= v->n > 0; break;
	case 2: *v = *other; break;
	case 3: v->what = BITS_END + 3; break; /* left out */
	case 4:
		*v = v[1].what == BITS_RECORD ? v[1] : *v;
		v[v[1].what == BITS_RECORD] = was;
		break;
	case 5:
		if (op)
			*op += draw(e, 9) - (u64)4;
		break;
	default:
		if (op)
			*op = odd_number(e, other);
	}
}

/* ---- writing ------------------------------------------------------------ */

static void
give(BitWriter *w, const Edit *e)
{
	for (u32 k = 0; k < e->events.n; k++) {
		const Event *v = &e->events.at[k];
		bool room = w->abbrevs[w->depth] < 1 << BITS_INSIDE;
		switch (v->what) {
		case BITS_BLOCK: put_block(w, v->code); break;
		case BITS_END: put_end(w); break;
		case BITS_RECORD:
			if (v->blob && room)
				put_bytes(w, v->code, v->n, v->op, v->blob, v->nblob);
			else
				put_record(w, v->code, v->n, v->op);
			break;
		default: break;
		}
	}
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned seed)
{
	Edit e = {.seed = seed};
	BitWriter w = {.arena = &e.a};
	u8 *copy;

	arena_init(&e.a, NULL);
	copy = arena_alloc(&e.a, n + BITS_SLACK);
	memcpy(copy, bytes, n);
	if (n > MAGIC && take(&e, copy, n) && e.records.n) {
		for (u32 k = 1 + draw(&e, 4); k; k--)
			change(&e);
		put_magic(&w);
		give(&w, &e);
		n = MIN((size_t)w.out.n, most);
		memcpy(bytes, w.out.at, n);
	} else if (n) {
		bytes[draw(&e, (u32)n)] ^= (u8)(1 << draw(&e, 8));
	}
	arena_release(&e.a);
	return n;
}
