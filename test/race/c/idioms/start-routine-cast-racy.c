/* A function that is called by its own type in one mode is cast to a start routine, and kept in a struct, in another. */
#include <pthread.h>
#include <stddef.h>
struct ctx { int n; };
static int total;
static int work(struct ctx *c) { return total += c->n; } // RACE
struct task { int (*run)(struct ctx *); };
struct start { void *(*fn)(void *); void *arg; };
static struct task task = {work};
static struct start starts[2];
int main(int argc, char **argv)
{
	struct ctx c = {argc};
	pthread_t a, b;
	if (argc > 3)
		return task.run(&c);
	for (int i = 0; i < 2; i++) {
		starts[i].fn = (void *(*)(void *))task.run;
		starts[i].arg = &c;
	}
	pthread_create(&a, NULL, starts[0].fn, starts[0].arg);
	pthread_create(&b, NULL, starts[1].fn, starts[1].arg);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return total;
}
