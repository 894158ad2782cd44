/* The same with both accesses under the lock. */
// FLAGS: -- -m32
# 1 "/usr/include/pthread.h" 1 3 4
typedef unsigned int size_t;
typedef long int __time_t;
typedef unsigned long int pthread_t;
struct __pthread_internal_slist
{
  struct __pthread_internal_slist *__next;
};
typedef struct __pthread_internal_slist __pthread_slist_t;
struct __pthread_mutex_s
{
  int __lock;
  unsigned int __count;
  int __owner;
  int __kind;
  unsigned int __nusers;
  __extension__ union
  {
    struct { short __espins; short __eelision; } __elision_data;
    __pthread_slist_t __list;
  };
};
typedef union
{
  char __size[4];
  int __align;
} pthread_mutexattr_t;
union pthread_attr_t
{
  char __size[36];
  long int __align;
};
typedef union pthread_attr_t pthread_attr_t;
typedef union
{
  struct __pthread_mutex_s __data;
  char __size[24];
  long int __align;
} pthread_mutex_t;
extern int pthread_create (pthread_t *__restrict __newthread,
      const pthread_attr_t *__restrict __attr,
      void *(*__start_routine) (void *),
      void *__restrict __arg) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1, 3)));
extern int pthread_join (pthread_t __th, void **__thread_return);
extern int pthread_mutex_init (pthread_mutex_t *__mutex,
          const pthread_mutexattr_t *__mutexattr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
extern int pthread_mutex_lock (pthread_mutex_t *__mutex)
     __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1)));
extern int pthread_mutex_unlock (pthread_mutex_t *__mutex)
     __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1)));
extern void *malloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__))
     __attribute__ ((__alloc_size__ (1))) ;
# 57 "preprocessed-32-bit-guarded.i" 2

_Static_assert(sizeof(void *) == 4, "32 bits");
_Static_assert(sizeof(pthread_mutex_t) == 24, "32 bits");

struct counter {
  pthread_mutex_t lock;
  struct counter *next;
  union {
    long long wide;
    struct { void *first; void *second; } words;
  } u;
  int other;
};

static struct counter *pool;

static void *wide(void *arg)
{
  struct counter *c = pool; // NORACE
  pthread_mutex_lock(&c->lock);
  c->u.wide = -1; // NORACE
  pthread_mutex_unlock(&c->lock);
  return arg;
}

static void *narrow(void *arg)
{
  struct counter *c = pool; // NORACE
  pthread_mutex_lock(&c->lock);
  c->u.words.second = arg; // NORACE
  pthread_mutex_unlock(&c->lock);
  c->other = 1; // NORACE
  return arg;
}

int main(void)
{
  pthread_t a, b;

  pool = malloc(sizeof *pool); // NORACE
  pthread_mutex_init(&pool->lock, ((void *)0));
  pthread_create(&a, ((void *)0), wide, &a);
  pthread_create(&b, ((void *)0), narrow, &b);
  pthread_join(a, ((void *)0));
  pthread_join(b, ((void *)0));
  return pool->other; // NORACE
}
