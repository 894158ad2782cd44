/* fuzz_zip.c - the reader of archives: every entry that it lists is found by its
 * name, and read or refused with a reason; a manifest among them is parsed. */
#include "fuzz.h"

#include "jvm/manifest.h"
#include "jvm/zip.h"

#include <string.h>

static void
read_all(Archive *z, Arena *a)
{
	for (u32 k = 0; k < archive_count(z); k++) {
		const char *why = NULL;
		Manifest m;
		u8 *bytes;
		size_t n;
		u32 same;
		assert(archive_find(z, archive_name(z, k), &same) && same == k);
		if (!archive_read(z, k, a, &bytes, &n, &why)) {
			assert(why);
			continue;
		}
		assert(!bytes[n] && n <= ARCHIVE_MOST);
		manifest_parse(a, (const char *)bytes, n, &m);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *why = NULL;
	Archive *z;
	Manifest m;
	Arena a;

	arena_init(&a, NULL);
	z = archive_open(&a, bytes, n, &why);
	assert(z || why);
	if (z) {
		read_all(z, &a);
		archive_close(z);
	}
	manifest_parse(&a, (const char *)bytes, n, &m);
	assert(!m.main_class || strlen(m.main_class) <= n);
	arena_release(&a);
	return 0;
}
