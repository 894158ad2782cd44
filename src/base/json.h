/* json.h - a streaming writer and a small strict reader of JSON (RFC 8259).
 *
 * The writer keeps nothing but one bit per open level, so a report may be as
 * large as it likes.  Misuse (a value in an object without a key, an end
 * without its begin) is our bug and asserted.
 *
 *	json_obj_begin(&j);
 *	json_key(&j, "races");
 *	json_arr_begin(&j);
 *	...
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "arena.h"

#include <stdio.h>

enum { JSON_DEPTH = 63 };

typedef struct Json {
	FILE *to;
	bool pretty; /* one value per line, two spaces per level */
	bool after_key;
	u32 depth;
	u32 npiece;
	u64 filled, objects;  /* bit d: level d has a value; level d is an object */
	u64 gone;             /* bytes that were handed to the file */
	char pieces[1 << 15]; /* not yet */
} Json;

void json_init(Json *j, FILE *to, bool pretty);
/* Makes what comes a further element of an array that another writer opened at
 * that level: indented, on a line of its own.  Commas are the caller's. */
void json_nest(Json *j, u32 level);
/* Hands what there is to the file, which json_finish does, too: before anybody else writes to
 * it, or the writer goes out of scope. */
void json_flush(Json *j);
/* Ends the text with a newline; every level must be closed. */
void json_finish(Json *j);

void json_obj_begin(Json *j);
void json_obj_end(Json *j);
void json_arr_begin(Json *j);
void json_arr_end(Json *j);
/* The key is a name of ours: nothing in it needs an escape. */
void json_key(Json *j, const char *key);
/* s as a string; null gives the null value.  A byte that is no part of valid
 * UTF-8 becomes U+FFFD. */
void json_str(Json *j, const char *s);
void json_bytes(Json *j, const char *p, size_t n);
/* The n parts as one string. */
void json_join(Json *j, const char *const *parts, u32 n);
void json_strf(Json *j, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void json_u64(Json *j, u64 x);
void json_i64(Json *j, i64 x);
/* A finite number with so many digits behind the point. */
void json_fixed(Json *j, double x, u32 digits);
void json_bool(Json *j, bool x);
void json_null(Json *j);

/* A value that this writer, not pretty, has written before is written again: where it began is
 * json_at of then, behind the key; json_since gives its text as long as that is at hand, else null. */
u64 json_at(const Json *j);
const char *json_since(const Json *j, u64 at, u32 *n);
void json_again(Json *j, const char *text, u32 n);

/* A key and its value in one. */
void json_put_str(Json *j, const char *key, const char *s);
void json_put_u64(Json *j, const char *key, u64 x);
void json_put_bool(Json *j, const char *key, bool x);

typedef enum JsonKind { JSON_NULL, JSON_BOOL, JSON_NUM, JSON_STR, JSON_ARR, JSON_OBJ } JsonKind;

typedef struct JsonVal JsonVal;
struct JsonVal {
	JsonKind kind;
	bool truth;        /* BOOL */
	bool whole;        /* NUM: integer is exact */
	u32 line;          /* where it starts, from 1 */
	u32 n;             /* STR: bytes; ARR, OBJ: items */
	const char *str;   /* STR, with a zero byte behind */
	double num;        /* NUM */
	i64 integer;       /* NUM */
	JsonVal *items;    /* ARR, OBJ */
	const char **keys; /* OBJ: keys[i] of items[i] */
};

/* Reads one value and nothing else from the n bytes of text into a tree in a.
 * Null if it is not JSON, with *error as "line:col: what is wrong". */
const JsonVal *json_parse(Arena *a, const char *text, size_t n, const char **error);
/* The member of an object, the last one of that name; null if v is null, no
 * object, or has none. */
const JsonVal *json_get(const JsonVal *v, const char *key);
/* The same for a string member; null if it is anything else. */
const char *json_get_str(const JsonVal *v, const char *key);
/* The same for a member that is a whole number; absent gives otherwise. */
i64 json_get_i64(const JsonVal *v, const char *key, i64 otherwise);

#endif
