/* RELAY, Figure 10, broken: the starter does not look at the state, nor wait. */
#include <pthread.h>

enum { STATE_NONE, STATE_MASTER };

static int state;
static int maxlen;

static void
set_sync_mesg_maxlen(int s)
{
	maxlen = s ? 1400 : 0; // RACE
}

static void *
sync_thread(void *arg)
{
	state = STATE_MASTER; // RACE
	set_sync_mesg_maxlen(state); // RACE
	return arg;
}

static int
start_sync_thread(void)
{
	pthread_t h;

repeat:
	if (pthread_create(&h, NULL, sync_thread, NULL) != 0)
		goto repeat;
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
