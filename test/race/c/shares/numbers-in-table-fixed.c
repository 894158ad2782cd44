/* The numbers of threads lie in a table that starts with them, and that nobody writes; the threads are started
 * and joined again and again. */
#include <pthread.h>

static int ids[3] = {0, 1, 2};
static int progress[3];
static pthread_t th[3];

static void *work(void *arg)
{
	int id = *(int *)arg;

	progress[id]++; // NORACE
	return 0;
}

static void begin(void)
{
	for (int i = 0; i < 3; i++)
		pthread_create(&th[i], 0, work, &ids[i]);
}

static void end(void)
{
	for (int i = 0; i < 3; i++)
		pthread_join(th[i], 0);
}

int main(void)
{
	int sum = 0;

	for (int round = 0; round < 5; round++) {
		begin();
		end();
		sum += progress[0]; // NORACE
	}
	begin();
	end();
	return sum;
}
