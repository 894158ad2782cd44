/* fuzz_cache.c - the readers of the cache.  An entry that was damaged anywhere is
 * no entry, or says what was kept; and a list of files with any contents, under
 * its right name and checksum, is read to its end or refused. */
#include "fuzz.h"

#include "llvm/llvm_int.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EDIT = 4 }; /* bytes that say where the entry is damaged and how */

/* The first bytes damage the entry of the others. */
static void
damage(Arena *a, const u8 *bytes, size_t n)
{
	const Digest name = {1, 2};
	size_t size, kept;
	const u8 *payload = bytes + EDIT, *back;
	u8 *entry = store_encode(a, "ir", name, payload, n - EDIT, &size);
	size_t at = (size_t)(bytes[0] | bytes[1] << 8) % size;

	entry[at] ^= bytes[2];
	if (bytes[3] & 1)
		size = at;
	back = store_decode(entry, size, "ir", name, &kept);
	assert(!back || (kept == n - EDIT && !memcmp(back, payload, kept)));
	assert(back || bytes[2] || bytes[3] & 1);
}

/* A store in a directory of this process, removed at its end. */
static char dir[] = "/tmp/concord-fuzz-XXXXXX";

static void
remove_directory(void)
{
	Arena a;

	arena_init(&a, NULL);
	(void)store_clear(&a, dir);
	for (u32 i = 0; i < 256; i++)
		(void)rmdir(arena_printf(&a, "%s/%02x", dir, i));
	(void)unlink(arena_printf(&a, "%s/CACHEDIR.TAG", dir));
	arena_release(&a);
	(void)rmdir(dir);
}

static const char *
directory(void)
{
	static bool made;

	if (!made && (!mkdtemp(dir) || atexit(remove_directory)))
		abort();
	made = true;
	return dir;
}

static void
read_list(Arena *a, const u8 *bytes, size_t n)
{
	LlvmJob job = {.input = {.path = "x.c"}};
	StoreEntry e;

	job.options.store = store_open(a, directory(), 0);
	(void)cache_find(&job); /* makes the list's name */
	store_put(job.options.store, "deps", job.list, bytes, n);
	assert(store_get(job.options.store, "deps", job.list, &e));
	store_close_entry(&e);
	assert(!cache_find(&job)); /* nobody has kept such a unit */
	store_close(job.options.store);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	Arena a;

	arena_init(&a, NULL);
	if (n >= EDIT)
		damage(&a, bytes, n);
	read_list(&a, bytes, n);
	arena_release(&a);
	return 0;
}
