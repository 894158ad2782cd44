/* RELAY, Figure 13, mended: the size is read before the read lock is given back. */
#include <pthread.h>
#include <stdlib.h>

#define PAGE_SHIFT 12
#define PAGE_SIZE (1ul << PAGE_SHIFT)

struct vm_struct {
	struct vm_struct *next;
	void *addr;
	unsigned long size;
};

static pthread_rwlock_t vmlist_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t attr_lock = PTHREAD_MUTEX_INITIALIZER;
static struct vm_struct *vmlist;
static int attr[1024];

static void
change_page_attr(unsigned long n)
{
	pthread_mutex_lock(&attr_lock);
	for (unsigned long i = 0; i < n; i++)
		attr[i] = 1; // NORACE
	pthread_mutex_unlock(&attr_lock);
}

static void *
iounmap(void *addr)
{
	struct vm_struct *p;
	unsigned long n;

	pthread_rwlock_rdlock(&vmlist_lock);
	for (p = vmlist; p; p = p->next)
		if (p->addr == addr) // NORACE
			break;
	n = p ? p->size >> PAGE_SHIFT : 0; // NORACE
	pthread_rwlock_unlock(&vmlist_lock);
	change_page_attr(n);
	return NULL;
}

static struct vm_struct *
remove_vm_area(void *addr)
{
	struct vm_struct *t;

	for (t = vmlist; t != NULL; t = t->next)
		if (t->addr == addr) // NORACE
			break;
	if (t)
		t->size -= PAGE_SIZE; // NORACE
	return t;
}

static void *
vunmap(void *addr)
{
	struct vm_struct *t;

	pthread_rwlock_wrlock(&vmlist_lock);
	t = remove_vm_area(addr);
	pthread_rwlock_unlock(&vmlist_lock);
	return t;
}

int
main(void)
{
	static char page[PAGE_SIZE];
	pthread_t a, b;

	for (int i = 0; i < 3; i++) {
		struct vm_struct *v = malloc(sizeof *v);

		v->addr = page + i; // NORACE
		v->size = 4 * PAGE_SIZE; // NORACE
		v->next = vmlist; // NORACE
		vmlist = v; // NORACE
	}
	pthread_create(&a, NULL, iounmap, page);
	pthread_create(&b, NULL, vunmap, page);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
