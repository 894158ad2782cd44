/* Numbers that are drawn under a spin lock of the program's own, and are not one worker's: the lock
 * is given back before the number is counted up, somebody who has no lock starts anew, or each
 * draws under another lock. */
#include <pthread.h>
#include <stdatomic.h>

static int taken, early, left, right;
static int next, again, either;
static int cell[100], late[100], half[100];

static void
get(int *lock)
{
	while (__sync_lock_test_and_set(lock, 1))
		;
}

static void *
work(void *arg)
{
	int own, *lock = arg ? &left : &right;

	get(&early);
	own = next; // RACE
	__atomic_store_n(&early, 0, __ATOMIC_RELEASE);
	next = own + 1; // RACE
	if (own < 100)
		late[own] = 1; // RACE
	get(&taken);
	own = again; // RACE
	again = own + 1; // RACE
	__sync_lock_release(&taken);
	if (own < 100)
		cell[own] = 2; // RACE
	get(lock);
	own = either; // RACE possible
	either = own + 1; // RACE possible
	__sync_lock_release(lock);
	if (own < 100)
		half[own] = 3; // RACE
	return arg;
}

int
main(void)
{
	pthread_t t;

	for (int i = 0; i < 40; i++)
		pthread_create(&t, NULL, work, i % 2 ? &left : NULL);
	again = 0; // RACE
	pthread_exit(NULL);
}
