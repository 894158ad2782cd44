/* A queue of GLib between threads: the maker of a job writes to it when it has pushed it. */
#include "glib.h"

struct job {
	int number, result;
};

static GAsyncQueue *jobs;

static gpointer
worker(gpointer arg)
{
	struct job *j = g_async_queue_pop(jobs);

	j->result = j->number * 2; // RACE
	return j;
}

int
main(void)
{
	GThread *t;
	struct job *j = g_new0(struct job, 1);

	jobs = g_async_queue_new();
	t = g_thread_new("worker", worker, NULL);
	g_async_queue_push(jobs, j);
	j->number = 1; // RACE
	g_thread_join(t);
	return j->result; // NORACE
}
