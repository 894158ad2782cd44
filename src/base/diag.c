/* diag.c - see diag.h. */
#include "diag.h"

#include <string.h>

void
diag_init(Diag *d, Arena *a, FILE *to)
{
	memset(d, 0, sizeof *d);
	d->arena = a;
	d->to = to;
	pthread_mutex_init(&d->mutex, NULL);
}

void
diag_release(Diag *d)
{
	pthread_mutex_destroy(&d->mutex);
}

static void
print(const Diag *d, const DiagMsg *m)
{
	static const char *const word[] = {"note", "warning", "error"};
	static const char *const paint[] = {"\033[36m", "\033[35m", "\033[31m"};

	if (*m->file)
		fprintf(d->to, "%s:", m->file);
	else
		fputs("concord:", d->to);
	if (m->line)
		fprintf(d->to, "%u:", m->line);
	if (m->line && m->col)
		fprintf(d->to, "%u:", m->col);
	if (d->color)
		fprintf(d->to, " %s%s:\033[0m %s\n", paint[m->level], word[m->level], m->text);
	else
		fprintf(d->to, " %s: %s\n", word[m->level], m->text);
}

void
diag_at(Diag *d, DiagLevel level, const char *file, u32 line, u32 col, const char *fmt, ...)
{
	va_list ap;
	DiagMsg m = {level, "", line, col, NULL};

	pthread_mutex_lock(&d->mutex);
	if (file)
		m.file = arena_strdup(d->arena, file);
	va_start(ap, fmt);
	m.text = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
	vec_push(d->arena, &d->msgs, m);
	d->errors += level == DIAG_ERROR;
	d->warnings += level == DIAG_WARNING;
	if (d->to && level >= d->least)
		print(d, &m);
	pthread_mutex_unlock(&d->mutex);
}
