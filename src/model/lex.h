/* lex.h - the tokens of model files. */
#ifndef MODEL_LEX_H
#define MODEL_LEX_H

#include "base/types.h"

typedef enum TokKind {
	TOK_END,
	TOK_LINE,   /* the end of a line */
	TOK_INDENT, /* at the start of a line that has white space there */
	TOK_NAME,
	TOK_NUMBER,
	TOK_STRING, /* text and len are without the quotes */
	TOK_REST,   /* ... */
	TOK_PUNCT,  /* one of ( ) , : ; * + */
	TOK_BAD     /* any other byte, or a string without its end */
} TokKind;

typedef struct Tok {
	TokKind kind;
	const char *text;
	u32 len;
	u32 line, col; /* from 1 */
	i64 num;
	bool glued; /* nothing stands between it and the token before */
} Tok;

typedef struct Lex {
	const char *at, *end, *bol; /* bol: the start of the line */
	u32 line;
} Lex;

void lex_init(Lex *l, const char *text, size_t n);
/* The next token.  Empty lines and comments give none; a line that ends in a
 * comma goes on with the next. */
Tok lex_next(Lex *l);

#endif
