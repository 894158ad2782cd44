/* manifest.h - the main section of a jar's manifest: lines `Name: value`, a line
 * that starts with a blank goes on with the one before. */
#ifndef JVM_MANIFEST_H
#define JVM_MANIFEST_H

#include "base/arena.h"

typedef struct Manifest {
	const char *main_class; /* null where there is none */
	const char *class_path;
	bool multi_release;
} Manifest;

/* Reads the n bytes at text; strings are a's. */
void manifest_parse(Arena *a, const char *text, size_t n, Manifest *out);

#endif
