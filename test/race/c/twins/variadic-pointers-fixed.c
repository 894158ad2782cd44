/* Pointers to locals go through varargs. */
#include <pthread.h>
#include <stdarg.h>

static void
set(int count, ...)
{
	va_list ap;
	va_start(ap, count);
	for (int i = 0; i < count; i++)
		++*va_arg(ap, int *); // NORACE
	va_end(ap);
}

static void *
w(void *a)
{
	int own = 0, two = 0;
	set(2, &own, &two);
	return (void *)(long)own;
}

int
main(void)
{
	pthread_t t;
	int mine = 0;
	pthread_create(&t, NULL, w, NULL);
	set(1, &mine);
	pthread_join(t, NULL);
	return mine; // NORACE
}
