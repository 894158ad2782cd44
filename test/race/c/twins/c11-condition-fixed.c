/* C11: data is handed over by a condition variable and a flag. */
#include <threads.h>

static mtx_t m;
static cnd_t filled;
static int full, data;
static int
maker(void *arg)
{
	data = 1; // NORACE
	mtx_lock(&m);
	full = 1;
	cnd_signal(&filled);
	mtx_unlock(&m);
	return arg != NULL;
}
static int
user(void *arg)
{
	mtx_lock(&m);
	while (!full)
		cnd_wait(&filled, &m);
	mtx_unlock(&m);
	return data && arg; // NORACE
}
int
main(void)
{
	thrd_t a, b;
	mtx_init(&m, mtx_plain);
	cnd_init(&filled);
	thrd_create(&a, maker, NULL);
	thrd_create(&b, user, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return 0;
}
