#include <pthread.h>
int counter;
static void *run(void *x) { counter++; return x; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, run, 0);
	counter++;
	return pthread_join(t, 0);
}
