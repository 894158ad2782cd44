/* C11: whoever uses the table has called its initialiser once. */
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int table;
static void
make(void)
{
	table = 1; // NORACE
}
static int
first(void *arg)
{
	call_once(&once, make);
	return table && arg;
}
static int
second(void *arg)
{
	call_once(&once, make);
	return table && arg; // NORACE
}
int
main(void)
{
	thrd_t a, b;

	thrd_create(&a, first, NULL);
	thrd_create(&b, second, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return 0;
}
