/* scanf stores numbers to members of a struct, and nothing behind them, which others read. */
#include <pthread.h>
#include <stdio.h>

struct options {
	float place[4];
	int speed;
	int show;
	char name[8];
	int more;
};
static struct options opt;

static void *
track(void *arg)
{
	sscanf(arg, "%f %f", &opt.place[0], &opt.place[1]); // NORACE
	sscanf(arg, "%d", &opt.speed); // NORACE
	sscanf(arg, "%7s", opt.name); // NORACE
	return 0;
}

int
main(int argc, char **argv)
{
	pthread_t t;
	float f;
	int n;

	pthread_create(&t, 0, track, argv[0]);
	f = opt.place[3]; // NORACE
	n = opt.show; // NORACE
	n += opt.more; // NORACE
	pthread_join(t, 0);
	return n + f;
}
