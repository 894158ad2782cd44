/* Each thread copies its bounds out of the object that it was given. But it goes on by one more, has the
 * copy written anew by others, or copies what its creator has not filled for it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 64
#define THREADS 4

struct slice { int from, to, number; };

static int next[ROWS], moved[ROWS], maybe[ROWS], given[ROWS], same[ROWS];
static struct slice all;

static void widen(struct slice *s)
{
	s->from = 0;
}

static void *work(void *arg)
{
	struct slice s = *(struct slice *)arg, w = *(struct slice *)arg, m, g;

	s.to++;
	for (int i = s.from; i < s.to; i++)
		next[i]++; // RACE
	widen(&w);
	for (int i = w.from; i < w.to; i++)
		moved[i]++; // RACE
	memset(&m, 0, sizeof m);
	if (rand() % 2)
		m = *(struct slice *)arg;
	maybe[m.number]++; // RACE
	g = all;
	given[g.number]++; // RACE
	m = *(struct slice *)arg;
	same[m.number / 2]++; // RACE
	return 0;
}

int main(void)
{
	pthread_t t[THREADS];
	struct slice s[THREADS];

	for (int i = 0; i < THREADS; i++) {
		s[i].from = i * (ROWS / THREADS);
		s[i].to = s[i].from + ROWS / THREADS;
		s[i].number = i;
		pthread_create(&t[i], 0, work, &s[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	return next[0] + moved[0] + maybe[0] + given[0] + same[0];
}
