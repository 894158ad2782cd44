/* As gcc preprocesses it, with types and attributes that clang does not know: a counter that is not atomic. */
typedef unsigned long size_t;
typedef unsigned long pthread_t;
typedef _Complex _Float32 cfloat32;
extern _Float128 strtof128 (const char *restrict nptr, char **restrict end);
extern _Float64x logf64x (_Float64x x);
extern void free (void *p);
extern void *box (size_t n) __attribute__ ((__nothrow__)) __attribute__ ((__malloc__ (free, 1)));
extern int pthread_create (pthread_t *restrict t, const void *restrict attr, void *(*f) (void *), void *restrict arg);
extern int pthread_join (pthread_t t, void **result);
int hits;
struct pair { int a, b; };
_Atomic (struct pair *) last;
static void *
worker (void *arg)
{
	hits = hits + 1; // RACE
	__extension__ ({ __auto_type p = (&last); __typeof__ ((void)0, *p) v = (arg); __atomic_store (p, &v, (5)); });
	return arg;
}
int
main (void)
{
	pthread_t t, u;
	struct pair p = { 1, 2 };
	pthread_create (&t, 0, worker, &p);
	pthread_create (&u, 0, worker, &p);
	pthread_join (t, 0);
	pthread_join (u, 0);
	return 0;
}
