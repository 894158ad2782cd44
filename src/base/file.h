/* file.h - whole files in, whole files out, and private directories.
 *
 * A function that can fail returns false and sets *error to a sentence in a's
 * memory that names the file and the reason. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "arena.h"

#include <stdio.h>

/* Reads all of path ("-" is standard input), which must not be a device; a
 * zero byte stands behind the n. */
bool file_read(Arena *a, const char *path, char **bytes, size_t *n, const char **error);
/* Shows all of path, a regular file, in memory; null and 0 bytes if it is
 * empty.  It stays until file_unmap. */
bool file_map(Arena *a, const char *path, const void **bytes, size_t *n, const char **error);
void file_unmap(const void *bytes, size_t n);
/* How many bytes the mark has with which some editors begin a text in UTF-8. */
size_t file_mark(const char *text, size_t n);
/* Writes path so that it has its old contents or all of the new ones. */
bool file_write(Arena *a, const char *path, const void *p, size_t n, const char **error);

/* The same for what is printed bit by bit: a null or "-" path is standard
 * output; what is no regular file (a pipe, a device) is written in place. */
typedef struct FileOut {
	FILE *to;
	const char *path, *temp; /* temp is null where there is nothing to rename */
} FileOut;

bool file_out_open(FileOut *out, Arena *a, const char *path, const char **error);
/* Puts what was printed in place.  False if any part could not be written;
 * the old file is then still there. */
bool file_out_commit(FileOut *out, Arena *a, const char **error);
/* Forgets what was printed. */
void file_out_abandon(FileOut *out);

/* What is printed is kept: for those who want to read it again. */
typedef struct FileText {
	FILE *to;
	char *bytes;
	size_t n;
} FileText;

void file_text_open(FileText *t);
/* Ends it; *bytes is in a's memory, with a zero byte behind the n. */
void file_text_close(FileText *t, Arena *a, char **bytes, size_t *n);

/* Makes a new directory that only this user can read. */
bool file_temp_dir(Arena *a, char **path, const char **error);
/* Removes path and all below it; follows no links, ignores what is gone. */
void file_remove_tree(const char *path);

/* The part of path behind its last '/', and what stands behind the last '.' of
 * that ("" if none).  Both point into path. */
const char *file_base(const char *path);
const char *file_ext(const char *path);
/* The part of path before its last '/', "." if it has none. */
char *file_dir(Arena *a, const char *path);
/* path itself if it is absolute, else below dir. */
char *file_join(Arena *a, const char *dir, const char *path);
/* An absolute path as one would write it in the directory cwd: without needless
 * steps, and relative if it is below.  Any other path as it is. */
char *file_shorten(Arena *a, const char *path, const char *cwd);
/* Are both one and the same file, and no device? */
bool file_same(const char *x, const char *y);
bool file_exists(const char *path);
bool file_is_dir(const char *path);
/* The names of the entries of dir, sorted by bytes, without "." and "..". */
bool file_list(Arena *a, const char *dir, char ***names, u32 *n, const char **error);

#endif
