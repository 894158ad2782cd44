/* A pointer that goes through varargs is written by two threads. */
#include <pthread.h>
#include <stdarg.h>

static int n;

static void
set(int count, ...)
{
	va_list ap;
	va_start(ap, count);
	for (int i = 0; i < count; i++)
		++*va_arg(ap, int *); // RACE
	va_end(ap);
}

static void *
w(void *a)
{
	int own = 0;
	set(2, &own, &n);
	return a;
}

int
main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, w, NULL);
	set(1, &n);
	pthread_join(t, NULL);
	return n; // NORACE
}
