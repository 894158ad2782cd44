/* several.c - see several.h.
 *
 * A suppression may be used in one program only: so those who check write down which they used,
 * and the warning comes once all have. */
#include "cli/several.h"

#include "cli/marks.h"
#include "report/report.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void
end_with(pid_t parent)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent) /* already */
		_exit(128 + SIGTERM);
}

int
several_apart(Run *run, const char *name, Checker *check, void *ctx, FILE *part)
{
	int status = 0;
	pid_t self = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		end_with(self);
		status = check(ctx, part);
		fflush(NULL);
		_exit(status);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (pid > 0 && WIFEXITED(status))
		return WEXITSTATUS(status);
	diag_error(&run->diag, NULL, "%s: the check ended early: %s", name,
		   pid < 0 ? strerror(errno) : strsignal(WTERMSIG(status)));
	return EXIT_FAULT;
}

void
several_begin(Several *s, Run *run, u32 format, FILE *to)
{
	*s = (Several){.run = run, .format = format, .to = to, .rules = tmpfile()};
	run->rules = s->rules;
	if (format == FORMAT_JSON)
		report_json_begin(to, CONCORD_VERSION);
	else if (format == FORMAT_SARIF)
		report_sarif_begin(to);
}

/* What stands before a program's part. */
static void
separate(const Several *s, const char *name)
{
	if (s->format == FORMAT_TEXT)
		fprintf(s->to, "%s== %s\n", s->n ? "\n" : "", name);
	else if (s->n && (s->format == FORMAT_JSON || s->format == FORMAT_SARIF))
		fputc(',', s->to);
}

static void
copy(FILE *from, FILE *to)
{
	char block[1 << 14];
	size_t n;

	rewind(from);
	while ((n = fread(block, 1, sizeof block, from)) > 0)
		(void)fwrite(block, 1, n, to);
}

void
several_add(Several *s, const char *name, Checker *check, void *ctx)
{
	FILE *part = tmpfile();
	int status;

	if (!part) {
		diag_error(&s->run->diag, NULL, "a temporary file: %s", strerror(errno));
		s->status = MAX(s->status, EXIT_INPUT);
		return;
	}
	status = several_apart(s->run, name, check, ctx, part);
	if (!fseek(part, 0, SEEK_END) && ftell(part) > 0 && status != EXIT_FAULT) {
		separate(s, name);
		copy(part, s->to);
		s->n++;
	}
	fclose(part);
	s->status = MAX(s->status, status);
}

void
several_end(Several *s)
{
	if (s->format == FORMAT_JSON)
		report_json_end(s->to);
	else if (s->format == FORMAT_SARIF)
		report_sarif_end(s->to);
	s->run->rules = NULL;
	if (!s->rules)
		return;
	rules_unused(s->run, s->rules);
	fclose(s->rules);
}
