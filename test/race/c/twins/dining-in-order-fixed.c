/* Dining philosophers: each pair shares a fork's use counter, guarded by the fork's mutex. */
#include <pthread.h>

#define N 5
static struct fork {
	pthread_mutex_t m;
	int used;
} f[N];

static void *
phil(void *arg)
{
	long i = (long)arg, l = i, r = (i + 1) % N;
	if (l > r) {
		long x = l;
		l = r;
		r = x;
	}
	pthread_mutex_lock(&f[l].m);
	pthread_mutex_lock(&f[r].m);
	f[l].used++; // NORACE
	f[r].used++; // NORACE
	pthread_mutex_unlock(&f[r].m);
	pthread_mutex_unlock(&f[l].m);
	return NULL;
}

int
main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&f[i].m, NULL);
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, phil, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return f[0].used; // NORACE
}
