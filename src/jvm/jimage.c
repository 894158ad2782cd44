/* jimage.c - see jimage.h.
 *
 * The layout, all numbers of the writer's endianness, which the magic number
 * shows:
 *
 *	header      magic, version (major in the upper half), flags, number of
 *	            resources, slots of the hash table, bytes of locations, of strings
 *	redirect    per slot: a second seed (positive), -1 - slot (negative), or empty
 *	offsets     per slot: where its location starts
 *	locations   streams of attributes: a byte kind << 3 | (length - 1), then
 *	            a big-endian number of that length; kind 0 ends a stream
 *	strings     ended by zero bytes
 *	resources
 */
#include "jvm/jimage.h"

#include <string.h>

enum { MAGIC = 0xCAFEDADAu, MAJOR = 1, HEADER = 7 * 4, SEED = 0x01000193 };
enum {
	ATTR_END,
	ATTR_MODULE,
	ATTR_PARENT,
	ATTR_BASE,
	ATTR_EXTENSION,
	ATTR_OFFSET,
	ATTR_COMPRESSED,
	ATTR_SIZE,
	ATTR_COUNT
};

static u32
get(const Jimage *img, size_t off)
{
	const u8 *p = img->at + off;

	assert(off + 4 <= img->n);
	return img->big ? (u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3]
			: (u32)p[3] << 24 | (u32)p[2] << 16 | (u32)p[1] << 8 | p[0];
}

bool
jimage_open(Jimage *img, const void *p, size_t n, const char **why)
{
	u64 end;

	*img = (Jimage){.at = p, .n = n};
	*why = "too short for an image of modules";
	if (n < HEADER)
		return false;
	img->big = img->at[0] == 0xCA;
	*why = "not an image of modules";
	if (get(img, 0) != MAGIC)
		return false;
	*why = "an image of modules of a version that is not known";
	if (get(img, 4) >> 16 != MAJOR)
		return false;
	img->resources = get(img, 12);
	img->slots = get(img, 16);
	img->locations_size = get(img, 20);
	img->strings_size = get(img, 24);
	img->redirect = HEADER;
	end = HEADER + (u64)img->slots * 8 + img->locations_size + img->strings_size;
	*why = "the index of the image is cut off";
	if (end > n)
		return false;
	img->offsets = img->redirect + (size_t)img->slots * 4;
	img->locations = img->offsets + (size_t)img->slots * 4;
	img->strings = img->locations + img->locations_size;
	img->data = (size_t)end;
	*why = "the strings of the image do not end";
	if (!img->strings_size || img->at[img->data - 1])
		return false;
	*why = NULL;
	return true;
}

/* The attributes of the location at off; false if the stream is broken. */
static bool
decode(const Jimage *img, u32 off, u64 *attr)
{
	const u8 *p = img->at + img->locations, *end = p + img->locations_size;

	memset(attr, 0, ATTR_COUNT * sizeof *attr);
	if (off >= img->locations_size)
		return false;
	for (p += off; p < end;) {
		u32 kind = *p >> 3, len = (*p & 7) + 1;
		u64 v = 0;
		if (kind == ATTR_END)
			return true;
		if ((size_t)(end - p) <= len)
			return false;
		for (p++; len; len--)
			v = v << 8 | *p++;
		if (kind < ATTR_COUNT)
			attr[kind] = v;
	}
	return false;
}

/* The string at off, null if there is none. */
static const char *
string(const Jimage *img, u64 off)
{
	return off < img->strings_size ? (const char *)img->at + img->strings + off : NULL;
}

static bool
fill(const Jimage *img, u32 off, JimageEntry *e)
{
	u64 attr[ATTR_COUNT], room = img->n - img->data, size;

	if (!decode(img, off, attr))
		return false;
	e->module = string(img, attr[ATTR_MODULE]);
	e->parent = string(img, attr[ATTR_PARENT]);
	e->base = string(img, attr[ATTR_BASE]);
	e->extension = string(img, attr[ATTR_EXTENSION]);
	if (!e->module || !e->parent || !e->base || !e->extension)
		return false;
	e->compressed = attr[ATTR_COMPRESSED] != 0;
	size = e->compressed ? attr[ATTR_COMPRESSED] : attr[ATTR_SIZE];
	if (attr[ATTR_OFFSET] > room || size > room - attr[ATTR_OFFSET])
		return false;
	e->at = img->at + img->data + attr[ATTR_OFFSET];
	e->n = (size_t)size;
	return true;
}

bool
jimage_at(const Jimage *img, u32 k, JimageEntry *e)
{
	assert(k < img->slots);
	return fill(img, get(img, img->offsets + (size_t)k * 4), e) && *e->base;
}

static u32
hash(const char *name, u32 seed)
{
	for (; *name; name++)
		seed = seed * SEED ^ (u8)*name;
	return seed & 0x7FFFFFFF;
}

/* Takes part off the front of name; null if name does not start with it. */
static const char *
strip(const char *name, const char *part)
{
	size_t n = strlen(part);

	return name && !strncmp(name, part, n) ? name + n : NULL;
}

static bool
is_named(const JimageEntry *e, const char *name)
{
	if (*e->module)
		name = strip(strip(strip(name, "/"), e->module), "/");
	if (*e->parent)
		name = strip(strip(name, e->parent), "/");
	name = strip(name, e->base);
	if (*e->extension)
		name = strip(strip(name, "."), e->extension);
	return name && !*name;
}

bool
jimage_find(const Jimage *img, const char *name, JimageEntry *e, const char **why)
{
	u32 k, slot, off;
	i64 redirect;

	*why = NULL;
	if (!img->slots)
		return false;
	k = hash(name, SEED) % img->slots;
	redirect = (i32)get(img, img->redirect + (size_t)k * 4);
	if (!redirect)
		return false;
	slot = redirect > 0 ? hash(name, (u32)redirect) % img->slots : (u32)(-1 - redirect);
	if (slot >= img->slots) {
		*why = "the hash table of the image points outside";
		return false;
	}
	off = get(img, img->offsets + (size_t)slot * 4);
	if (!fill(img, off, e)) {
		*why = "the index of the image is broken";
		return false;
	}
	return is_named(e, name);
}

const char *
jimage_module(const Jimage *img, const char *package)
{
	char name[512] = "/packages/";
	const char *why;
	JimageEntry e;
	size_t len = strlen(package);

	if (len > sizeof name - sizeof "/packages/")
		return NULL;
	memcpy(name + strlen(name), package, len + 1);
	if (!jimage_find(img, name, &e, &why) || e.compressed)
		return NULL;
	/* Pairs: not 0 if the module's package has no classes; the module's name. */
	for (size_t k = 0; k + 8 <= e.n; k += 8) {
		size_t at = (size_t)(e.at - img->at) + k;
		if (!get(img, at))
			return string(img, get(img, at + 4));
	}
	return NULL;
}
