/* here.c - units that are read in this process.
 *
 * What clang-19 wrote when the build was captured, and nobody has changed since, needs neither
 * LLVM nor a process that may crash: where nothing else is read meanwhile, a process only costs
 * its memory, and the serial form there and back.  Whatever is unusual about a unit, it is read in a
 * process after all, which says what is wrong. */
#include "base/file.h"
#include "llvm/llvm_int.h"

#include <limits.h>
#include <unistd.h>

bool
here_wanted(const LlvmInput *in, const LlvmOptions *options)
{
	return options->alone && in->bitcode && in->content;
}

static bool
lower(const LlvmInput *in, Ir *unit, Arena *a, const char *bytes, size_t n)
{
	char *cwd = arena_alloc(a, PATH_MAX);
	const char *wrong = NULL;
	Source s;

	if (!getcwd(cwd, PATH_MAX))
		cwd[0] = '\0';
	s = (Source){child_unit_name(a, in, cwd), cwd, bytes, n, in->content, true, true, false};
	return module_lower_own(unit, a, &s, bytes, n, &wrong) && !wrong && !ir_check(unit);
}

bool
here_read(LlvmJob *job, Ir *unit)
{
	const LlvmInput *in = &job->input;
	const char *error;
	char *bytes;
	size_t n;
	u8 *serial;
	bool ok;
	Arena a;

	arena_init(&a, unit->arena->budget);
	ok = file_read(&a, in->bitcode, &bytes, &n, &error) && !child_is_large(&job->options, n) &&
	     in->content == hash_bytes(bytes, n);
	if (ok)
		bytes = arena_grow(&a, bytes, n + 1, n + BITS_SLACK);
	ok = ok && lower(in, unit, &a, bytes, n);
	if (ok && job->options.store) {
		ir_write(unit, &a, &serial, &n);
		cache_keep(job, unit, serial, n);
	}
	arena_release(&a);
	if (!ok)
		ir_init(unit, unit->arena);
	return ok;
}
