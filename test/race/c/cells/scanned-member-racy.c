/* scanf stores numbers to members of a struct, and nothing behind them, but they are read
 * meanwhile. */
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
	sscanf(arg, "%f %f", &opt.place[0], &opt.place[1]); // RACE
	sscanf(arg, "%d", &opt.speed); // RACE
	sscanf(arg, "%7s", opt.name); // RACE
	return 0;
}

int
main(int argc, char **argv)
{
	pthread_t t;
	float f;
	int n;

	pthread_create(&t, 0, track, argv[0]);
	f = opt.place[1]; // RACE
	n = opt.speed; // RACE
	n += opt.name[3]; // RACE
	pthread_join(t, 0);
	return n + f;
}
