/* RELAY, Figure 9, broken: the entry is written while it is still in the pool. */
#include <pthread.h>
#include <stddef.h>

struct list_head {
	struct list_head *next, *prev;
};

#define list_entry(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

static void
list_add(struct list_head *n, struct list_head *head)
{
	n->next = head->next;
	n->prev = head;
	head->next->prev = n;
	head->next = n;
}

#define N 16

struct page_address_map {
	void *virtual;
	struct list_head list;
};

static struct page_address_map maps[N];
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list_head page_addr_pool = {&page_addr_pool, &page_addr_pool};

static void *
set_page_address(void *virtual)
{
	struct page_address_map *pam;

	pthread_mutex_lock(&pool_lock);
	pam = list_entry(page_addr_pool.next, struct page_address_map, list);
	pthread_mutex_unlock(&pool_lock);
	pam->virtual = virtual; // RACE
	return NULL;
}

static void *
page_address(void *arg)
{
	struct page_address_map *pam;
	void *found = NULL;

	pthread_mutex_lock(&pool_lock);
	if (page_addr_pool.next != &page_addr_pool) {
		pam = list_entry(page_addr_pool.next, struct page_address_map, list);
		found = pam->virtual; // RACE
	}
	pthread_mutex_unlock(&pool_lock);
	return found ? found : arg;
}

int
main(void)
{
	pthread_t a, b, c;

	for (int i = 0; i < N; i++)
		list_add(&maps[i].list, &page_addr_pool);
	pthread_create(&a, NULL, set_page_address, &a);
	pthread_create(&b, NULL, set_page_address, &b);
	pthread_create(&c, NULL, page_address, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
