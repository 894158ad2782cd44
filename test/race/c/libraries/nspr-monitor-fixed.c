/* Threads and monitors of NSPR. */
#include <stddef.h>

typedef struct PRThread PRThread;
typedef struct PRMonitor PRMonitor;
PRThread *PR_CreateThread(int, void (*)(void *), void *, int, int, int, unsigned);
int PR_JoinThread(PRThread *);
PRMonitor *PR_NewMonitor(void);
void PR_EnterMonitor(PRMonitor *);
int PR_ExitMonitor(PRMonitor *);

static PRMonitor *monitor;
static int count;

static void
worker(void *arg)
{
	PR_EnterMonitor(monitor);
	count++; // NORACE
	PR_ExitMonitor(monitor);
}

int
main(void)
{
	PRThread *t;

	monitor = PR_NewMonitor();
	t = PR_CreateThread(0, worker, NULL, 1, 1, 1, 0);
	PR_EnterMonitor(monitor);
	count++; // NORACE
	PR_ExitMonitor(monitor);
	PR_JoinThread(t);
	return count; // NORACE
}
