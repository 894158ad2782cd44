/* strtok_r keeps its place where its caller says. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <string.h>

static void *
split(void *arg)
{
	char text[] = "a,b,c";
	int n = 0;
	char *at;

	for (char *p = strtok_r(text, ",", &at); p; p = strtok_r(NULL, ",", &at)) // NORACE
		n++;
	return n == 3 ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, split, NULL);
	pthread_create(&b, NULL, split, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
