/* RELAY, Figure 11, broken: for entry 0 the function returns the default without its lock. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define TYPES 4

struct swap_info {
	int used;
};

static pthread_mutex_t swap_lock = PTHREAD_MUTEX_INITIALIZER;
static struct swap_info swap_info[TYPES];

static struct swap_info *
swap_info_get(uintptr_t entry)
{
	struct swap_info *p;

	if (!entry)
		return &swap_info[0];
	p = &swap_info[entry % TYPES];
	pthread_mutex_lock(&swap_lock);
	return p;
}

static void
swap_entry_free(struct swap_info *p)
{
	p->used--; // RACE
}

static void *
swap_free(void *entry)
{
	struct swap_info *p = swap_info_get((uintptr_t)entry);

	if (p) {
		swap_entry_free(p);
		pthread_mutex_unlock(&swap_lock);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	pthread_create(&a, NULL, swap_free, (void *)(uintptr_t)argc);
	pthread_create(&b, NULL, swap_free, argv[0]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
