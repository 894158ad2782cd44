/* Library functions read and write one name while another thread copies it. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[64] = "nobody", copy[64];

static void *
rename_it(void *arg)
{
	char buf[64];

	snprintf(buf, sizeof buf, "user-%d", 7); // NORACE
	strcpy(name, buf); // RACE
	name[sizeof name - 1] = '\0'; // RACE
	return arg;
}

static void *
save(void *arg)
{
	memcpy(copy, name, sizeof copy); // RACE
	if (strlen(name) > 8) // RACE
		arg = NULL;
	printf("%s\n", name); // RACE
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
