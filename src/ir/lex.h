/* lex.h - the words of the text form. */
#ifndef IR_LEX_H
#define IR_LEX_H

#include "base/diag.h"

typedef enum TokenKind {
	TOK_END,
	TOK_WORD, /* at, len */
	TOK_INT,  /* num, negative if neg */
	TOK_STR,  /* at, len: decoded */
	TOK_REG,  /* %name, %name.num or %num */
	TOK_SYM,  /* @name or @name'fnum, 'gnum: table and num */
	TOK_PUNCT /* one character: punct */
} TokenKind;

typedef struct Token {
	u8 kind;
	char punct;
	char table;
	bool neg;
	bool first; /* on its line */
	bool has_num;
	u32 line, col;
	u32 len;
	const char *at;
	u64 num;
} Token;

typedef struct Tokens {
	Token *at;
	u32 n, cap;
} Tokens;

/* Splits text into tokens, the last of them TOK_END.  Text and tokens must
 * live as long as each other; memory is a's.  False after a diagnostic. */
bool lex_text(Tokens *out, Arena *a, const char *file, const char *text, size_t n, Diag *diag);

#endif
