/* One reader of what an initialiser sets does not go through the once-control. */
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int handle;

static void
open_handle(void)
{
	handle = 3; // RACE
}

static int
get_handle(void)
{
	call_once(&flag, open_handle);
	return handle; // NORACE
}

static int
user(void *arg)
{
	(void)arg;
	return get_handle() + get_handle();
}

int
main(void)
{
	thrd_t a, b;
	int n;

	thrd_create(&a, user, NULL);
	thrd_create(&b, user, NULL);
	n = handle; // RACE
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return n;
}
