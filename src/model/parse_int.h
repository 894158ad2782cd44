/* parse_int.h - what the files of the parser share. */
#ifndef MODEL_PARSE_INT_H
#define MODEL_PARSE_INT_H

#include "model/lex.h"
#include "model/parse.h"

enum { MAX_PARAMS = 64 };

typedef struct Parser {
	Models *m;
	struct Diag *diag;
	const char *file;
	Lex lex;
	Tok t;       /* the token looked at */
	bool failed; /* in this rule */
	u32 errors;
	Tok param[MAX_PARAMS];
	u32 nparam;
	bool variadic;
	bool result; /* an effect so far makes the call's result */
	bool rest;   /* this effect uses `...` */
	bool uses_result;
	u32 depth;
} Parser;

/* Tokens: look, eat, and complain once per rule. */
void rule_next(Parser *p);
void rule_complain(Parser *p, const Tok *at, const char *what);
void rule_expected(Parser *p, const char *what); /* says what was found, too */
bool rule_at(const Parser *p, const char *word);
bool rule_accept(Parser *p, const char *word);
void rule_want(Parser *p, const char *word);
bool rule_line_ends(const Parser *p);
i64 rule_number(Parser *p, const char *what);
/* One of n words, by its index; -1 after a complaint that lists them. */
int rule_choose(Parser *p, const char *const *words, u32 n);

/* Parts of effects; null or 0 after a complaint. */
const Expr *rule_value(Parser *p);
const Expr *rule_param(Parser *p); /* null if no parameter's name comes */
u32 rule_fact(Parser *p);
u32 rule_part(Parser *p); /* the name "type.member" in the names */
Size rule_size(Parser *p);
void rule_arguments(Parser *p, Effect *e);
void rule_order(Parser *p, Effect *e);
void rule_condition(Parser *p, Effect *e);
void rule_bits(Parser *p, Effect *e);

/* Reads what stands behind the verb. */
void rule_verb(Parser *p, Verb v, Effect *e);

#endif
