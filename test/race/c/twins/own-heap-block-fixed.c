/* Each thread gets a block of its own from the heap. */
#include <pthread.h>
#include <stdlib.h>

struct task {
	int in, out;
};

static void *
work(void *arg)
{
	struct task *t = arg;

	t->out = t->in + 1; // NORACE
	return t;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++) {
		struct task *task = calloc(1, sizeof *task);

		if (!task)
			return 1;
		task->in = i;
		pthread_create(&t[i], NULL, work, task);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
