/* phase.c - see phase.h. */
#include "phase.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const u64 BILLION = 1000000000;

u64
time_wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * BILLION + (u64)t.tv_nsec;
}

static u64
cpu_of(int who)
{
	struct rusage r;

	getrusage(who, &r);
	return ((u64)r.ru_utime.tv_sec + (u64)r.ru_stime.tv_sec) * BILLION +
	       ((u64)r.ru_utime.tv_usec + (u64)r.ru_stime.tv_usec) * 1000;
}

u64
time_cpu(void)
{
	return cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN);
}

u64
memory_peak(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return ((u64)self.ru_maxrss + (u64)children.ru_maxrss) * 1024;
}

void
phases_init(Phases *p, Arena *a, PhaseFn *report, void *ctx)
{
	memset(p, 0, sizeof *p);
	p->arena = a;
	p->report = report;
	p->ctx = ctx;
}

static Phase *
open_phase(Phases *p)
{
	assert(p->depth);
	return &p->list.at[p->open[p->depth - 1]];
}

void
phase_show(Phases *p, const char *name)
{
	if (p->report)
		p->report(p->ctx, name, 0, 0);
}

/* While a phase is open, wall and cpu hold the clocks at its beginning. */
void
phase_begin(Phases *p, const char *name)
{
	Phase ph = {.name = name, .depth = p->depth, .wall = time_wall(), .cpu = time_cpu()};

	assert(p->depth < PHASE_DEPTH);
	p->open[p->depth++] = p->list.n;
	vec_push(p->arena, &p->list, ph);
	phase_show(p, name);
}

void
phase_end(Phases *p)
{
	Phase *ph = open_phase(p);

	ph->wall = time_wall() - ph->wall;
	ph->cpu = time_cpu() - ph->cpu;
	ph->peak = memory_peak();
	p->depth--;
	if (!p->depth)
		phase_show(p, NULL);
}

void
phase_count(Phases *p, u64 count, const char *unit)
{
	open_phase(p)->count = count;
	open_phase(p)->unit = unit;
}

void
phase_progress(Phases *p, u64 done, u64 total)
{
	if (p->report && p->depth)
		p->report(p->ctx, open_phase(p)->name, done, total);
}

static bool
is_open(const Phases *p, u32 i)
{
	for (u32 k = 0; k < p->depth; k++)
		if (p->open[k] == i)
			return true;
	return false;
}

void
phases_print(const Phases *p, FILE *to)
{
	fprintf(to, "%-28s %10s %10s %10s\n", "phase", "wall ms", "cpu ms", "peak MiB");
	for (u32 i = 0; i < p->list.n; i++) {
		const Phase *ph = &p->list.at[i];
		int indent = (int)ph->depth * 2;
		if (is_open(p, i))
			continue;
		fprintf(to, "%*s%-*s %10.1f %10.1f %10.1f", indent, "", 28 - indent, ph->name,
			(double)ph->wall / 1e6, (double)ph->cpu / 1e6,
			(double)ph->peak / (1 << 20));
		if (ph->unit)
			fprintf(to, "  %" PRIu64 " %s", ph->count, ph->unit);
		fputc('\n', to);
	}
}
