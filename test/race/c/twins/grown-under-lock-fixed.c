/* An element of a vector that another thread lets grow is used under the lock of the vector. */
#include <pthread.h>
#include <stdlib.h>

static struct {
	pthread_mutex_t m;
	int *v;
	size_t n, cap;
} vec = {PTHREAD_MUTEX_INITIALIZER};

static void
push(int x)
{
	pthread_mutex_lock(&vec.m);
	if (vec.n == vec.cap)
		vec.v = realloc(vec.v, (vec.cap = vec.cap * 2 + 4) * sizeof *vec.v); // NORACE
	vec.v[vec.n++] = x;                                                          // NORACE
	pthread_mutex_unlock(&vec.m);
}

static void *
w(void *a)
{
	for (int i = 0; i < 100; i++)
		push(i);
	return a;
}

int
main(void)
{
	pthread_t t;
	int *p;
	push(1);
	pthread_create(&t, NULL, w, NULL);
	pthread_mutex_lock(&vec.m);
	p = &vec.v[0]; // NORACE
	*p = 7;        // NORACE
	pthread_mutex_unlock(&vec.m);
	pthread_join(t, NULL);
	return 0;
}
