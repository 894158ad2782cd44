/* serial_seeds.c - `serial_seeds DIR FILE.ir...`: the serial form of each, to
 * start the fuzzer from. */
#include "base/file.h"
#include "fuzz.h"

static void
convert(const char *dir, const char *path)
{
	const char *error;
	char *text;
	u8 *bytes;
	size_t n;
	Arena a;
	Diag d;
	Ir ir;

	arena_init(&a, NULL);
	diag_init(&d, &a, stderr);
	ir_init(&ir, &a);
	if (!file_read(&a, path, &text, &n, &error))
		fatal("%s", error);
	if (ir_parse(&ir, path, text, n, &d)) {
		ir_write(&ir, &a, &bytes, &n);
		if (!file_write(&a, file_join(&a, dir, file_base(path)), bytes, n, &error))
			fatal("%s", error);
	}
	diag_release(&d);
	arena_release(&a);
}

int
main(int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		convert(argv[1], argv[i]);
	return 0;
}
