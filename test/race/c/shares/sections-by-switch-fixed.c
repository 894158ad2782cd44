/* Each thread does the section of its number. */
#include <pthread.h>

static int scanned, sorted, summed;

static void *
section(void *arg)
{
	switch ((int)(long)arg) {
	case 0:
		scanned++; // NORACE
		break;
	case 1:
		sorted++; // NORACE
		break;
	case 2:
		summed++; // NORACE
		break;
	}
	return NULL;
}

int
main(void)
{
	pthread_t t[12];

	for (long i = 0; i < 12; i++)
		pthread_create(&t[i], NULL, section, (void *)i);
	for (int i = 0; i < 12; i++)
		pthread_join(t[i], NULL);
	return scanned + sorted + summed;
}
