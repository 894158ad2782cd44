/* statement.h - the statement that a place in a text is in, however its lines are broken. */
#ifndef RACE_STATEMENT_H
#define RACE_STATEMENT_H

#include "base/vec.h"

/* A word, a constant in quotes, or any other character. */
typedef struct Token {
	const char *at;
	u32 n;
} Token;
typedef Vec(Token) Tokens;

/* How a line is beside those around it. */
typedef struct LineEnd {
	bool block;         /* it ends with that of a block, or its beginning, or is a directive */
	bool semicolon;     /* it ends with one */
	u32 opened, closed; /* brackets whose partners are on other lines */
} LineEnd;

LineEnd statement_line(const char *line, u32 n);
/* The statement at from to last, both within text, which has n bytes and begins with a
 * statement: without comments and needless white space, without what it is under (`if (x)`,
 * `else`, a label), and of that just this if the place is in it.  In a's memory; tokens is
 * only used meanwhile. */
const char *statement_text(Arena *a, Tokens *tokens, const char *text, u32 n, const char *from,
			   const char *last);

#endif
