/* Each round waits for the thread that it has started, each join for the next handle that is kept, and one
 * is tried until it succeeds. */
#include <errno.h>
#include <pthread.h>

struct kept {
	struct kept *next;
	pthread_t thread;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, other, tried;

static void *
add(void *arg)
{
	pthread_mutex_lock(&lock);
	sum++; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *
count(void *arg)
{
	pthread_mutex_lock(&lock);
	other++; // NORACE-LIKELY
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *
try(void *arg)
{
	pthread_mutex_lock(&lock);
	tried++; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t last;
	struct kept room[3], *list = NULL;

	for (int i = 0; i < 3; i++) {
		pthread_create(&last, NULL, add, NULL);
		pthread_join(last, NULL);
	}
	sum = 0; // NORACE
	for (int i = 0; i < 3; i++) {
		room[i].next = list;
		list = &room[i];
		pthread_create(&list->thread, NULL, count, NULL);
	}
	for (; list; list = list->next) {
		pthread_t one = list->thread;
		pthread_join(one, NULL);
	}
	other = 0; // NORACE-LIKELY
	pthread_create(&last, NULL, try, NULL);
	while (pthread_join(last, NULL) == EINTR)
		;
	tried = 0; // NORACE
	return 0;
}
