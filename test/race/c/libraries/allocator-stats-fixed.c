/* The statistics of an allocator are printed by a function of the program's that takes a lock. */
#include <pthread.h>
#include <stddef.h>

void *mallocx(size_t n, int flags);
void dallocx(void *p, int flags);
void malloc_stats_print(void (*f)(void *, const char *), void *x, const char *options);
int mallctl(const char *name, void *old, size_t *size, void *now, size_t n);

static long lines;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
print(void *x, const char *text)
{
	pthread_mutex_lock(&m);
	lines++; // NORACE
	pthread_mutex_unlock(&m);
}

static void *
work(void *arg)
{
	int *p = mallocx(sizeof *p, 0);
	size_t all, n = sizeof all;

	*p = 1; // NORACE
	mallctl("stats.allocated", &all, &n, NULL, 0);
	malloc_stats_print(print, NULL, "");
	dallocx(p, 0); // NORACE
	return NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
