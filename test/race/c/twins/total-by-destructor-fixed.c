/* C11: thread-specific storage, call_once for the key, a plain mutex for the total. */
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static mtx_t m;
static long total;

static void
finish(void *p)
{
	mtx_lock(&m);
	total += *(long *)p; // NORACE
	mtx_unlock(&m);
	free(p);
}

static void
init(void)
{
	tss_create(&key, finish);
	mtx_init(&m, mtx_plain);
}

static int
w(void *a)
{
	long *n = malloc(sizeof *n);
	call_once(&once, init);
	*n = 1; // NORACE
	tss_set(key, n);
	++*(long *)tss_get(key); // NORACE
	return 0;
}

int
main(void)
{
	thrd_t a, b;
	thrd_create(&a, w, NULL);
	thrd_create(&b, w, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return total; // NORACE
}
