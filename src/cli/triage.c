/* triage.c - `concord triage`: verdicts on races, kept in a file.
 *
 * A line of the file is an id, a verdict and, behind `#`, a note; lines are
 * sorted by id, so that two people's verdicts merge.  Comments and empty lines
 * stay: those at the top there, others above the verdict that they are above. */
#include "cli/marks.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

static const char DEFAULT_FILE[] = "concord.triage";
static const char WORDS[] = "real|benign|false";

static const char *
file_of(const Run *run)
{
	return run->opt->triage ? run->opt->triage : DEFAULT_FILE;
}

static bool
mistake(Run *run, u32 line, const char *what)
{
	diag_at(&run->diag, DIAG_ERROR, file_of(run), line, 0, "%s", what);
	return false;
}

static bool
is_id(const char *s)
{
	return strlen(s) == 16 && strspn(s, "0123456789abcdef") == 16;
}

/* Reads "ID VERDICT # note"; of other lines *above is the text. */
static bool
read_line(Run *run, char *text, u32 line, const char **above, Verdicts *out)
{
	const char *whole = arena_strdup(&run->arena, text);
	char *hash = strchr(text, '#');
	Verdict v = {.note = ""};
	OptList words = {0};
	u32 at;

	if (hash) {
		*hash = 0;
		v.note = hash + 1 + strspn(hash + 1, " \t");
	}
	split_words(&run->arena, text, &words);
	if (!words.n) {
		*above = arena_printf(&run->arena, "%s%s\n", *above, whole);
		return true;
	}
	v.above = *above;
	*above = "";
	v.id = words.at[0];
	v.word = words.n > 1 ? words.at[1] : "";
	if (!is_id(v.id))
		return mistake(run, line, "a line starts with the id of a race");
	if (words.n != 2 || !opt_word(WORDS, v.word, &at))
		return mistake(run, line, "the verdict is real, benign or false");
	for (u32 i = 0; i < out->list.n; i++)
		if (!strcmp(out->list.at[i].id, v.id))
			return mistake(run, line, "a second verdict on the same race");
	vec_push(&run->arena, &out->list, v);
	return true;
}

bool
triage_read(Run *run, Verdicts *out)
{
	const char *path = file_of(run), *error;
	char *text, *save = NULL;
	bool ok = true;
	size_t n;
	u32 line = 0;

	out->end = "";
	if (!run->opt->triage && !file_exists(path))
		return true;
	if (!file_read(&run->arena, path, &text, &n, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return false;
	}
	for (char *at = text + file_mark(text, n); at && at < text + n; at = save) {
		save = strchr(at, '\n');
		if (save)
			*save++ = 0;
		at[strcspn(at, "\r")] = 0;
		ok &= read_line(run, at, ++line, &out->end, out);
	}
	return ok;
}

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const Verdict *)x)->id, ((const Verdict *)y)->id);
}

static bool
write_file(Run *run, Verdicts *all)
{
	const char *text = "", *error;

	if (all->list.n) {
		text = all->list.at[0].above;
		all->list.at[0].above = "";
		qsort(all->list.at, all->list.n, sizeof *all->list.at, by_id);
	}
	for (u32 i = 0; i < all->list.n; i++) {
		const Verdict *v = &all->list.at[i];

		text = arena_printf(&run->arena, "%s%s%s %s%s%s\n", text, v->above, v->id, v->word,
				    *v->note ? " # " : "", v->note);
	}
	text = arena_printf(&run->arena, "%s%s", text, all->end);
	if (file_write(&run->arena, file_of(run), text, strlen(text), &error))
		return true;
	diag_error(&run->diag, NULL, "%s", error);
	return false;
}

/* The whole id of a race: from a report, if one is given. */
static const char *
full_id(Run *run, const char *id)
{
	Saved saved;
	const SavedRace *race;

	if (run->inputs.n > 2) {
		if (!saved_read(run, run->inputs.at[2], &saved))
			return NULL;
		race = saved_find(run, &saved, id);
		return race ? race->id : NULL;
	}
	if (is_id(id))
		return id;
	diag_error(&run->diag, NULL,
		   "'%s' is not the id of a race: 16 of 0-9 and a-f, or a part of it and a report",
		   id);
	return NULL;
}

int
cmd_triage(Run *run)
{
	const char *note = run->opt->note ? run->opt->note : "";
	Verdict v = {.note = note, .above = ""};
	Verdicts all = {.end = ""};
	u32 at, k = 0;

	if (run->inputs.n < 2 || run->inputs.n > 3 || !opt_word(WORDS, run->inputs.at[1], &at)) {
		diag_error(&run->diag, NULL, "triage takes an id and one of real, benign, false");
		return EXIT_INPUT;
	}
	if (strpbrk(note, "\r\n")) {
		diag_error(&run->diag, NULL, "a note is one line");
		return EXIT_INPUT;
	}
	v.word = run->inputs.at[1];
	v.id = full_id(run, run->inputs.at[0]);
	if (!v.id || (file_exists(file_of(run)) && !triage_read(run, &all)))
		return EXIT_INPUT;
	if (!all.list.n) { /* all that is there is its beginning */
		v.above = all.end;
		all.end = "";
	}
	while (k < all.list.n && strcmp(all.list.at[k].id, v.id) != 0)
		k++;
	if (k == all.list.n)
		vec_push(&run->arena, &all.list, v);
	all.list.at[k].word = v.word;
	if (run->opt->note)
		all.list.at[k].note = v.note;
	return write_file(run, &all) ? EXIT_CLEAN : EXIT_INPUT;
}
