/* Each thread parses a document of its own; the handler of errors counts without a lock. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct node *nodeptr;
nodeptr xmlReadFile(const char *name, const char *encoding, int options);
nodeptr xmlDocGetRootElement(nodeptr doc);
unsigned char *xmlGetProp(nodeptr n, const unsigned char *name);
void xmlFreeDoc(nodeptr doc);
void xmlSetGenericErrorFunc(void *arg, void (*f)(void *arg, const char *text, ...));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int errors;
static char title[40];

static void failed(void *arg, const char *text, ...)
{
	(void)arg;
	(void)text;
	errors++; // RACE
}

static void *load(void *name)
{
	nodeptr doc = xmlReadFile(name, NULL, 0);
	unsigned char *s = xmlGetProp(xmlDocGetRootElement(doc), (const unsigned char *)"title");

	if (s && s[0] == 'a')
		s[0] = 'A'; // NORACE
	pthread_mutex_lock(&lock);
	if (s)
		strncpy(title, (char *)s, sizeof title - 1); // NORACE
	pthread_mutex_unlock(&lock);
	free(s);
	xmlFreeDoc(doc);
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	xmlSetGenericErrorFunc(NULL, failed);
	pthread_create(&t, NULL, load, "one.xml");
	pthread_create(&u, NULL, load, "two.xml");
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return errors;
}
