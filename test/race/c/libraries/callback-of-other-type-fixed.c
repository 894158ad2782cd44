/* A library calls back in the thread that reads.  The program calls functions of another type
 * through a pointer that the library may know, too, and sets the device up before that thread. */
#include <pthread.h>
#include <stdlib.h>

typedef struct device device;
struct service {
	void (*beat)(struct service *);
	int n;
};

extern device *radio_open(struct service *s);
extern int radio_set_gain(device *d, int gain);
extern int radio_read(device *d, void (*f)(unsigned char *, unsigned, void *), void *ctx);
extern int radio_more(void);

static device *dev;
static struct service *service;
static unsigned bytes;

static void
got(unsigned char *buf, unsigned len, void *ctx)
{
	bytes += len + buf[0] + !ctx; // NORACE-LIKELY
}

static void
beat(struct service *s)
{
	s->n++;
}

static void *
reader(void *arg)
{
	radio_read(dev, got, NULL);
	return arg;
}

int
main(void)
{
	pthread_t t;

	service = malloc(sizeof *service);
	service->beat = beat;
	dev = radio_open(service);
	radio_set_gain(dev, 1);
	pthread_create(&t, NULL, reader, NULL);
	while (radio_more())
		service->beat(service);
	pthread_join(t, NULL);
	return bytes != 0;
}
