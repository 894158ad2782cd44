/* RELAY, Figure 10 (non-parallel threads): a second copy of the thread is not started,
 * because its starter waits until the first has said that it runs. */
#include <pthread.h>

enum { STATE_NONE, STATE_MASTER };

struct completion {
	pthread_mutex_t lock;
	pthread_cond_t wait;
	int done;
};

static int state;
static int maxlen;
static struct completion startup = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void
complete(struct completion *c)
{
	pthread_mutex_lock(&c->lock);
	c->done = 1; // NORACE
	pthread_cond_signal(&c->wait);
	pthread_mutex_unlock(&c->lock);
}

static void
wait_for_completion(struct completion *c)
{
	pthread_mutex_lock(&c->lock);
	while (!c->done) // NORACE
		pthread_cond_wait(&c->wait, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

static void
set_sync_mesg_maxlen(int s)
{
	maxlen = s ? 1400 : 0; // NORACE-LIKELY
}

static void *
sync_thread(void *arg)
{
	struct completion *startup = arg;

	state = STATE_MASTER; // NORACE-LIKELY
	set_sync_mesg_maxlen(state); // NORACE-LIKELY
	complete(startup);
	return NULL;
}

static int
start_sync_thread(void)
{
	pthread_t h;

	if (state == STATE_MASTER) // NORACE-LIKELY
		return -1;
repeat:
	if (pthread_create(&h, NULL, sync_thread, &startup) != 0)
		goto repeat;
	wait_for_completion(&startup);
	return 0;
}

int
main(void)
{
	int started = 0;

	for (int i = 0; i < 8; i++)
		started += start_sync_thread() == 0;
	pthread_exit(started ? NULL : &state);
}
