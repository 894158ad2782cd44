/* Threads are made, and waited for, only where there is more than one share: the test is made anew for each. */
#include <pthread.h>
#include <stdlib.h>

static int threads;
static int in_loop, by_option, by_helper, again;

static void *worker(void *a)
{
	(void)a;
	return (void *)(long)in_loop;
}

static void share(int n, int files)
{
	int nth = n < files ? n : files;
	pthread_t *h = NULL;

	if (nth > 1)
		h = calloc(nth, sizeof *h);
	for (int i = 0; i < nth; i++) {
		if (nth > 1)
			pthread_create(h + i, NULL, worker, NULL);
		else
			worker(NULL);
	}
	if (nth > 1) {
		for (int j = 0; j < nth; j++)
			pthread_join(h[j], NULL);
		free(h);
	}
	in_loop++; // NORACE
}

static void *option_worker(void *a)
{
	(void)a;
	return (void *)(long)by_option;
}

static void option(void)
{
	pthread_t *h = calloc(threads, sizeof *h);

	if (threads > 1)
		for (int i = 0; i < threads; i++)
			pthread_create(&h[i], NULL, option_worker, NULL);
	else
		option_worker(NULL);
	if (threads > 1)
		for (int i = 0; i < threads; i++)
			pthread_join(h[i], NULL);
	by_option++; // NORACE
	free(h);
}

static pthread_t one;

static void *helper_worker(void *a)
{
	(void)a;
	return (void *)(long)by_helper;
}

static void start(void)
{
	pthread_create(&one, NULL, helper_worker, NULL);
}

static void helper(int apart)
{
	if (apart)
		start();
	else
		helper_worker(NULL);
	if (apart)
		pthread_join(one, NULL);
	by_helper++; // NORACE
}

static void *again_worker(void *a)
{
	(void)a;
	return (void *)(long)again;
}

/* Each round has its threads, if there are any. */
static void rounds(int n, int last)
{
	pthread_t h[8];

	for (int k = 0; k < last; k++) {
		for (int i = 0; i < 8; i++)
			if (n & 4)
				pthread_create(&h[i], NULL, again_worker, NULL);
		if (n & 4)
			for (int i = 0; i < 8; i++)
				pthread_join(h[i], NULL);
		again++; // NORACE
	}
}

int main(int argc, char **argv)
{
	threads = atoi(argv[1]);
	for (int k = 0; k < 3; k++) {
		share(argc, atoi(argv[2]));
		option();
		helper(argc > 3);
		rounds(argc, 3);
	}
	return 0;
}
