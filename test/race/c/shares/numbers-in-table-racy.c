/* The numbers of threads lie in a table that starts with them. But two are the same, it is written, it ends
 * before the threads do, or the next batch starts before the last has ended. */
#include <pthread.h>

static int twice[4] = {0, 1, 1, 3}, written[4] = {0, 1, 2, 3}, shorter[4] = {0, 1}, ids[4] = {0, 1, 2, 3};
static int a[4], b[4], c[4], d[4];

static void *work_a(void *arg)
{
	a[*(int *)arg]++; // RACE
	return 0;
}

static void *work_b(void *arg)
{
	b[*(int *)arg]++; // RACE
	return 0;
}

static void *work_c(void *arg)
{
	c[*(int *)arg]++; // RACE
	return 0;
}

static void *work_d(void *arg)
{
	d[*(int *)arg]++; // RACE
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t t[5][4];

	if (argc > 1)
		written[argc & 3] = 2;
	for (int i = 0; i < 4; i++) {
		pthread_create(&t[0][i], 0, work_a, &twice[i]);
		pthread_create(&t[1][i], 0, work_b, &written[i]);
		pthread_create(&t[2][i], 0, work_c, &shorter[i]);
	}
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 4; i++)
			pthread_create(&t[3 + round][i], 0, work_d, &ids[i]);
	for (int k = 0; k < 5; k++)
		for (int i = 0; i < 4; i++)
			pthread_join(t[k][i], 0);
	return a[0] + b[0] + c[0] + d[0];
}
