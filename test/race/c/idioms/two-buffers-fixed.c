/* Two buffers are handed to and fro between who fills and who writes out: a count says
 * how many are full, and both turn over their side.  That they are never at one buffer is not
 * shown, so it stays possible. */
#include <pthread.h>

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	int full, side, length[2], failed;
} my = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, {0, 0}, 0};

static void *
write_out(void *arg)
{
	int side = 0;
	long all = 0;

	pthread_mutex_lock(&my.mutex);
	for (;;) {
		while (!my.full)
			pthread_cond_wait(&my.cond, &my.mutex);
		if (my.full >= 4)
			break;
		all += my.length[side]; // NORACE-LIKELY
		my.length[side] = 0; // NORACE-LIKELY
		side ^= 1;
		my.full--;
		pthread_cond_signal(&my.cond);
	}
	pthread_mutex_unlock(&my.mutex);
	(void)arg;
	return (void *)all;
}

static void
turn(int by)
{
	pthread_mutex_lock(&my.mutex);
	my.full += by;
	pthread_cond_signal(&my.cond);
	while (my.full & 2)
		pthread_cond_wait(&my.cond, &my.mutex);
	pthread_mutex_unlock(&my.mutex);
	my.side ^= by & 1;
}

static void
fill(int n)
{
	int side = my.side;

	for (int i = 0; i < n; i++) {
		if (my.length[side] > 100) { // NORACE-LIKELY
			turn(1);
			side = my.side;
		}
		my.length[side] += i; // NORACE-LIKELY
	}
}

int
main(int argc, char **argv)
{
	pthread_t t;

	pthread_create(&t, 0, write_out, 0);
	fill(1000 * argc);
	if (argc < 5)
		turn(4);
	pthread_detach(t);
	(void)argv;
	return 0;
}
