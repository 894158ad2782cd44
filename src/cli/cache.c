/* cache.c - where results of earlier runs are kept, and `concord cache`. */
#include "cli/cache.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

/* Where the store is: the option, else the environment, else the user's cache;
 * null for nowhere. */
static const char *
cache_dir(Run *run)
{
	const char *own = getenv("CONCORD_CACHE"), *base = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (run->opt->no_cache)
		return NULL;
	if (run->opt->cache)
		return run->opt->cache;
	if (own)
		return *own ? own : NULL;
	if (base && *base == '/')
		return file_join(&run->arena, base, "concord");
	return home && *home == '/' ? file_join(&run->arena, home, ".cache/concord") : NULL;
}

Store *
cache_open(Run *run)
{
	const char *dir = run->store ? NULL : cache_dir(run);
	Store *s = dir ? store_open(&run->arena, dir, run->opt->cache_limit) : NULL;

	if (s && store_file(s, "/proc/self/exe", &run->tool))
		run->store = s;
	else if (s)
		store_close(s);
	return run->store;
}

void
cache_close(Run *run)
{
	if (!run->store)
		return;
	/* Not a diagnostic: reports are the same with and without a cache. */
	if (store_trouble(run->store) && !run->opt->quiet)
		fprintf(stderr, "concord: note: nothing more is kept in the cache: %s\n",
			store_trouble(run->store));
	store_close(run->store);
	run->store = NULL;
}

static int
print_counts(Run *run, const char *dir)
{
	StoreCounts counts = {0};
	u64 bytes = 0;

	store_count(&run->arena, dir, &counts);
	printf("%s\n", dir);
	for (u32 i = 0; i < counts.n; i++) {
		const StoreCount *c = &counts.at[i];
		printf("%8llu %-8s %10.1f MiB\n", (unsigned long long)c->files, c->kind,
		       (double)c->bytes / (1 << 20));
		bytes += c->bytes;
	}
	printf("%.1f of %.1f MiB\n", (double)bytes / (1 << 20),
	       (double)run->opt->cache_limit / (1 << 20));
	return EXIT_CLEAN;
}

int
cmd_cache(Run *run)
{
	const char *dir = cache_dir(run), *what = run->inputs.n == 1 ? run->inputs.at[0] : "";

	if (strcmp(what, "stat") && strcmp(what, "clear")) {
		diag_error(&run->diag, NULL, "`concord cache` takes stat or clear");
		return EXIT_INPUT;
	}
	if (!dir) {
		diag_error(&run->diag, NULL, "there is no cache: name a directory with --cache");
		return EXIT_INPUT;
	}
	if (!strcmp(what, "stat"))
		return print_counts(run, dir);
	if (store_clear(&run->arena, dir))
		return EXIT_CLEAN;
	diag_error(&run->diag, dir, "some entries could not be removed");
	return EXIT_INPUT;
}
