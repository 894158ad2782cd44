/* TRY/CATCH macros over a thread-local chain of buffers. */
#include <pthread.h>
#include <setjmp.h>

struct frame {
	jmp_buf env;
	struct frame *up;
};
static __thread struct frame *top;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int errors, total;
#define TRY { struct frame f_; f_.up = top; top = &f_; if (setjmp(f_.env) == 0) {
#define CATCH top = f_.up; } else { top = f_.up;
#define END } }

static void
fail(void)
{
	longjmp(top->env, 1); // NORACE
}

static void
add(int k)
{
	if (k < 0)
		fail();
	pthread_mutex_lock(&m);
	total += k; // NORACE
	pthread_mutex_unlock(&m);
}

static void *
w(void *a)
{
	TRY add((int)(long)a);
	CATCH
	pthread_mutex_lock(&m);
	errors++; // NORACE
	pthread_mutex_unlock(&m);
	END return NULL;
}

int
main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, w, (void *)1L);
	pthread_create(&t[1], NULL, w, (void *)-1L);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return errors + total; // NORACE
}
