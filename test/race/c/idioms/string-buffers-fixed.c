/* Library functions read and write one name, always under its lock. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char name[64] = "nobody", copy[64];

static void *
rename_it(void *arg)
{
	char buf[64];

	snprintf(buf, sizeof buf, "user-%d", 7); // NORACE
	pthread_mutex_lock(&lock);
	strcpy(name, buf); // NORACE
	name[sizeof name - 1] = '\0'; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *
save(void *arg)
{
	pthread_mutex_lock(&lock);
	memcpy(copy, name, sizeof copy); // NORACE
	if (strlen(name) > 8) // NORACE
		arg = NULL;
	printf("%s\n", name); // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, rename_it, NULL);
	pthread_create(&b, NULL, save, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
