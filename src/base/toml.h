/* toml.h - a reader for the part of TOML that settings need.
 *
 * Tables, strings ("..." and '...'), integers, booleans and arrays of these.
 * What TOML has beyond that (dotted keys, inline tables, arrays of tables,
 * dates, floats, strings of several lines) is refused by name, and so is every
 * mistake: a key twice, a table twice, text behind a value. */
#ifndef BASE_TOML_H
#define BASE_TOML_H

#include "vec.h"

typedef enum TomlKind { TOML_STR, TOML_INT, TOML_BOOL, TOML_ARR } TomlKind;

typedef struct TomlVal TomlVal;
struct TomlVal {
	TomlKind kind;
	const char *str; /* STR */
	i64 integer;     /* INT */
	bool truth;      /* BOOL */
	TomlVal *items;  /* ARR */
	u32 n;
};

typedef struct TomlEntry {
	const char *table; /* "" before the first heading */
	const char *key;
	u32 line;
	TomlVal val;
} TomlEntry;

typedef struct TomlTable {
	const char *name;
	u32 line;
} TomlTable;

typedef struct Toml { /* in the order of the file */
	Vec(TomlEntry) entries;
	Vec(TomlTable) tables; /* the headings */
} Toml;

/* Reads the n bytes of text, behind which a zero byte stands.  False at the
 * first mistake, with *line and *error saying where and what it is. */
bool toml_parse(Arena *a, const char *text, size_t n, Toml *out, u32 *line, const char **error);

#endif
