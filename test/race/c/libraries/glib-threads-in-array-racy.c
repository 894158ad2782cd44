/* The joining loop leaves out the last one. */
typedef struct _GThread GThread;
typedef void *(*GThreadFunc)(void *);
GThread *g_thread_new(const char *name, GThreadFunc func, void *data);
void *g_thread_join(GThread *thread);

static int part[4], total;

static void *
work(void *data)
{
	part[(long)data] = 1; // RACE
	return 0;
}

int
main(void)
{
	GThread *t[4];

	for (long i = 0; i < 4; i++)
		t[i] = g_thread_new("worker", work, (void *)i);
	for (int i = 0; i < 3; i++)
		g_thread_join(t[i]);
	for (int i = 0; i < 4; i++)
		total += part[i];
	return total;
}
