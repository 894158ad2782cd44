/* A worker takes a request from a list, puts it into the list of those that are done, and works on it only then. */
#include <pthread.h>
#include <stdlib.h>

struct req {
	struct req *next;
	int input, result;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct req *todo, *done;
static int total;

static void square(struct req *r)
{
	r->result = r->input * r->input; // RACE
}

static void *worker(void *arg)
{
	for (;;) {
		struct req *r;
		pthread_mutex_lock(&m);
		r = todo;
		if (!r) {
			pthread_mutex_unlock(&m);
			return arg;
		}
		todo = r->next;
		pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
		r->next = done;
		done = r;
		pthread_mutex_unlock(&m);
		square(r);
	}
}

static int reap(void)
{
	int n = 0;

	for (;;) {
		struct req *r;
		pthread_mutex_lock(&m);
		r = done;
		if (r)
			done = r->next;
		pthread_mutex_unlock(&m);
		if (!r)
			return n;
		total += r->result; // RACE
		free(r); // RACE
		n++;
	}
}

int main(void)
{
	pthread_t t[2];
	int n = 0;

	for (int i = 0; i < 10; i++) {
		struct req *r = calloc(1, sizeof *r);
		r->input = i;
		r->next = todo;
		todo = r;
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, worker, 0);
	while (n < 10)
		n += reap();
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return total;
}
