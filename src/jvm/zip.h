/* zip.h - jar, jmod and other zip archives, read by libzip from memory.
 *
 * Opening lists the names once.  Names that would lead out of the archive and
 * second entries of one name are left out; contents are read on demand, with a
 * bound on their size that does not depend on what the archive claims. */
#ifndef JVM_ZIP_H
#define JVM_ZIP_H

#include "base/arena.h"

typedef struct Archive Archive;

/* No class file, manifest or list of services has more bytes than this. */
enum { ARCHIVE_MOST = 64 << 20 };

/* Opens the zip archive of the n bytes at p (in a .jmod, behind its first
 * four), which stay the caller's until archive_close.  Null with *why if it
 * cannot be read.  Memory is a's. */
Archive *archive_open(Arena *a, const void *p, size_t n, const char **why);
void archive_close(Archive *z);
/* The entries that can be read have numbers from 0 to this; in the archive's
 * order. */
u32 archive_count(const Archive *z);
const char *archive_name(const Archive *z, u32 k);
/* The number of the entry of that name; false if there is none. */
bool archive_find(const Archive *z, const char *name, u32 *k);
/* The names of entries that were left out, and why; as many as n says. */
typedef struct ArchiveFlaw {
	const char *name, *why;
} ArchiveFlaw;
const ArchiveFlaw *archive_flaws(const Archive *z, u32 *n);
/* Reads entry k into a's memory, a zero byte behind; false with *why.  Safe
 * to call from several threads with an arena each. */
bool archive_read(Archive *z, u32 k, Arena *a, u8 **bytes, size_t *n, const char **why);

#endif
