/* Handlers of signals are kept in one stack with functions of other types: these are hardly meant. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
typedef void (*handler)(int);
static void *kept[8];
static int n, total;
static volatile sig_atomic_t woken;
static int count(int by)
{
	return total += by; // NORACE-LIKELY
}
static void on_signal(int number)
{
	woken = number;
}
static void keep(void *p) { kept[n++] = p; }
static void *last(void) { return kept[--n]; }
static void *work(void *arg)
{
	count(1);
	return arg;
}
int main(void)
{
	pthread_t t;
	int (*f)(int);
	keep((void *)count);
	f = (int (*)(int))last();
	total = f(1);
	keep((void *)on_signal);
	pthread_create(&t, NULL, work, NULL);
	signal(SIGTERM, (handler)last());
	pthread_join(t, NULL);
	return woken;
}
