/* jimage.h - the platform's classes: a JDK's lib/modules.
 *
 * The file is an index, by a perfect hash of the full name
 * ("/java.base/java/lang/Object.class"), of resources that lie behind it
 * uncompressed.  It is used where it lies in memory: nothing is copied, and
 * nothing that it says is believed before it is checked. */
#ifndef JVM_JIMAGE_H
#define JVM_JIMAGE_H

#include "base/types.h"

typedef struct Jimage {
	const u8 *at;
	size_t n;
	bool big;      /* numbers are big-endian */
	u32 slots;     /* of the hash table */
	u32 resources; /* as the header says */
	/* offsets from the start */
	size_t redirect, offsets, locations, strings, data;
	u32 locations_size, strings_size;
} Jimage;

/* A resource; the strings point into the image. */
typedef struct JimageEntry {
	const char *module, *parent, *base, *extension; /* "" where there is none */
	const u8 *at;
	size_t n;
	bool compressed; /* at and n are then those of the compressed bytes */
} JimageEntry;

/* Makes img a view of the n bytes at p, which stay the caller's.  False with
 * *why, a literal, if they are no image. */
bool jimage_open(Jimage *img, const void *p, size_t n, const char **why);
/* Finds a resource by its full name; false if it is not there, or *why (else
 * null) says what is wrong with it. */
bool jimage_find(const Jimage *img, const char *name, JimageEntry *e, const char **why);
/* The resource of slot k < img->slots; false if it is empty or broken. */
bool jimage_at(const Jimage *img, u32 k, JimageEntry *e);
/* The module that has classes in the package ("java.lang"); null if none. */
const char *jimage_module(const Jimage *img, const char *package);

#endif
