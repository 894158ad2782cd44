/* Commands are called through a table of functions; each takes the lock. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void
cmd_set(int n)
{
	pthread_mutex_lock(&lock);
	value = n; // NORACE
	pthread_mutex_unlock(&lock);
}

static void
cmd_add(int n)
{
	pthread_mutex_lock(&lock);
	value += n; // NORACE
	pthread_mutex_unlock(&lock);
}

static void (*const commands[])(int) = {cmd_set, cmd_add};

static void *
client(void *arg)
{
	for (int i = 0; i < 10; i++)
		commands[i % 2](i);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, client, NULL);
	pthread_create(&b, NULL, client, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
