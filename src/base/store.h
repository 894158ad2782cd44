/* store.h - files under content names, shared by the runs of one machine.
 *
 * What is expensive to make is kept under the digest of everything that it was
 * made from, so an entry is never out of date: it is found or it is not.  An
 * entry is written to a temporary file and renamed, and carries its own name and
 * a checksum of its contents, both looked at before a byte of it is used; one
 * that is damaged, foreign or cut short is as good as absent and is replaced.
 *
 * Nothing depends on the store: if it cannot be read or written, the run does
 * the work itself, and store_trouble says why nothing was kept.  Entries that
 * were not used for longest go first when the store grows beyond its limit.  Any
 * number of runs may use a store at once; a Store belongs to one thread. */
#ifndef BASE_STORE_H
#define BASE_STORE_H

#include "map.h"
#include "vec.h"

typedef struct Digest {
	u64 hi, lo;
} Digest;

Digest digest_bytes(const void *p, size_t n);
bool digest_equal(Digest x, Digest y);

/* What a name is made from.  Each part is kept with its length, so that
 * different lists of parts are different bytes. */
typedef struct Key {
	Arena *arena;
	Vec(u8) bytes;
} Key;

/* Begins with first: the digest of the running program, say. */
void key_init(Key *k, Arena *a, Digest first);
void key_bytes(Key *k, const void *p, size_t n);
/* A null string differs from an empty one. */
void key_str(Key *k, const char *s);
void key_u64(Key *k, u64 x);
void key_digest(Key *k, Digest d);
Digest key_name(const Key *k);

typedef struct Store Store;

/* A verified entry: a copy, which nobody can change any more.  It stays until
 * store_close_entry. */
typedef struct StoreEntry {
	const u8 *bytes;
	size_t n;
	Arena arena;
} StoreEntry;

/* The store in the directory dir, which is made with its parents when something
 * is kept; limit is in bytes, 0 none.  Its memory counts against no budget, so
 * that a limit on memory means the same with and without a store. */
Store *store_open(Arena *a, const char *dir, u64 limit);
/* Keeps to the limit if anything was written; s is then over. */
void store_close(Store *s);
/* A short word, a to z, says what kind of entry it is. */
bool store_get(Store *s, const char *kind, Digest name, StoreEntry *e);
void store_close_entry(StoreEntry *e);
/* Keeps the entry if it can. */
void store_put(Store *s, const char *kind, Digest name, const void *p, size_t n);
/* The digest of what is in the file now; remembered for the run. */
bool store_file(Store *s, const char *path, Digest *d);
/* Is there a file of that name?  Remembered for the run. */
bool store_probe(Store *s, const char *path);
/* Why something was not kept; null if nothing went wrong. */
const char *store_trouble(const Store *s);
const char *store_dir(const Store *s);

/* Checks that the n bytes at p are the entry of that kind and name; where its
 * contents are.  Null if they are anything else. */
const u8 *store_decode(const void *p, size_t n, const char *kind, Digest name, size_t *length);
/* The file that holds these contents, in a's memory. */
u8 *store_encode(Arena *a, const char *kind, Digest name, const void *p, size_t n, size_t *length);

/* What is in a store. */
typedef struct StoreCount {
	const char *kind;
	u64 files, bytes;
} StoreCount;
typedef Vec(StoreCount) StoreCounts;

/* The entries of each kind, in order of the kinds' names. */
void store_count(Arena *a, const char *dir, StoreCounts *counts);
/* Removes all entries, and nothing that is not one; false if some stay. */
bool store_clear(Arena *a, const char *dir);

#endif
