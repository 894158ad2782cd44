/* An address that goes through an integer and back by xor. */
#include <pthread.h>
#include <stdint.h>

static int secret;
static uintptr_t key = 0x5a5a, hidden;

static void *
w(void *x)
{
	*(int *)(hidden ^ key) = 1; // RACE
	return x;
}

int
main(void)
{
	pthread_t t;
	hidden = (uintptr_t)&secret ^ key; // NORACE
	pthread_create(&t, NULL, w, NULL);
	secret = 2; // RACE
	pthread_join(t, NULL);
	return 0;
}
