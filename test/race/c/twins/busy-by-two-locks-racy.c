/* A block is used by both sides, each with a lock of its own, and nobody says that it is busy. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdbool.h>

extern _Bool __VERIFIER_nondet_bool(void);
static void
assume_abort_if_not(int c)
{
	if (!c)
		abort();
}
int block, busy, inode;
pthread_mutex_t m_inode, m_busy;
void *
allocator(void *a)
{
	pthread_mutex_lock(&m_inode);
	if (inode == 0) {
		inode = 1;
	}
	block = 1; // RACE
	assert(block == 1);
	pthread_mutex_unlock(&m_inode);
	return 0;
}
void *
de_allocator(void *a)
{
	pthread_mutex_lock(&m_busy);
	if (busy == 0) {
		block = 0; // RACE
		assert(block == 0);
	}
	pthread_mutex_unlock(&m_busy);
	return 0;
}
int
main(void)
{
	pthread_t t1, t2;
	inode = __VERIFIER_nondet_bool();
	busy = inode;
	assume_abort_if_not(inode == busy);
	pthread_mutex_init(&m_inode, 0);
	pthread_mutex_init(&m_busy, 0);
	pthread_create(&t1, 0, allocator, 0);
	pthread_create(&t2, 0, de_allocator, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
