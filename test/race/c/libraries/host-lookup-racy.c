/* A reentrant lookup is given memory that the threads share. */
#include <netdb.h>
#include <pthread.h>

static struct hostent entry;
static char text[512];

static void *
look_up(void *name)
{
	struct hostent *found;
	int error;

	if (gethostbyname_r(name, &entry, text, sizeof text, &found, &error) || !found) // RACE
		return NULL;
	return found->h_addr_list ? name : NULL; // RACE
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, look_up, "one");
	pthread_create(&b, NULL, look_up, "two");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
