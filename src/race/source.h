/* source.h - lines of the user's program, looked up when something is shown.
 *
 * A file is read once, on first use; one that cannot be read has no lines. */
#ifndef RACE_SOURCE_H
#define RACE_SOURCE_H

#include "ir/ir.h"

typedef struct Sources Sources;

Sources *sources_new(Arena *a, const Ir *ir);
/* Where to look for files that are not where they say: directories with colons
 * between them. */
void sources_path(Sources *s, const char *path);
/* All of file, with a zero byte behind the n; null if it is not to be had. */
const char *source_text(Sources *s, StrId file, size_t *n);
/* Line (from 1) of file without its end; null if it is not to be had. */
const char *source_line(Sources *s, StrId file, u32 line, u32 *len);
/* The statement at line and col (0: all that is on the line), as statement.h says it, in the
 * sources' memory; null if the file is not to be had. */
const char *source_statement(Sources *s, StrId file, u32 line, u32 col);

#endif
