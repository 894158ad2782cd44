/* lower_code.c - instructions as bytes: lengths, locals, where blocks start.
 *
 * A body is a row of instructions without gaps; one that is not, or that jumps
 * between instructions, is refused before anything is interpreted. */
#include "jvm/lower_int.h"
#include "jvm/lower_op.h"

/* By opcode; 0: varies. */
static const u8 lengths[J_COUNT] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 2, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2,
    2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 0, 0, 1, 1,
    1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 5, 5, 3, 2, 3, 1, 1, 3, 3, 1, 1, 0, 4, 3, 3, 5, 5};

static u32
switch_length(const u8 *code, u32 n, u32 at)
{
	u32 p = (at + 4) & ~3u; /* the operands are aligned */
	u64 count;

	if (p + 12 > n && !(code[at] == J_LOOKUPSWITCH && p + 8 <= n))
		return 0;
	if (code[at] == J_LOOKUPSWITCH) {
		i32 pairs = code_s32(code + p + 4);
		if (pairs < 0)
			return 0;
		return p + 8 + (u64)pairs * 8 <= n ? p + 8 + (u32)pairs * 8 - at : 0;
	}
	if (code_s32(code + p + 4) > code_s32(code + p + 8))
		return 0;
	count = (u64)((i64)code_s32(code + p + 8) - code_s32(code + p + 4)) + 1;
	return p + 12 + count * 4 <= n ? p + 12 + (u32)count * 4 - at : 0;
}

static u32
wide_length(const u8 *code, u32 n, u32 at)
{
	u8 op = at + 1 < n ? code[at + 1] : 0;

	if (op == J_IINC)
		return 6;
	return (op >= J_ILOAD && op <= J_ALOAD) || (op >= J_ISTORE && op <= J_ASTORE) || op == J_RET
		   ? 4
		   : 0;
}

u32
code_length(const u8 *code, u32 n, u32 at)
{
	u32 len;

	if (code[at] >= J_COUNT)
		return 0;
	len = lengths[code[at]];
	if (code[at] == J_WIDE)
		len = wide_length(code, n, at);
	else if (!len)
		len = switch_length(code, n, at);
	return len <= n - at ? len : 0;
}

LocalUse
code_local(const u8 *code, u32 at)
{
	static const u8 kinds[] = {K_INT, K_LONG, K_FLOAT, K_DOUBLE, K_REF};
	bool wide = code[at] == J_WIDE;
	u8 op = code[at + wide];
	u32 slot;

	if (op >= J_ILOAD_0 && op <= J_ALOAD_3)
		return (LocalUse){(op - J_ILOAD_0) % 4u, kinds[(op - J_ILOAD_0) / 4], true, false};
	if (op >= J_ISTORE_0 && op <= J_ASTORE_3)
		return (LocalUse){(op - J_ISTORE_0) % 4u, kinds[(op - J_ISTORE_0) / 4], false,
				  true};
	if (!(op >= J_ILOAD && op <= J_ALOAD) && !(op >= J_ISTORE && op <= J_ASTORE) &&
	    op != J_IINC && op != J_RET)
		return (LocalUse){0};
	slot = wide ? code_u16(code + at + 2) : code[at + 1];
	if (op == J_IINC)
		return (LocalUse){slot, K_INT, true, true};
	if (op == J_RET)
		return (LocalUse){slot, K_RET, true, false};
	if (op <= J_ALOAD)
		return (LocalUse){slot, kinds[op - J_ILOAD], true, false};
	return (LocalUse){slot, kinds[op - J_ISTORE], false, true};
}

/* ---- where blocks start ------------------------------------------------- */

static bool
mark_target(Lower *l, i64 to)
{
	if (to < 0 || to >= l->code.n)
		return lower_fail(l, "a branch leaves the body");
	l->marks[to] |= MARK_LEADER;
	return true;
}

static bool
mark_switch(Lower *l, u32 at)
{
	const u8 *code = l->code.at;
	u32 p = (at + 4) & ~3u, count;

	if (!mark_target(l, (i64)at + code_s32(code + p)))
		return false;
	if (code[at] == J_TABLESWITCH) {
		count = (u32)((i64)code_s32(code + p + 8) - code_s32(code + p + 4)) + 1;
		for (u32 k = 0; k < count; k++)
			if (!mark_target(l, (i64)at + code_s32(code + p + 12 + 4 * k)))
				return false;
		return true;
	}
	count = (u32)code_s32(code + p + 4);
	for (u32 k = 0; k < count; k++)
		if (!mark_target(l, (i64)at + code_s32(code + p + 12 + 8 * k)))
			return false;
	return true;
}

/* Marks where the instruction at `at` may go, and what is behind it. */
static bool
mark_jumps(Lower *l, u32 at, u32 next)
{
	const u8 *code = l->code.at;
	u8 op = code[at];
	bool ends = true;

	if ((op >= J_IFEQ && op <= J_JSR) || op == J_IFNULL || op == J_IFNONNULL) {
		if (!mark_target(l, (i64)at + code_s16(code + at + 1)))
			return false;
	} else if (op == J_GOTO_W || op == J_JSR_W) {
		if (!mark_target(l, (i64)at + code_s32(code + at + 1)))
			return false;
	} else if (op == J_TABLESWITCH || op == J_LOOKUPSWITCH) {
		if (!mark_switch(l, at))
			return false;
	} else {
		ends = (op >= J_IRETURN && op <= J_RETURN) || op == J_ATHROW || op == J_RET ||
		       (op == J_WIDE && code[at + 1] == J_RET);
	}
	if (ends && next < l->code.n)
		l->marks[next] |= MARK_LEADER;
	return true;
}

static bool
use_local(Lower *l, u32 at)
{
	LocalUse u = code_local(l->code.at, at);
	u32 end = u.slot + (kind_is_wide(u.kind) ? 2 : 1);

	if (!u.kind)
		return true;
	if (end > l->code.max_locals)
		return lower_fail(l, "a local is out of range");
	l->nlocal = MAX(l->nlocal, end);
	return true;
}

bool
code_scan(Lower *l)
{
	u32 n = l->code.n, len;

	l->marks = arena_array(&l->a, u8, n + 1);
	l->marks[0] = MARK_LEADER;
	for (u32 at = 0; at < n; at += len) {
		len = code_length(l->code.at, n, at);
		if (!len)
			return lower_fail(l, "an instruction is malformed");
		l->marks[at] |= MARK_START;
		if (!mark_jumps(l, at, at + len) || !use_local(l, at))
			return false;
	}
	for (u32 k = 0; k < l->code.nhandler; k++) {
		const JHandler *h = &l->code.handlers[k];
		l->marks[h->from] |= MARK_LEADER;
		l->marks[h->to] |= MARK_LEADER; /* there is room for one at the end */
		l->marks[h->target] |= MARK_LEADER;
	}
	for (u32 at = 0; at < n; at++)
		if ((l->marks[at] & MARK_LEADER) && !(l->marks[at] & MARK_START))
			return lower_fail(l, "a branch goes into an instruction");
	l->marks[n] = MARK_LEADER;
	return true;
}
