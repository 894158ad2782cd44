/* Hosts are looked up into memory of each thread's own. */
#include <netdb.h>
#include <pthread.h>

static void *
look_up(void *name)
{
	struct hostent entry, *found; // NORACE
	char text[512];
	int error;

	if (gethostbyname_r(name, &entry, text, sizeof text, &found, &error) || !found) // NORACE
		return NULL;
	return found->h_addr_list[0] ? name : NULL; // NORACE
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
