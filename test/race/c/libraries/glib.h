/* What the tests use of GLib, as its headers declare it. */
#include <stddef.h>

typedef int gboolean;
typedef void *gpointer;
typedef const void *gconstpointer;
typedef gpointer (*GThreadFunc)(gpointer);
typedef void (*GFunc)(gpointer, gpointer);
typedef void (*GDestroyNotify)(gpointer);
typedef gboolean (*GSourceFunc)(gpointer);
typedef struct _GThread GThread;
typedef struct _GError GError;
typedef union {
	gpointer p;
	unsigned i[2];
} GMutex;
typedef struct {
	gpointer p;
	unsigned i[2];
} GRecMutex, GRWLock, GCond;
typedef struct {
	gpointer p;
	GDestroyNotify notify;
	gpointer future[2];
} GPrivate;
typedef struct {
	int status;
	volatile gpointer retval;
} GOnce;
typedef struct _GAsyncQueue GAsyncQueue;
typedef struct {
	GFunc func;
	gpointer user_data;
	gboolean exclusive;
} GThreadPool;
typedef struct _GMainLoop GMainLoop;
typedef struct _GHashTable GHashTable;
typedef struct _GList {
	gpointer data;
	struct _GList *next, *prev;
} GList;
typedef struct {
	GList *head, *tail;
	unsigned length;
} GQueue;
typedef struct {
	gpointer *pdata;
	unsigned len;
} GPtrArray;

GThread *g_thread_new(const char *, GThreadFunc, gpointer);
GThread *g_thread_try_new(const char *, GThreadFunc, gpointer, GError **);
gpointer g_thread_join(GThread *);
void g_thread_unref(GThread *);
void g_mutex_lock(GMutex *);
gboolean g_mutex_trylock(GMutex *);
void g_mutex_unlock(GMutex *);
void g_rec_mutex_lock(GRecMutex *);
void g_rec_mutex_unlock(GRecMutex *);
void g_rw_lock_reader_lock(GRWLock *);
void g_rw_lock_reader_unlock(GRWLock *);
void g_rw_lock_writer_lock(GRWLock *);
void g_rw_lock_writer_unlock(GRWLock *);
void g_cond_wait(GCond *, GMutex *);
void g_cond_signal(GCond *);
void g_bit_lock(volatile int *, int);
void g_bit_unlock(volatile int *, int);
gpointer g_private_get(GPrivate *);
void g_private_set(GPrivate *, gpointer);
gpointer g_once_impl(GOnce *, GThreadFunc, gpointer);
gboolean g_once_init_enter(volatile void *);
void g_once_init_leave(volatile void *, size_t);
void g_atomic_int_inc(volatile int *);
gboolean g_atomic_int_dec_and_test(volatile int *);
int g_atomic_int_get(const volatile int *);

GAsyncQueue *g_async_queue_new(void);
void g_async_queue_lock(GAsyncQueue *);
void g_async_queue_unlock(GAsyncQueue *);
void g_async_queue_push(GAsyncQueue *, gpointer);
void g_async_queue_push_unlocked(GAsyncQueue *, gpointer);
gpointer g_async_queue_pop(GAsyncQueue *);
gpointer g_async_queue_try_pop(GAsyncQueue *);
gpointer g_async_queue_timeout_pop(GAsyncQueue *, unsigned long);
GThreadPool *g_thread_pool_new(GFunc, gpointer, int, gboolean, GError **);
gboolean g_thread_pool_push(GThreadPool *, gpointer, GError **);
void g_thread_pool_free(GThreadPool *, gboolean, gboolean);
unsigned g_idle_add(GSourceFunc, gpointer);
unsigned g_timeout_add(unsigned, GSourceFunc, gpointer);
GMainLoop *g_main_loop_new(gpointer, gboolean);
void g_main_loop_run(GMainLoop *);
void g_main_loop_quit(GMainLoop *);

gpointer g_malloc(size_t);
gpointer g_malloc0(size_t);
void g_free(gpointer);
char *g_strdup(const char *);
void g_print(const char *, ...);
#define g_new0(type, n) ((type *)g_malloc0(sizeof(type) * (n)))

GList *g_list_append(GList *, gpointer);
GList *g_list_prepend(GList *, gpointer);
unsigned g_list_length(GList *);
void g_list_free(GList *);
GHashTable *g_hash_table_new(unsigned (*)(gconstpointer), gboolean (*)(gconstpointer, gconstpointer));
gboolean g_hash_table_insert(GHashTable *, gpointer, gpointer);
gpointer g_hash_table_lookup(GHashTable *, gconstpointer);
gboolean g_hash_table_remove(GHashTable *, gconstpointer);
unsigned g_hash_table_size(GHashTable *);
void g_hash_table_foreach(GHashTable *, void (*)(gpointer, gpointer, gpointer), gpointer);
unsigned g_str_hash(gconstpointer);
gboolean g_str_equal(gconstpointer, gconstpointer);
GQueue *g_queue_new(void);
void g_queue_push_tail(GQueue *, gpointer);
gpointer g_queue_pop_head(GQueue *);
gpointer g_queue_peek_head(GQueue *);
gboolean g_queue_is_empty(GQueue *);
GPtrArray *g_ptr_array_new(void);
void g_ptr_array_add(GPtrArray *, gpointer);
