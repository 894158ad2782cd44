/* A vector grows by realloc under the lock that its readers take. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *items;
static size_t count, room;

static void *
append(void *arg)
{
	pthread_mutex_lock(&lock);
	if (count == room) {
		int *bigger = realloc(items, (room + 16) * sizeof *items); // NORACE

		if (!bigger)
			abort();
		items = bigger; // NORACE
		room += 16;
	}
	items[count++] = 1; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *
first(void *arg)
{
	pthread_mutex_lock(&lock);
	int n = items ? *items : 0; // NORACE
	pthread_mutex_unlock(&lock);
	return n ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	append(NULL);
	pthread_create(&a, NULL, append, NULL);
	pthread_create(&b, NULL, first, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(items); // NORACE
	return 0;
}
