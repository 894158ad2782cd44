/* A printf-style logger formats into a static buffer, outside its lock. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char line[256];

static void
say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof line, format, ap); // RACE
	pthread_mutex_lock(&lock);
	fputs(line, stderr); // RACE
	pthread_mutex_unlock(&lock);
	va_end(ap);
}

static void *
worker(void *arg)
{
	say("%s %d\n", "worker", 1);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
