/* serial.c - the tables as bytes, and back.
 *
 * For handing a unit from a child process to its parent and for caches on the
 * same machine: each field as it is in memory, without padding, so that equal
 * programs give equal bytes.
 *
 *	"CcIR" version checksum | layout, unit, hash, ptr, counts | tables | strings
 *
 * The checksum covers everything behind it.  ir_read compares every length
 * with what is left before using it.  It makes no sense of the ids in the
 * tables: the caller runs ir_check. */
#include "ir/ir.h"

#include <string.h>

enum { VERSION = 1, COVERED = 16 /* where the checksum's part starts */ };
static const char magic[4] = {'C', 'c', 'I', 'R'};

/* The fields of each table's struct; B for a bool, of which a byte can be no
 * other value. */
#define FIELDS_types(F, B) F(kind) F(name) F(size) F(member) F(nmember) F(elem) F(count)
#define FIELDS_members(F, B) F(name) F(type) F(off)
#define FIELDS_consts(F, B) F(kind) F(rt) F(width) F(ref) F(num)
#define FIELDS_globals(F, B)                                                                       \
	F(name) F(pretty) F(unit) F(type) F(size) F(linkage) B(tls) B(constant) F(init) F(ninit)   \
	F(alias) F(src) F(section)
#define FIELDS_inits(F, B) F(off) F(val)
#define FIELDS_fns(F, B)                                                                           \
	F(name) F(pretty) F(unit) F(class) F(linkage) F(ret) F(flags) F(nparam) F(reg) F(nreg)     \
	F(block) F(nblock) F(ins) F(nins) F(alias) F(src) F(proto)
#define FIELDS_regs(F, B) F(def) F(name) F(rt) F(width)
#define FIELDS_blocks(F, B) F(ins) F(nins) F(succ) F(nsucc) F(exc)
#define FIELDS_ins(F, B)                                                                           \
	F(op) F(sub) F(order) F(flags) F(rt) F(cond) F(width) F(dst) F(arg) F(narg) F(aux) F(imm)  \
	F(src) F(site)
#define FIELDS_srcs(F, B) F(file) F(line) F(col)
#define FIELDS_classes(F, B)                                                                       \
	F(name) F(super) F(iface) F(niface) F(method) F(nmethod) F(field) F(nfield) F(flags)       \
	F(cinit) F(unit)
#define FIELDS_fields(F, B) F(name) F(class) F(type) F(flags) F(guard)
#define FIELDS_assumes(F, B) F(what) F(fn) F(src)

/* Tables of structs, and those of plain numbers. */
#define STRUCTS(X)                                                                                 \
	X(types) X(members) X(consts) X(globals) X(inits) X(fns) X(regs) X(blocks) X(ins) X(srcs)  \
	X(classes) X(fields) X(assumes)
#define NUMBERS(X) X(args) X(succs) X(refs)

enum {
#define X(table) TABLE_##table,
	STRUCTS(X) NUMBERS(X)
#undef X
	    TABLE_COUNT
};

typedef struct Head {
	char magic[4];
	u32 version;
	u64 checksum;
	u64 layout;
	u64 hash;
	u32 unit, ptr_bytes, nstr;
	u32 count[TABLE_COUNT + 1]; /* without element 0; the last is 0 */
} Head;
static_assert(sizeof(Head) == 16 + 16 + 12 + 4 * (TABLE_COUNT + 1), "no padding in the header");

#define F(field) +sizeof(e->field)
#define X(table)                                                                                   \
	static size_t size_of_##table(const Ir *ir)                                                \
	{                                                                                          \
		__typeof__(ir->table.at) e = NULL;                                                 \
		(void)e;                                                                           \
		return 0 FIELDS_##table(F, F);                                                     \
	}
STRUCTS(X)
#undef X
#undef F

/* Differs when a struct of the tables does. */
static u64
layout(const Ir *ir)
{
	u64 h = OP_COUNT;

#define X(table) h = hash_u64(h ^ size_of_##table(ir));
	STRUCTS(X)
#undef X
	return h;
}

/* ---- writing ------------------------------------------------------------ */

#define F(field)                                                                                   \
	memcpy(at, &e->field, sizeof e->field);                                                    \
	at += sizeof e->field;
#define X(table)                                                                                   \
	static u8 *put_##table(const Ir *ir, u8 *at)                                               \
	{                                                                                          \
		for (u32 k = 1; k < ir->table.n; k++) {                                            \
			__typeof__(ir->table.at) e = &ir->table.at[k];                             \
			FIELDS_##table(F, F)                                                       \
		}                                                                                  \
		return at;                                                                         \
	}
STRUCTS(X)
#undef X
#undef F

static u8 *
put_numbers(const VecU32 *v, u8 *at)
{
	size_t n = (v->n - 1) * sizeof *v->at;

	if (n)
		memcpy(at, v->at + 1, n);
	return at + n;
}

static u8 *
put_strings(const Ir *ir, u8 *at)
{
	for (u32 s = 1; s <= intern_count(&ir->strs); s++) {
		u32 len = intern_len(&ir->strs, s);
		memcpy(at, &len, sizeof len);
		memcpy(at + sizeof len, ir_str(ir, s), len);
		at += sizeof len + len;
	}
	return at;
}

static size_t
total_size(const Ir *ir)
{
	size_t n = sizeof(Head);

#define X(table) n += (ir->table.n - 1) * size_of_##table(ir);
	STRUCTS(X)
#undef X
#define X(table) n += (ir->table.n - 1) * sizeof(u32);
	NUMBERS(X)
#undef X
	for (u32 s = 1; s <= intern_count(&ir->strs); s++)
		n += sizeof(u32) + intern_len(&ir->strs, s);
	return n;
}

void
ir_write(const Ir *ir, Arena *a, u8 **bytes, size_t *n)
{
	Head h = {.version = VERSION,
		  .layout = layout(ir),
		  .hash = ir->hash,
		  .unit = ir->unit,
		  .ptr_bytes = ir->ptr_bytes,
		  .nstr = intern_count(&ir->strs)};
	u8 *at;

	*n = total_size(ir);
	*bytes = arena_alloc(a, *n);
	at = *bytes + sizeof h;
	memcpy(h.magic, magic, sizeof magic);
#define X(table) h.count[TABLE_##table] = ir->table.n - 1;
	STRUCTS(X)
	NUMBERS(X)
#undef X
#define X(table) at = put_##table(ir, at);
	STRUCTS(X)
#undef X
#define X(table) at = put_numbers(&ir->table, at);
	NUMBERS(X)
#undef X
	at = put_strings(ir, at);
	assert(at == *bytes + *n);
	memcpy(*bytes, &h, sizeof h);
	h.checksum = hash_bytes(*bytes + COVERED, *n - COVERED);
	memcpy(*bytes, &h, sizeof h);
}

/* ---- reading ------------------------------------------------------------ */

typedef struct In {
	const u8 *at, *end;
	bool bad;
} In;

static size_t
left(const In *in)
{
	return (size_t)(in->end - in->at);
}

static bool
take_bool(In *in)
{
	u8 x = *in->at++;

	in->bad |= x > 1;
	return x == 1;
}

#define F(field)                                                                                   \
	memcpy(&e->field, in->at, sizeof e->field);                                                \
	in->at += sizeof e->field;
#define B(field) e->field = take_bool(in);
#define X(table)                                                                                   \
	static void get_##table(Ir *ir, In *in, u32 n)                                             \
	{                                                                                          \
		if (in->bad || n > UINT32_MAX / 4 || n > left(in) / size_of_##table(ir)) {         \
			in->bad = true;                                                            \
			return;                                                                    \
		}                                                                                  \
		(void)vec_extend(ir->arena, &ir->table, n);                                        \
		for (u32 k = 1; k <= n; k++) {                                                     \
			__typeof__(ir->table.at) e = &ir->table.at[k];                             \
			FIELDS_##table(F, B)                                                       \
		}                                                                                  \
	}
STRUCTS(X)
#undef X
#undef B
#undef F

static void
get_numbers(Ir *ir, VecU32 *v, In *in, u32 n)
{
	if (in->bad || n > UINT32_MAX / 4 || n > left(in) / sizeof *v->at) {
		in->bad = true;
		return;
	}
	(void)vec_extend(ir->arena, v, n);
	if (n)
		memcpy(v->at + 1, in->at, n * sizeof *v->at);
	in->at += n * sizeof *v->at;
}

/* Strings must be different, or ids would not be what they were. */
static void
get_strings(Ir *ir, In *in, u32 n)
{
	u32 len;

	for (u32 s = 1; s <= n && !in->bad; s++) {
		if (left(in) < sizeof len) {
			in->bad = true;
			return;
		}
		memcpy(&len, in->at, sizeof len);
		in->at += sizeof len;
		if (len > left(in) || intern_bytes(&ir->strs, in->at, len) != s) {
			in->bad = true;
			return;
		}
		in->at += len;
	}
}

static bool
check_head(const Ir *ir, const Head *h, const u8 *bytes, size_t n)
{
	return !memcmp(h->magic, magic, sizeof magic) && h->version == VERSION &&
	       h->layout == layout(ir) && !h->count[TABLE_COUNT] &&
	       h->checksum == hash_bytes(bytes + COVERED, n - COVERED);
}

bool
ir_read(Ir *ir, const u8 *bytes, size_t n)
{
	In in = {0};
	Head h;

	if (n < sizeof h)
		return false;
	in.at = bytes + sizeof h;
	in.end = bytes + n;
	memcpy(&h, bytes, sizeof h);
	if (!check_head(ir, &h, bytes, n))
		return false;
	ir->hash = h.hash;
	ir->unit = h.unit;
	ir->ptr_bytes = h.ptr_bytes;
#define X(table) get_##table(ir, &in, h.count[TABLE_##table]);
	STRUCTS(X)
#undef X
#define X(table) get_numbers(ir, &ir->table, &in, h.count[TABLE_##table]);
	NUMBERS(X)
#undef X
	get_strings(ir, &in, h.nstr);
	if (in.bad || in.at != in.end)
		return false;
	return true;
}
