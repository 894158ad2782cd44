/* Work of a libuv pool, and its end in the loop. But the loop looks at it before its end. */
#include <stdlib.h>

typedef struct uv_loop_s uv_loop_t;
typedef struct {
	void *data;
	long words[16];
} uv_work_t;
typedef struct {
	long words[10];
} uv_mutex_t;
uv_loop_t *uv_default_loop(void);
int uv_queue_work(uv_loop_t *, uv_work_t *, void (*)(uv_work_t *), void (*)(uv_work_t *, int));
int uv_run(uv_loop_t *, int);
void uv_mutex_lock(uv_mutex_t *);
void uv_mutex_unlock(uv_mutex_t *);

static uv_mutex_t mutex;
static int done;

static void
work(uv_work_t *w)
{
	uv_mutex_lock(&mutex);
	done++; // RACE
	uv_mutex_unlock(&mutex);
}

static void
after(uv_work_t *w, int status)
{
	done--; // RACE
}

int
main(void)
{
	uv_work_t w = {0};

	uv_queue_work(uv_default_loop(), &w, work, after);
	return uv_run(uv_default_loop(), 0);
}
