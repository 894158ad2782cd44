/* A small interpreter with computed goto: one operation stores to shared memory. */
#include <pthread.h>

static int mem[4];
static const unsigned char prog[] = {0, 1, 2};

static void *
run(void *a)
{
	static const void *const op[] = {&&load, &&store, &&end};
	const unsigned char *pc = prog;
	int acc = 0;
	goto *op[*pc++];
load:
	acc = mem[1]; // RACE
	goto *op[*pc++];
store:
	mem[1] = acc + 1; // RACE
	goto *op[*pc++];
end:
	return a;
}

int
main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, run, NULL);
	run(NULL);
	pthread_join(t, NULL);
	return mem[1]; // NORACE
}
