#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#define NW 4
struct dq { pthread_mutex_t m; int it[64]; int h,t; }; static struct dq d[NW];
static void popl(struct dq*q){ pthread_mutex_lock(&q->m); q->it[--q->t]=1; pthread_mutex_unlock(&q->m); } static void steal(struct dq*q){ pthread_mutex_lock(&q->m); q->t--; pthread_mutex_unlock(&q->m); }
static void *w(void*v){ int me=(int)(long)v; popl(&d[me]); steal(&d[(me+1)%NW]); return 0; }
int main(void){ pthread_t t[NW]; for(long i=0;i<NW;i++) pthread_create(&t[i],0,w,(void*)i); for(int i=0;i<NW;i++) pthread_join(t[i],0); return 0; }