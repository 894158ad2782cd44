/* What starts the threads says that it failed also where only the second one did not start: the
 * first one runs on. */
#include <pthread.h>
#include <stdlib.h>

typedef struct Device {
	pthread_mutex_t lock;
	int reads, writes;
} Device;

static void *
serve(void *arg)
{
	Device *d = arg;

	pthread_mutex_lock(&d->lock);
	d->reads++; // RACE
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

static int
probe(Device *d, pthread_t *a, pthread_t *b)
{
	pthread_mutex_init(&d->lock, NULL);
	d->reads = d->writes = 0;
	if (pthread_create(a, NULL, serve, d))
		goto gone;
	if (pthread_create(b, NULL, serve, d))
		goto gone;
	return 0;
gone:
	pthread_mutex_destroy(&d->lock);
	return -1;
}

static void
disconnect(Device *d, pthread_t a, pthread_t b)
{
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_mutex_destroy(&d->lock);
}

int
main(void)
{
	Device *d = malloc(sizeof *d);
	pthread_t a, b;

	if (!d)
		abort();
	if (probe(d, &a, &b) == 0)
		disconnect(d, a, b);
	d->reads = 0; // RACE
	free(d);      // RACE
	return 0;
}
