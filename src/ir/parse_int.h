/* parse_int.h - between the two halves of the reader of the text form:
 * parse.c (tokens, tables) and parse_fn.c (bodies).
 *
 * The first error is reported and moves the reader to the end token, where
 * every loop stops; what is built after it is thrown away. */
#ifndef IR_PARSE_INT_H
#define IR_PARSE_INT_H

#include "base/diag.h"
#include "ir/lex.h"
#include "ir/text.h"

typedef struct Parser {
	Ir *ir;
	Diag *diag;
	const char *file;
	StrId file_name; /* the file being read: the position of what gives none */
	Arena scratch;
	Tokens toks;
	u32 at;
	bool failed;
	Map fns, globals;                                /* name -> id, or SEVERAL */
	u32 next_type, next_class, next_global, next_fn; /* to be defined */
} Parser;

enum { SEVERAL = 0x7fffffff };
#define UNSAID UINT32_MAX /* a position that the text does not give */

static inline const Token *
tok(const Parser *p)
{
	return &p->toks.at[p->at];
}

void parse_fail(Parser *p, const Token *t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Moves on and returns the token left. */
const Token *parse_next(Parser *p);

/* These ask about the current token ... */
bool parse_is(const Parser *p, char punct);
bool parse_is_word(const Parser *p, const char *word);
/* ... these also step over it if so ... */
bool parse_accept(Parser *p, char punct);
bool parse_accept_word(Parser *p, const char *word);
/* ... and these insist. */
void parse_expect(Parser *p, char punct);
u64 parse_uint(Parser *p, u64 max);
i64 parse_int(Parser *p);
StrId parse_string(Parser *p);
/* A letter and a number, as in t12. */
u32 parse_ref(Parser *p, char letter);
/* A type such as i32, if there is one here. */
bool parse_kind(Parser *p, Kind *kind);
/* !line:col, !"file":line:col or !-, after the exclamation mark. */
SrcId parse_src(Parser *p, StrId file);
/* src, or the line of t in the file being read if nothing was said. */
SrcId parse_src_or(Parser *p, SrcId src, const Token *t);
/* The function or global that the symbol t names. */
u32 parse_symbol(Parser *p, const Token *t, char *table);
FnId parse_fn_ref(Parser *p);

static inline StrId
parse_intern(Parser *p, const Token *t)
{
	return t->len ? intern_bytes(&p->ir->strs, t->at, t->len) : 0;
}

/* A constant; width is that of a bare integer. */
Val parse_const(Parser *p, u16 width);

/* parse_fn.c: from `(` to the end of the function. */
void parse_fn(Parser *p, FnId id);

#endif
