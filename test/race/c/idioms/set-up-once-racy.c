/* As set-up-once-fixed.c, but somebody does not ask, looks before he takes the lock, sets up again, or asks too late. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static int number(void)
{
	int n = 0;

	while (getchar() != '\n')
		n++;
	return n;
}

/* Looks first. */
struct table {
	int x;
};
static struct table *early;

static struct table *get_early(void)
{
	if (!early) { // RACE
		pthread_mutex_lock(&lock);
		if (!early)
			early = calloc(1, sizeof *early); // RACE
		pthread_mutex_unlock(&lock);
	}
	return early;
}

static int *looked_first;
static int looked_table;

static void look_first(void)
{
	if (looked_first) // RACE
		return;
	pthread_mutex_lock(&lock);
	if (!looked_first) {
		looked_table = number(); // RACE
		looked_first = &looked_table; // RACE
	}
	pthread_mutex_unlock(&lock);
}

/* Not asked for by the reader. */
static int *unasked;
static int unasked_table;

static void set_unasked(void)
{
	pthread_mutex_lock(&lock);
	if (!unasked) {
		unasked_table = number(); // RACE
		unasked = &unasked_table;
	}
	pthread_mutex_unlock(&lock);
}

/* Only one of two ways asks. */
static int *sometimes;
static int sometimes_table;

static void set_sometimes(void)
{
	pthread_mutex_lock(&lock);
	if (!sometimes) {
		sometimes_table = number(); // RACE
		sometimes = &sometimes_table;
	}
	pthread_mutex_unlock(&lock);
}

/* Asked for afterwards. */
static int *late;
static int late_table;

static void set_late(void)
{
	pthread_mutex_lock(&lock);
	if (!late) {
		late_table = number(); // RACE
		late = &late_table;
	}
	pthread_mutex_unlock(&lock);
}

/* Given up again, so that it is set up again. */
static int *again;
static int again_table;

static void set_again(void)
{
	pthread_mutex_lock(&lock);
	if (!again) {
		again_table = number(); // RACE
		again = &again_table;
	}
	pthread_mutex_unlock(&lock);
}

static void forget_again(void)
{
	pthread_mutex_lock(&lock);
	again = NULL;
	pthread_mutex_unlock(&lock);
}

/* Set under another lock. */
static int *elsewhere;
static int elsewhere_table;

static void set_elsewhere(void)
{
	pthread_mutex_lock(&lock);
	if (!elsewhere) // RACE
		elsewhere_table = number(); // RACE
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&other);
	elsewhere = &elsewhere_table; // RACE
	pthread_mutex_unlock(&other);
}

/* Written whether or not it was set up. */
static int *always;
static int always_table;

static void set_always(void)
{
	pthread_mutex_lock(&lock);
	if (!always)
		always = &always_table;
	always_table = number(); // RACE
	pthread_mutex_unlock(&lock);
}

/* A count is no mark. */
static int users;
static int users_table;

static void set_users(void)
{
	pthread_mutex_lock(&lock);
	if (users == 0)
		users_table = number(); // RACE
	users++;
	pthread_mutex_unlock(&lock);
}

static void drop_users(void)
{
	pthread_mutex_lock(&lock);
	users--;
	pthread_mutex_unlock(&lock);
}

static void *worker(void *a)
{
	int n = unasked_table; // RACE

	get_early();
	look_first();
	n += looked_table; // RACE
	if (a)
		set_sometimes();
	n += sometimes_table; // RACE
	n += late_table; // RACE
	set_late();
	set_again();
	n += again_table; // RACE
	set_elsewhere();
	n += elsewhere_table; // RACE
	set_always();
	n += always_table; // RACE
	set_users();
	n += users_table; // RACE
	drop_users();
	return (void *)(long)n;
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argc;
	while (number()) {
		pthread_create(&t, NULL, worker, argv[1]);
		get_early();
		look_first();
		set_unasked();
		set_sometimes();
		set_late();
		set_again();
		forget_again();
		set_elsewhere();
		set_always();
		set_users();
		drop_users();
	}
	return 0;
}
