/* libpcap calls back from its loops only: what the main thread sets up by other calls meets no callback of its own. */
#include <pthread.h>
#include <stdlib.h>

typedef struct pcap pcap_t;
struct pcap_pkthdr;
struct bpf_program {
	unsigned n;
	void *code;
};
typedef void (*pcap_handler)(unsigned char *, const struct pcap_pkthdr *, const unsigned char *);
pcap_t *pcap_open_live(const char *, int, int, int, char *);
int pcap_datalink(pcap_t *);
int pcap_compile(pcap_t *, struct bpf_program *, const char *, int, unsigned);
int pcap_loop(pcap_t *, int, pcap_handler, unsigned char *);

static pcap_t *handle;
static pcap_handler handler;
static int packets, bytes, own;

static void
on_packet(unsigned char *user, const struct pcap_pkthdr *h, const unsigned char *p)
{
	(void)h;
	packets += *(int *)user; // NORACE
	bytes += p[0];           // RACE
}

static void *
capture(void *arg)
{
	pcap_loop(handle, -1, handler, arg);
	return NULL;
}

int
main(void)
{
	struct bpf_program program;
	char error[256];
	pthread_t t;

	own = 1;
	handler = on_packet;
	handle = pcap_open_live("eth0", 256, 1, 1000, error);
	pthread_create(&t, NULL, capture, &own);
	if (pcap_datalink(handle) == 1)
		pcap_compile(handle, &program, "ip", 1, 0);
	return bytes; // RACE
}
