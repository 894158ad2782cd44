/* A pointer is copied byte by byte with memcpy into a message, and used on the other side. */
#include <pthread.h>
#include <string.h>

static char msg[16];
static int data;

static void *
w(void *x)
{
	int *p;
	memcpy(&p, msg + 4, sizeof p); // NORACE
	*p = 1;                        // RACE
	return x;
}

int
main(void)
{
	pthread_t t;
	int *p = &data;
	memcpy(msg + 4, &p, sizeof p); // NORACE
	pthread_create(&t, NULL, w, NULL);
	data = 2; // RACE
	pthread_join(t, NULL);
	return 0;
}
