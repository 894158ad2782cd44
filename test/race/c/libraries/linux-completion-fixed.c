// FLAGS: --entry start
/* A kernel thread tells by a completion that it is ready. */
#include "linux.h"

static struct completion ready;
static int *answer;

static int
worker(void *arg)
{
	answer = __kmalloc(sizeof *answer, GFP_KERNEL); // NORACE
	complete(&ready);
	return 0;
}

int
start(void)
{
	init_completion(&ready);
	kthread_run(worker, NULL, "worker");
	wait_for_completion(&ready);
	return *answer; // NORACE
}
