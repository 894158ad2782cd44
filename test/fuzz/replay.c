/* replay.c - runs a fuzz target on files: `fuzz_X FILE...`. */
#include "fuzz.h"

#include "base/file.h"

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *error;
		char *bytes;
		size_t n;
		Arena a;

		arena_init(&a, NULL);
		if (!file_read(&a, argv[i], &bytes, &n, &error))
			fatal("%s", error);
		printf("%s\n", argv[i]);
		fflush(stdout);
		(void)LLVMFuzzerTestOneInput((const uint8_t *)bytes, n);
		arena_release(&a);
	}
	return 0;
}
