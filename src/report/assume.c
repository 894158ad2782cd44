/* assume.c - the assumptions of a report for people: those that say the same of
 * different functions are one line with a list of names.
 *
 * Two sentences are of one kind if they are equal, or differ in one word, which is then
 * the name that is listed; sentences of a kind all differ in the same place.  One of few
 * members is printed with their places.  Kinds stand where their first member stood, so
 * the order is that of view_assumptions; the machines' formats list every one. */
#include "report_int.h"

#include <string.h>

enum {
	WIDTH = 100,
	MAX_LINES = 4,
	FEW = 3, /* fewer are no list */
};

typedef struct Kind {
	const char *text; /* of the first */
	bool named;       /* the others differ in the word at `word` */
	size_t word;
	VecU32 members;
} Kind;

typedef Vec(Kind) Kinds;

/* The end of the word that begins there. */
static size_t
word_end(const char *s, size_t at)
{
	return at + strcspn(s + at, " ");
}

/* Where the only word begins in which a and b differ; false if more than one does. */
static bool
differ_in_word(const char *a, const char *b, size_t *word)
{
	size_t i = 0;

	while (a[i] && a[i] == b[i])
		i++;
	while (i > 0 && a[i - 1] != ' ')
		i--;
	*word = i;
	return !strcmp(a + word_end(a, i), b + word_end(b, i));
}

static bool
is_of(Kind *k, const char *text)
{
	size_t word;

	if (!strcmp(k->text, text))
		return true;
	if (!differ_in_word(k->text, text, &word) || (k->named && k->word != word))
		return false;
	if (!k->named && k->members.n > 1)
		return false;
	k->named = true;
	k->word = word;
	return true;
}

static void
add(Arena *a, Kinds *kinds, const char *text, u32 i)
{
	for (u32 k = 0; k < kinds->n; k++)
		if (is_of(&kinds->at[k], text)) {
			vec_push(a, &kinds->at[k].members, i);
			return;
		}
	vec_push(a, kinds, (Kind){.text = text});
	vec_push(a, &kinds->at[kinds->n - 1].members, i);
}

static void
print_one(const ReportInput *in, const Assumption *as, FILE *to)
{
	const char *at = view_position(in, as->src);

	fprintf(to, "  %s%s%s%s%s\n", as->text, as->function ? " in " : "",
		as->function ? as->function : "", *at ? " at " : "", at);
}

/* What a member adds to its kind: the word, or the function that it is in. */
static const char *
name_of(const ReportInput *in, const Kind *k, const Assumption *as)
{
	if (!k->named)
		return as->function ? as->function : "elsewhere";
	return arena_printf(in->races->arena, "%.*s", (int)(word_end(as->text, k->word) - k->word),
			    as->text + k->word);
}

static void
print_names(const Intern *names, FILE *to)
{
	u32 n = intern_count(names), lines = 1, column = 4;

	fprintf(to, "   ");
	for (u32 i = 1; i <= n; i++) {
		u32 width = intern_len(names, i) + 2;

		if (i > 1 && column + width > WIDTH) {
			if (lines++ == MAX_LINES) {
				fprintf(to, "\n    and %u more: --format json has all\n",
					n - i + 1);
				return;
			}
			fprintf(to, "\n   ");
			column = 4;
		}
		fprintf(to, " %s%s", intern_get(names, i), i < n ? "," : "\n");
		column += width;
	}
}

static void
print_kind(const ReportInput *in, const Kind *k, const Assumption *as, FILE *to)
{
	Intern names;
	u32 n;

	if (k->members.n < FEW) {
		for (u32 i = 0; i < k->members.n; i++)
			print_one(in, &as[k->members.at[i]], to);
		return;
	}
	intern_init(&names, in->races->arena);
	for (u32 i = 0; i < k->members.n; i++)
		intern_str(&names, name_of(in, k, &as[k->members.at[i]]));
	n = intern_count(&names);
	if (k->named)
		fprintf(to, "  %.*s...%s (%u):\n", (int)k->word, k->text,
			k->text + word_end(k->text, k->word), n);
	else
		fprintf(to, "  %s in %u function%s:\n", k->text, n, n == 1 ? "" : "s");
	print_names(&names, to);
}

void
assume_text(const ReportInput *in, FILE *to)
{
	Assumption *as;
	u32 n = view_assumptions(in, &as);
	Kinds kinds = {0};

	if (!n)
		return;
	fprintf(to, "%u assumption%s:\n", n, n == 1 ? "" : "s");
	for (u32 i = 0; i < n; i++)
		add(in->races->arena, &kinds, as[i].text, i);
	for (u32 i = 0; i < kinds.n; i++)
		print_kind(in, &kinds.at[i], as, to);
}
