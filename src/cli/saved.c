/* saved.c - reads JSON reports back. */
#include "cli/marks.h"

#include "base/file.h"

#include <string.h>

/* Adds the races of one program's report; false if it is none. */
static bool
add_report(Run *run, const JsonVal *doc, Saved *s)
{
	const JsonVal *races = json_get(doc, "races");

	if (!races || races->kind != JSON_ARR)
		return false;
	for (u32 i = 0; i < races->n; i++) {
		const char *id = json_get_str(&races->items[i], "id");

		if (!id)
			return false;
		vec_push(&run->arena, &s->races, (SavedRace){&races->items[i], doc, id});
	}
	return true;
}

/* Does each line hold a race? */
static bool
is_lines(const char *text)
{
	return !strncmp(text, "{\"id\":", 6);
}

bool
saved_parse(Run *run, const char *path, const char *text, size_t n, Saved *s)
{
	const char *error = NULL, *tool;
	const JsonVal *root = json_parse(&run->arena, text, n, &error), *programs;
	bool ok;

	memset(s, 0, sizeof *s);
	if (!root) {
		diag_error(&run->diag, path, "not JSON: %s%s", error,
			   is_lines(text)
			       ? "; these are lines of --format jsonl: make a report with "
				 "--format json"
			       : "");
		return false;
	}
	tool = json_get_str(root, "tool");
	programs = json_get(root, "programs");
	ok = tool && !strcmp(tool, "concord");
	if (programs && programs->kind == JSON_ARR)
		for (u32 i = 0; ok && i < programs->n; i++)
			ok = add_report(run, &programs->items[i], s);
	else
		ok = ok && add_report(run, root, s);
	if (!ok)
		diag_error(&run->diag, path, "not a JSON report of concord");
	return ok;
}

bool
saved_read(Run *run, const char *path, Saved *s)
{
	const char *error;
	char *text;
	size_t n;

	if (!file_read(&run->arena, path, &text, &n, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return false;
	}
	return saved_parse(run, path, text, n, s);
}

const SavedRace *
saved_find(Run *run, const Saved *s, const char *id)
{
	const SavedRace *found = NULL;

	for (u32 i = 0; i < s->races.n; i++) {
		if (strncmp(s->races.at[i].id, id, strlen(id)) != 0)
			continue;
		if (found && strcmp(found->id, s->races.at[i].id) != 0) {
			diag_error(&run->diag, NULL, "'%s' begins more than one id: %s, %s", id,
				   found->id, s->races.at[i].id);
			return NULL;
		}
		if (!found)
			found = &s->races.at[i];
	}
	if (!found)
		diag_error(&run->diag, NULL, "no race has the id '%s'", id);
	return found;
}
