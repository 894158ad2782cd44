/* Threads note their own handles, each where it belongs. */
#include <pthread.h>

struct worker {
	pthread_t id, self;
	int done;
};

static struct worker one, many[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t owner;
static int result, all;

static void *
work(void *arg)
{
	struct worker *w = arg;

	w->self = pthread_self();
	result = 1; // NORACE
	pthread_mutex_lock(&lock);
	owner = pthread_self();
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *
work_on(void *arg)
{
	struct worker *w = arg;

	w->self = pthread_self();
	pthread_mutex_lock(&lock);
	owner = pthread_self();
	all++; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_create(&one.id, NULL, work, &one);
	pthread_join(one.id, NULL);
	result = 2; // NORACE

	for (int i = 0; i < 4; i++)
		pthread_create(&many[i].id, NULL, work_on, &many[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(many[i].id, NULL);
	all++; // NORACE
	return 0;
}
