/* Old handlers of signals come back from memory that a library knows, too: the program's own runs a command. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
typedef void (*handler)(int);
struct slot { handler *old; int n; };
struct command { const char *name; int (*run)(int); };
void library_set_up(void *, const struct command *);
static struct slot slots[64];
static int total;
static volatile sig_atomic_t woken;
static int count(int by)
{
	return total += by; // RACE
}
static const struct command commands[] = {{"count", count}};
static void on_signal(int number)
{
	woken = commands[0].run(number);
}
static void push(int number, handler f)
{
	struct slot *s = &slots[number];
	s->old = realloc(s->old, (size_t)(s->n + 1) * sizeof(handler));
	s->old[s->n++] = signal(number, f);
}
static void pop(int number)
{
	struct slot *s = &slots[number];
	if (s->n)
		signal(number, s->old[--s->n]);
}
static void *work(void *arg)
{
	commands[0].run(1);
	return arg;
}
int main(void)
{
	pthread_t t;
	push(SIGTERM, on_signal);
	library_set_up(slots[SIGTERM].old, commands);
	push(SIGTERM, SIG_IGN);
	pthread_create(&t, NULL, work, NULL);
	pop(SIGTERM);
	pthread_join(t, NULL);
	return woken;
}
