/* A loop calls the hooks of all modules in the order of a table: the one that starts a
 * thread comes behind the one that prepares what the thread uses.  That the table is not
 * changed is not shown, so it stays possible. */
#include <pthread.h>

struct module {
	const char *name;
	int (*init)(void);
	int (*start)(int);
};

static int limit, base;
static pthread_t helper;

static void *
help(void *arg)
{
	long n = (long)arg;

	n += limit; // NORACE-LIKELY
	n += base; // NORACE-LIKELY
	return (void *)n;
}

static int
start_log(int n)
{
	limit = n; // NORACE-LIKELY
	return 0;
}

static int
start_helper(int n)
{
	base = n; // NORACE-LIKELY
	return pthread_create(&helper, 0, help, 0);
}

static struct module core = {"core", 0, 0};
static struct module log_module = {"log", 0, start_log};
static struct module helper_module = {"helper", 0, start_helper};

static struct module *modules[] = {&core, &log_module, &helper_module, 0};

int
main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; modules[i]; i++)
		if (modules[i]->start && modules[i]->start(argc))
			return 1;
	pthread_join(helper, 0);
	return 0;
}
