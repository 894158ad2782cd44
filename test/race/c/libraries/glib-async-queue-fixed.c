/* A queue of GLib between threads: a job is its maker's until it is pushed, and its finder's from then on. */
#include "glib.h"

struct job {
	int number, result;
};

static GAsyncQueue *jobs, *done;

static gpointer
worker(gpointer arg)
{
	for (int i = 0; i < 4; i++) {
		struct job *j = g_async_queue_pop(jobs);
		j->result = j->number * 2; // NORACE-LIKELY
		g_async_queue_push(done, j);
	}
	return arg;
}

int
main(void)
{
	GThread *a, *b;
	int sum = 0;

	jobs = g_async_queue_new(); // NORACE
	done = g_async_queue_new(); // NORACE
	a = g_thread_new("a", worker, NULL);
	b = g_thread_new("b", worker, NULL);
	for (int i = 0; i < 8; i++) {
		struct job *j = g_new0(struct job, 1);
		j->number = i; // NORACE-LIKELY
		g_async_queue_push(jobs, j);
	}
	for (int i = 0; i < 8; i++) {
		struct job *j = g_async_queue_timeout_pop(done, 1000);
		if (j) {
			sum += j->result; // NORACE-LIKELY
			g_free(j);	  // NORACE-LIKELY
		}
	}
	g_thread_join(a);
	g_thread_join(b);
	return sum;
}
