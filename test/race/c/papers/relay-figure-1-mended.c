/* RELAY, Figure 1, mended: the statistics are written before the lock is given back. */
#include <pthread.h>

struct airo_info {
	pthread_mutex_t lock;
	struct {
		int ev;
	} pwr;
	struct {
		int rx_p;
	} stats;
};

struct net_device {
	struct airo_info *priv;
};

static int vals[64];
static struct airo_info info = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct net_device device = {&info};

static void
airo_read_stats(struct airo_info *ai)
{
	if (ai->pwr.ev++) { // NORACE
		pthread_mutex_unlock(&ai->lock);
		return;
	}
	ai->stats.rx_p = vals[43]; // NORACE
	pthread_mutex_unlock(&ai->lock);
}

static void *
airo_thread(void *d)
{
	struct net_device *dev = d;
	struct airo_info *ai = dev->priv; // NORACE

	pthread_mutex_lock(&ai->lock);
	airo_read_stats(ai);
	return NULL;
}

int
main(void)
{
	pthread_t h[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&h[i], NULL, airo_thread, &device);
	for (int i = 0; i < 4; i++)
		pthread_join(h[i], NULL);
	return 0;
}
