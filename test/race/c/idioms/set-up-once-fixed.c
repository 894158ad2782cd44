/* Whoever comes first sets things up under a lock; everyone asks for that before he uses them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct table {
	int n;
	int x[8];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table *table;
static void (*convert)(int);
static int (*cpu)(int);

static int number(void)
{
	int n = 0;

	while (getchar() != '\n')
		n++;
	return n;
}

static int load(void)
{
	table = calloc(1, sizeof *table);
	if (!table)
		return -1;
	for (int i = 0; i < 8; i++)
		table->x[i] = number(); // NORACE-LIKELY
	table->n = 8; // NORACE-LIKELY
	return 0;
}

static int find(int k)
{
	pthread_mutex_lock(&lock);
	if (!table && load() < 0) {
		pthread_mutex_unlock(&lock);
		return -1;
	}
	pthread_mutex_unlock(&lock);
	return k < table->n ? table->x[k] : 0; // NORACE-LIKELY
}

static void slowly(int n)
{
	printf("%d\n", n);
}

static void quickly(int n)
{
	printf("%d.\n", n);
}

/* Anew for another kind of machine: main says which before all threads. */
static void set_convert(void)
{
	static int (*volatile last)(int) = (int (*)(int))&last;
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

	if (pthread_mutex_lock(&m))
		return;
	if (last != cpu) {
		convert = slowly; // NORACE-LIKELY
		if (cpu && cpu(3))
			convert = quickly; // NORACE-LIKELY
	}
	last = cpu;
	pthread_mutex_unlock(&m);
}

static void use(void)
{
	convert(find(2)); // NORACE-LIKELY
}

static void *worker(void *a)
{
	if (a)
		set_convert();
	else
		set_convert();
	use();
	return NULL;
}

static int is_large(int n)
{
	return n > 4;
}

int main(int argc, char **argv)
{
	pthread_t t;

	cpu = argc > 2 ? is_large : NULL;
	while (number()) {
		pthread_create(&t, NULL, worker, argv[1]);
		set_convert();
		use();
	}
	return 0;
}
