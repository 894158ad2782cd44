/* RELAY, Figure 8, broken: the connection is filled in after others can find it. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

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

struct connection {
	struct list_head id_link;
	struct {
		long expires;
	} timeout;
	struct {
		int sin_family;
	} addr;
};

struct peer {
	pthread_rwlock_t conn_idlock;
	struct list_head conns;
};

static struct peer peer = {PTHREAD_RWLOCK_INITIALIZER, {&peer.conns, &peer.conns}};

static void
timer_init(long *expires)
{
	*expires = 0;
}

static void
make_connection(struct connection **_conn)
{
	struct connection *conn = malloc(sizeof *conn);

	timer_init(&conn->timeout.expires);
	*_conn = conn;
}

static void *
create_connection(void *arg)
{
	struct connection *conn;

	make_connection(&conn);
	pthread_rwlock_wrlock(&peer.conn_idlock);
	list_add(&conn->id_link, &peer.conns);
	pthread_rwlock_unlock(&peer.conn_idlock);
	conn->addr.sin_family = 2; // RACE
	return arg;
}

static void *
expire(void *arg)
{
	struct list_head *p;

	pthread_rwlock_wrlock(&peer.conn_idlock);
	for (p = peer.conns.next; p != &peer.conns; p = p->next) {
		struct connection *conn = list_entry(p, struct connection, id_link);

		conn->timeout.expires++; // NORACE-LIKELY
		conn->addr.sin_family = 0; // RACE
	}
	pthread_rwlock_unlock(&peer.conn_idlock);
	return arg;
}

int
main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, create_connection, NULL);
	pthread_create(&b, NULL, create_connection, NULL);
	pthread_create(&c, NULL, expire, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
