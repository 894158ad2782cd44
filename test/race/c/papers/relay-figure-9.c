/* RELAY, Figure 9 (unsharing): an entry is taken out of the shared pool under its lock,
 * written by its finder alone, and put into another list. */
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

static void
list_del(struct list_head *n)
{
	n->prev->next = n->next;
	n->next->prev = n->prev;
}

#define N 16

struct page_address_map {
	void *virtual;
	struct list_head list;
};

static struct page_address_map maps[N];
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list_head page_addr_pool = {&page_addr_pool, &page_addr_pool};

static struct slot {
	pthread_mutex_t lock;
	struct list_head lh;
} pas = {PTHREAD_MUTEX_INITIALIZER, {&pas.lh, &pas.lh}};

static void *
set_page_address(void *virtual)
{
	struct page_address_map *pam;

	pthread_mutex_lock(&pool_lock);
	pam = list_entry(page_addr_pool.next, struct page_address_map, list);
	list_del(&pam->list);
	pthread_mutex_unlock(&pool_lock);
	pam->virtual = virtual; // NORACE-LIKELY
	pthread_mutex_lock(&pas.lock);
	list_add(&pam->list, &pas.lh);
	pthread_mutex_unlock(&pas.lock);
	return NULL;
}

static void *
page_address(void *arg)
{
	struct page_address_map *pam;
	void *found = NULL;

	pthread_mutex_lock(&pas.lock);
	if (pas.lh.next != &pas.lh) {
		pam = list_entry(pas.lh.next, struct page_address_map, list);
		found = pam->virtual; // NORACE-LIKELY
	}
	pthread_mutex_unlock(&pas.lock);
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
