/* Threads and mutexes of SDL. */
#include <stddef.h>

typedef struct SDL_Thread SDL_Thread;
typedef struct SDL_mutex SDL_mutex;
SDL_Thread *SDL_CreateThread(int (*)(void *), const char *, void *);
void SDL_WaitThread(SDL_Thread *, int *);
SDL_mutex *SDL_CreateMutex(void);
int SDL_LockMutex(SDL_mutex *);
int SDL_UnlockMutex(SDL_mutex *);

static SDL_mutex *mutex;
static int count, result;

static int
worker(void *arg)
{
	SDL_LockMutex(mutex);
	SDL_LockMutex(mutex);
	count++; // NORACE
	SDL_UnlockMutex(mutex);
	count++; // NORACE
	SDL_UnlockMutex(mutex);
	result = 1; // NORACE
	return 0;
}

int
main(void)
{
	SDL_Thread *t;

	mutex = SDL_CreateMutex();
	t = SDL_CreateThread(worker, "worker", NULL);
	SDL_LockMutex(mutex);
	count++; // NORACE
	SDL_UnlockMutex(mutex);
	SDL_WaitThread(t, NULL);
	return result; // NORACE
}
