/* flag_state.c - sets of known values, in rows: see flag_int.h.
 *
 * Joining two states keeps the rows apart only where both have them by the
 * value of the same number; else each is one row. */
#include "conc/flag_int.h"

#include <string.h>

void
state_collapse(const Flags *f, FlagState *s)
{
	for (u32 r = 1; r < s->nrow; r++)
		for (u32 k = 0; k < f->n; k++)
			s->k[0][k] |= s->k[r][k];
	s->nrow = MIN(s->nrow, 1u);
	s->val[0] = 0;
	s->obs = s->cell = 0;
}

u32
state_row(FlagState *s, i64 v)
{
	u32 r = 0;

	while (r < s->nrow && s->val[r] != v)
		r++;
	if (r == s->nrow && r < ROWS) {
		s->val[s->nrow++] = v;
		memset(s->k[r], 0, sizeof s->k[r]);
	}
	return r;
}

static bool
merge_row(const Flags *f, Known *to, const Known *from)
{
	bool news = false;

	for (u32 k = 0; k < f->n; k++) {
		news |= (from[k] & ~to[k]) != 0;
		to[k] |= from[k];
	}
	return news;
}

bool
state_join(const Flags *f, FlagState *to, const FlagState *from)
{
	FlagState one = *from;
	bool news = false;
	SlotId cell;

	if (!from->nrow)
		return false;
	if (!to->nrow) {
		*to = *from;
		return true;
	}
	/* What one knows of a cell row by row, the other may know as a whole. */
	cell = to->cell ? to->cell : one.cell ? one.cell : to->still;
	if (cell && (to->cell != cell || one.cell != cell) &&
	    (to->cell == cell || to->still == cell) && (one.cell == cell || one.still == cell) &&
	    !(to->still == cell && one.still == cell && to->still_val == one.still_val)) {
		news |= to->cell != cell;
		if (to->cell != cell)
			state_by_still(f, to);
		if (one.cell != cell)
			state_by_still(f, &one);
	}
	if (to->still && (to->still != one.still || to->still_val != one.still_val)) {
		to->still = 0;
		news = true;
	}
	if ((to->obs != one.obs || !to->obs) && (to->cell != one.cell || !to->cell)) {
		news |= to->nrow > 1 || to->obs || to->cell;
		state_collapse(f, to);
		state_collapse(f, &one);
	} else {
		news |= to->obs != (to->obs == one.obs ? to->obs : 0) ||
			to->cell != (to->cell == one.cell ? to->cell : 0);
		to->obs = to->obs == one.obs ? to->obs : 0;
		to->cell = to->cell == one.cell ? to->cell : 0;
	}
	for (u32 r = 0; r < one.nrow; r++) {
		u32 before = to->nrow, at = state_row(to, one.val[r]);
		if (at == ROWS) {
			state_collapse(f, to);
			state_collapse(f, &one);
			merge_row(f, to->k[0], one.k[0]);
			return true;
		}
		news |= to->nrow != before;
		news |= merge_row(f, to->k[at], one.k[r]);
	}
	return news;
}

bool
state_observe(const Flags *f, FlagState *s, InstId inst, Val v, Val obs, SlotId cell)
{
	FlagState out = {.obs = obs, .cell = cell, .still = s->still, .still_val = s->still_val};
	bool known = s->nrow > 0;

	for (u32 r = 0; known && r < s->nrow; r++) {
		i64 n;
		u32 at = ROWS;
		known = flag_number(f, inst, v, s->obs == OBS_RESULT ? 0 : s->obs, s->val[r], &n);
		if (known)
			at = state_row(&out, n);
		known = at < ROWS;
		if (known)
			merge_row(f, out.k[at], s->k[r]);
	}
	if (known)
		*s = out;
	return known;
}

void
state_by_still(const Flags *f, FlagState *s)
{
	SlotId cell = s->still;
	i64 v = s->still_val;

	state_collapse(f, s);
	s->cell = cell;
	s->val[0] = v;
	s->still = 0;
}

void
state_forget(const Flags *f, FlagState *s, Val dst)
{
	if (!dst || s->obs != dst)
		return;
	s->obs = 0;
	if (!s->cell)
		state_collapse(f, s);
}
