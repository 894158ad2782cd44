/* A vector grows by realloc under the lock; a reader keeps the old array. */
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
		int *bigger = realloc(items, (room + 16) * sizeof *items); // RACE

		if (!bigger)
			abort();
		items = bigger; // RACE
		room += 16;
	}
	items[count++] = 1; // RACE
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *
first(void *arg)
{
	int n = items ? *items : 0; // RACE
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
