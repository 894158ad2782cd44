/* fuzz_jimage.c - the reader of images of modules: what it lists lies inside the
 * image, and what it finds has the name that was asked for. */
#include "fuzz.h"

#include "jvm/jimage.h"

#include <string.h>

enum { SLOTS = 4096 };

static void
use(const Jimage *img, const JimageEntry *e, Arena *a)
{
	const char *why = NULL, *name;
	JimageEntry again;

	assert(e->at >= img->at && e->at + e->n <= img->at + img->n);
	name = arena_printf(a, "%s%s%s%s%s%s%s%s", *e->module ? "/" : "", e->module,
			    *e->module ? "/" : "", e->parent, *e->parent ? "/" : "", e->base,
			    *e->extension ? "." : "", e->extension);
	if (jimage_find(img, name, &again, &why))
		assert(again.at + again.n <= img->at + img->n);
	if (!strcmp(e->module, "packages"))
		(void)jimage_module(img, e->base);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *why = NULL;
	JimageEntry e;
	Jimage img;
	Arena a;

	if (!jimage_open(&img, bytes, n, &why)) {
		assert(why);
		return 0;
	}
	arena_init(&a, NULL);
	for (u32 k = 0; k < img.slots && k < SLOTS; k++)
		if (jimage_at(&img, k, &e))
			use(&img, &e, &a);
	arena_release(&a);
	return 0;
}
