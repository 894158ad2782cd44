/* model_case.h - a small program, the models for it, and what comes out. */
#ifndef MODEL_CASE_H
#define MODEL_CASE_H

#include "unit.h"

#include "base/diag.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

typedef struct Case {
	Arena a;
	Diag diag;
	Models *models;
	Ir in, out;
} Case;

static inline void
case_begin(Case *c)
{
	arena_init(&c->a, NULL);
	diag_init(&c->diag, &c->a, NULL);
	c->models = models_new(&c->a);
	ir_init(&c->in, &c->a);
	ir_init(&c->out, &c->a);
}

static inline void
case_end(Case *c)
{
	diag_release(&c->diag);
	arena_release(&c->a);
}

static inline void
case_model(Case *c, const char *text)
{
	if (!models_parse(c->models, "t.model", text, strlen(text), &c->diag))
		fail_msg("%u:%u: %s", c->diag.msgs.at[0].line, c->diag.msgs.at[0].col,
			 c->diag.msgs.at[0].text);
}

/* Reads program, applies the models, checks both. */
static inline void
case_apply(Case *c, const char *program)
{
	const char *wrong;

	if (!ir_parse(&c->in, "t.ir", program, strlen(program), &c->diag))
		fail_msg("%u:%u: %s", c->diag.msgs.at[0].line, c->diag.msgs.at[0].col,
			 c->diag.msgs.at[0].text);
	wrong = ir_check(&c->in);
	if (wrong)
		fail_msg("before: %s", wrong);
	model_apply(&c->out, &c->in, c->models, &c->diag);
	wrong = ir_check(&c->out);
	if (wrong)
		fail_msg("after: %s", wrong);
}

/* The body of a function as text: no positions, one space for each tab. */
static inline char *
case_body(Case *c, const char *name)
{
	FnId f = 0;
	char *text, *out, *o;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	for (FnId k = 1; k < c->out.fns.n; k++)
		if (!strcmp(ir_str(&c->out, c->out.fns.at[k].name), name))
			f = k;
	assert_int_not_equal(f, 0);
	ir_print_fn(&c->out, f, to);
	fclose(to);
	o = out = arena_alloc(&c->a, n + 1);
	for (char *s = strchr(text, '\n'); s && *++s && *s != '}'; s = strchr(s, '\n')) {
		size_t len = strcspn(s, "\n");
		char *mark = memmem(s, len, " !", 2);
		len = mark ? (size_t)(mark - s) : len;
		memcpy(o, s, len);
		if (*o == '\t')
			*o = ' ';
		o += len;
		*o++ = '\n';
	}
	free(text);
	return out;
}

#endif
