/* store_int.h - what the files of the store share. */
#ifndef BASE_STORE_INT_H
#define BASE_STORE_INT_H

#include "store.h"

typedef enum Known { KNOWN_NOT, KNOWN_NO, KNOWN_YES } Known;

/* What this run knows of a file outside of the store. */
typedef struct StoreFile {
	Known read, exists;
	Digest digest;
} StoreFile;

struct Store {
	Arena arena;
	const char *dir;
	u64 limit;
	const char *trouble;
	u32 written;
	Intern paths;
	Vec(StoreFile) files; /* by the path's id */
};

/* Removes entries, those used least recently first, until the store is well
 * below its limit, and what killed writers left behind. */
void store_trim(const char *dir, u64 limit);

#endif
