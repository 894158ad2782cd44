/* progress.c - a line on the terminal for a phase that takes longer than a
 * second: what is done, and what is left.
 *
 * A thread of its own draws, because most phases have no place from which to
 * say that time has passed.  It writes to the terminal directly: no lock of
 * the standard library is ever held by it when a child is started. */
#include "cli/commands.h"
#include "report/report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 24, TICK_MS = 250 };

static const u64 SECOND = 1000000000;
static const char *const order[] = {
    "read", "link", "models", "dead code", "points-to", "threads, order, locks", "pairs", "report"};

struct Progress {
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool stop, drawn;
	const char *phase; /* null: none */
	u64 began, done, total;
	bool color;
};

static void
put(const char *text, int n)
{
	if (n > 0 && write(STDERR_FILENO, text, (size_t)n) < 0)
		return; /* a terminal that is gone needs no progress */
}

static void
erase(struct Progress *p)
{
	if (p->drawn)
		put("\r\033[K", 4);
	p->drawn = false;
}

/* The phases that come after this one, as text. */
static void
left_after(const char *phase, char *out, size_t size)
{
	u32 i = 0;

	*out = 0;
	while (i < COUNT(order) && strcmp(order[i], phase) != 0)
		i++;
	for (i++; i < COUNT(order); i++)
		(void)snprintf(out + strlen(out), size - strlen(out), "%s%s",
			       *out ? "; " : " then ", order[i]);
}

/* How much of the n bytes of the line is shown in a width: whole phases of what is left. */
static int
fit(const char *line, int n, int width)
{
	bool cut = n > width;

	n = MIN(n, width);
	for (int i = n - 1; cut && i > 0; i--)
		if (line[i] == ';')
			return i;
	return n && line[n - 1] == ';' ? n - 1 : n;
}

static void
draw(struct Progress *p, u64 now)
{
	char line[256], bar[WIDTH + 1], left[160];
	u64 spent = (now - p->began) / SECOND;
	struct winsize w = {0};
	int n, columns;

	columns = !ioctl(STDERR_FILENO, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : 80;
	left_after(p->phase, left, sizeof left);
	if (p->total && p->done) {
		u64 full = p->done * WIDTH / p->total;
		u64 rest = (now - p->began) / p->done * (p->total - p->done) / SECOND;

		memset(bar, '.', WIDTH);
		memset(bar, '#', MIN(full, WIDTH));
		bar[WIDTH] = 0;
		n = snprintf(line, sizeof line, "%s [%s] %llu of %llu, about %llu s left;%s",
			     p->phase, bar, (unsigned long long)p->done,
			     (unsigned long long)p->total, (unsigned long long)rest, left);
	} else {
		n = snprintf(line, sizeof line, "%s, %llu s;%s", p->phase,
			     (unsigned long long)spent, left);
	}
	n = fit(line, n, MIN(columns - 1, (int)sizeof line - 1));
	put("\r\033[K", 4);
	put("\033[2m", p->color ? 4 : 0);
	put(line, n);
	put("\033[0m", p->color ? 4 : 0);
	put("\r", 1);
	p->drawn = true;
}

static void *
tick(void *arg)
{
	struct Progress *p = arg;

	pthread_mutex_lock(&p->mutex);
	while (!p->stop) {
		struct timespec until;
		u64 now = time_wall();

		if (p->phase && now - p->began >= SECOND)
			draw(p, now);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += TICK_MS * 1000000L;
		if (until.tv_nsec >= (long)SECOND) {
			until.tv_nsec -= (long)SECOND;
			until.tv_sec++;
		}
		pthread_cond_timedwait(&p->wake, &p->mutex, &until);
	}
	erase(p);
	pthread_mutex_unlock(&p->mutex);
	return NULL;
}

static void
report(void *ctx, const char *phase, u64 done, u64 total)
{
	struct Progress *p = ctx;

	pthread_mutex_lock(&p->mutex);
	if (!p->phase || !phase || strcmp(p->phase, phase) != 0) {
		erase(p);
		p->phase = phase;
		p->began = time_wall();
	}
	p->done = done;
	p->total = total;
	pthread_mutex_unlock(&p->mutex);
}

struct Progress *
progress_start(Run *run)
{
	struct Progress *p;

	if (!run->opt->progress || run->opt->quiet || !report_is_terminal(stderr))
		return NULL;
	p = arena_new(&run->arena, struct Progress);
	p->color = report_wants_color(stderr);
	pthread_mutex_init(&p->mutex, NULL);
	pthread_cond_init(&p->wake, NULL);
	if (pthread_create(&p->thread, NULL, tick, p))
		return NULL;
	run->phases.report = report;
	run->phases.ctx = p;
	return p;
}

void
progress_stop(struct Progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->mutex);
	p->stop = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->mutex);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->mutex);
}
