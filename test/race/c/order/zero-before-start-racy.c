/* A handle is zero until its thread is started, and again on a way on which that still runs: nobody joins it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *pass;
static int used;

static void *use(void *arg)
{
	used += pass[0]; // RACE
	return arg;
}

static int run(int n, const char *text)
{
	pthread_t w;
	int ret = -1;

	w = 0;
	pass = strdup(text);
	if (n > 5)
		goto end;
	if (pthread_create(&w, NULL, use, NULL) != 0) {
		puts("failed");
		goto end;
	}
	if (n > 4) {
		w = 0;
		goto end;
	}
	ret = 0;
end:
	if (w && pthread_join(w, NULL) != 0)
		puts("not joined");
	return ret;
}

int main(int argc, char **argv)
{
	int ret = run(argc, argv[0]);

	free(pass); // RACE
	return ret + used;
}
