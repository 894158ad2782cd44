// FLAGS: --entry start
/* A kernel thread tells by a completion that it is ready, but nobody looks whether the wait ended by it; and it goes on writing. */
#include "linux.h"

static struct completion ready;
static int *answer, rest;

static int
worker(void *arg)
{
	answer = __kmalloc(sizeof *answer, GFP_KERNEL); // RACE possible
	complete(&ready);
	rest = 1; // RACE
	return 0;
}

int
start(void)
{
	init_completion(&ready);
	kthread_run(worker, NULL, "worker");
	wait_for_completion_timeout(&ready, 10);
	return *answer + rest; // RACE
}
