/* A thread that is started first acts on commands; the limit is set before one is read. */
#include <pthread.h>
#include <unistd.h>

struct commands {
	pthread_mutex_t lock;
	int waiting;
};

static struct commands commands = {PTHREAD_MUTEX_INITIALIZER, 0};
static int limit, done;

static void *serve(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&commands.lock);
		int n = commands.waiting;
		commands.waiting = 0;
		pthread_mutex_unlock(&commands.lock);
		if (n > 0 && done + n < limit) // NORACE-LIKELY
			done += n; // NORACE
		usleep(1000);
	}
	return arg;
}

int main(void)
{
	pthread_t t;
	int n;

	pthread_create(&t, NULL, serve, NULL);
	limit = 100; // NORACE-LIKELY
	while (read(0, &n, sizeof n) == sizeof n) {
		pthread_mutex_lock(&commands.lock);
		commands.waiting = n;
		pthread_mutex_unlock(&commands.lock);
	}
	return 0;
}
