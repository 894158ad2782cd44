/* parse_fn.c - reads functions in the text form.
 *
 * Before a body is built, its tokens are scanned once for labels and
 * registers.  Blocks are numbered in the order of their labels.  Parameters
 * are the first registers; `%7` and `%x.7` are register 7; the remaining
 * names take the lowest free numbers in the order in which they appear. */
#include "ir/parse_int.h"

#include <string.h>

typedef struct Body {
	Parser *p;
	Build build;
	FnId fn;
	StrId file;      /* of positions that name none */
	Map names;       /* bare register name -> register */
	StrId *reg_name; /* by register number */
	bool *used;      /* is the number taken? */
	u32 nreg, max_reg;
	Intern labels;      /* label k is block k, plus one if the first has none */
	u32 unlabelled;     /* 1 if the first block has no label */
	bool open;          /* the current block has no terminator yet */
	VecU32 args, succs; /* of the instruction being read */
} Body;

/* ---- registers and labels ----------------------------------------------- */

/* Gives number num to a register called name. */
static void
claim(Body *b, const Token *t, u64 num, StrId name)
{
	if (!num || num > b->max_reg) {
		parse_fail(b->p, t, "register %llu is out of range", (unsigned long long)num);
		return;
	}
	if (b->used[num] && b->reg_name[num] != name) {
		parse_fail(b->p, t, "register %llu has two names", (unsigned long long)num);
		return;
	}
	b->used[num] = true;
	b->reg_name[num] = name;
	b->nreg = MAX(b->nreg, (u32)num);
}

static void
claim_bare(Body *b, const Token *t, u32 *lowest)
{
	StrId name = parse_intern(b->p, t);

	if (map_get(&b->names, name))
		return;
	while (b->used[*lowest])
		++*lowest;
	map_put(&b->p->scratch, &b->names, name, *lowest);
	claim(b, t, *lowest, name);
}

/* The index of the token behind the body that starts at p->at. */
static u32
body_end(const Parser *p)
{
	u32 depth = 1, i = p->at;

	for (; p->toks.at[i].kind != TOK_END && depth; i++)
		if (p->toks.at[i].kind == TOK_PUNCT)
			depth += p->toks.at[i].punct == '{'   ? 1
				 : p->toks.at[i].punct == '}' ? -1u
							      : 0;
	return i;
}

static bool
is_label(const Parser *p, u32 i)
{
	const Token *t = &p->toks.at[i];

	return t->first && t->kind == TOK_WORD && t[1].kind == TOK_PUNCT && t[1].punct == ':';
}

static void
scan_labels(Body *b, u32 end)
{
	Parser *p = b->p;

	intern_init(&b->labels, &p->scratch);
	for (u32 i = p->at; i < end; i++) {
		const Token *t = &p->toks.at[i];
		if (!is_label(p, i))
			continue;
		if (intern_find(&b->labels, t->at, t->len)) {
			parse_fail(p, t, "there are two blocks %.*s", (int)t->len, t->at);
			return;
		}
		intern_bytes(&b->labels, t->at, t->len);
	}
}

/* Numbers the registers of the body; those of the parameters are known. */
static void
scan_registers(Body *b, u32 end)
{
	Parser *p = b->p;
	u32 lowest = 1;

	for (u32 i = p->at; i < end && !p->failed; i++) {
		const Token *t = &p->toks.at[i];
		if (t->kind == TOK_REG && t->has_num)
			claim(b, t, t->num, parse_intern(p, t));
	}
	for (u32 i = p->at; i < end && !p->failed; i++) {
		const Token *t = &p->toks.at[i];
		if (t->kind == TOK_REG && !t->has_num)
			claim_bare(b, t, &lowest);
	}
}

static Val
reg_of(Body *b, const Token *t)
{
	if (t->kind != TOK_REG) {
		parse_fail(b->p, t, "expected a register");
		return 0;
	}
	return t->has_num ? (Val)t->num : map_get(&b->names, parse_intern(b->p, t));
}

static BlockId
parse_label(Body *b)
{
	const Token *t = parse_next(b->p);
	u32 id = t->kind == TOK_WORD ? intern_find(&b->labels, t->at, t->len) : 0;

	if (!id)
		parse_fail(b->p, t, "expected the label of a block");
	return id + b->unlabelled;
}

/* ---- operands ----------------------------------------------------------- */

static bool
at_end(const Parser *p)
{
	return tok(p)->first || tok(p)->kind == TOK_END || parse_is(p, '}');
}

static Val
parse_val(Body *b, u16 width)
{
	Parser *p = b->p;

	return tok(p)->kind == TOK_REG ? reg_of(b, parse_next(p)) : parse_const(p, width);
}

static void
push_arg(Body *b, const Ins *i)
{
	Val v = parse_val(b, text_width(b->p->ir, i, b->args.n));

	vec_push(&b->p->scratch, &b->args, v);
}

static void
push_succ(Body *b)
{
	BlockId s = parse_label(b);

	vec_push(&b->p->scratch, &b->succs, s);
}

static void
parse_phi(Body *b, const Ins *i)
{
	Parser *p = b->p;

	do {
		BlockId from;
		parse_expect(p, '[');
		from = parse_label(b);
		vec_push(&p->scratch, &b->args, from);
		parse_expect(p, ':');
		push_arg(b, i);
		parse_expect(p, ']');
	} while (parse_accept(p, ','));
}

static void
parse_switch(Body *b, const Ins *i)
{
	Parser *p = b->p;

	push_arg(b, i);
	parse_expect(p, ',');
	push_succ(b);
	parse_expect(p, '[');
	while (!parse_is(p, ']') && tok(p)->kind != TOK_END) {
		push_arg(b, i);
		parse_expect(p, ':');
		push_succ(b);
		if (!parse_is(p, ']'))
			parse_expect(p, ',');
	}
	parse_expect(p, ']');
}

static void
parse_address(Body *b, Ins *i)
{
	Parser *p = b->p;

	push_arg(b, i);
	parse_expect(p, '+');
	if (i->op == OP_INDEX) {
		push_arg(b, i);
		parse_expect(p, '*');
	}
	i->imm = parse_int(p);
}

static void
parse_call(Body *b, Ins *i)
{
	Parser *p = b->p;

	if (i->op == OP_EXTERN)
		i->aux = parse_string(p);
	else
		push_arg(b, i);
	parse_expect(p, '(');
	while (!parse_is(p, ')') && tok(p)->kind != TOK_END) {
		push_arg(b, i);
		if (!parse_is(p, ')'))
			parse_expect(p, ',');
	}
	parse_expect(p, ')');
}

/* Says whether a label, and no value, is next. */
static bool
at_label(const Body *b)
{
	const Token *t = tok(b->p);

	return t->kind == TOK_WORD && intern_find(&b->labels, t->at, t->len);
}

static bool
starts_value(const Parser *p, const Ins *i)
{
	const Token *t = tok(p);
	static const char *const words[] = {"null", "undef", "opaque", "none"};

	for (u32 k = 0; k < COUNT(words); k++)
		if (parse_is_word(p, words[k]))
			return true;
	if (parse_is_word(p, "class"))
		return i->op != OP_CINIT; /* whose class is an attribute */
	return t->kind == TOK_REG || t->kind == TOK_SYM || t->kind == TOK_INT ||
	       (t->kind == TOK_WORD && t->len > 1 && *t->at == 'i' && t->at[1] >= '0' &&
		t->at[1] <= '9');
}

static void
parse_list(Body *b, Ins *i)
{
	Parser *p = b->p;

	if (at_end(p) || (!starts_value(p, i) && !at_label(b)))
		return;
	do {
		if (op_is_terminator(i->op) && at_label(b))
			push_succ(b);
		else
			push_arg(b, i);
	} while (parse_accept(p, ','));
}

static void
parse_operands(Body *b, Ins *i)
{
	b->args.n = b->succs.n = 0;
	switch (i->op) {
	case OP_PHI: parse_phi(b, i); break;
	case OP_SWITCH: parse_switch(b, i); break;
	case OP_FIELD:
	case OP_INDEX: parse_address(b, i); break;
	case OP_CALL:
	case OP_EXTERN: parse_call(b, i); break;
	default: parse_list(b, i);
	}
}

/* ---- attributes --------------------------------------------------------- */

static u8
parse_cond(Parser *p)
{
	static const char *const names[] = {"neg",     "zero",   "nonpos", "pos",
					    "nonzero", "nonneg", "any"};
	const Token *t = tok(p);

	for (u32 k = 0; k < COUNT(names); k++)
		if (parse_accept_word(p, names[k]))
			return (u8)(k + 1);
	parse_fail(p, t, "expected neg, zero, pos, nonneg, nonpos, nonzero or any");
	return 0;
}

static void
parse_attribute(Body *b, Ins *i)
{
	Parser *p = b->p;
	const Token *t = tok(p);
	Kind kind;

	if (parse_accept(p, '!')) {
		i->src = parse_src(p, b->file);
	} else if (parse_accept(p, '#')) {
		i->site = (u32)parse_uint(p, UINT32_MAX);
	} else if (parse_accept(p, '-')) {
		parse_expect(p, '>');
		if (i->op != OP_CMP || !parse_kind(p, &kind))
			parse_fail(p, t, "only a comparison has a type behind its operands");
		else
			i->rt = kind.rt, i->width = kind.width;
	} else if (parse_accept_word(p, "from") || parse_accept_word(p, "imm")) {
		i->imm = parse_int(p);
	} else if (parse_accept_word(p, "type")) {
		i->aux = parse_ref(p, 't');
	} else if (parse_accept_word(p, "in")) {
		i->aux = parse_ref(p, 'f');
	} else if (parse_accept_word(p, "class")) {
		i->aux = parse_ref(p, 'c');
	} else if (parse_accept_word(p, "method")) {
		i->aux = parse_string(p);
	} else if (parse_accept_word(p, "if")) {
		i->cond = parse_cond(p);
	} else {
		parse_fail(p, t, "this is no part of an instruction");
	}
}

/* ---- instructions ------------------------------------------------------- */

static void
parse_mnemonic(Parser *p, Ins *i)
{
	const Token *t = parse_next(p);
	int k = -1;

	if (t->kind == TOK_WORD && (k = text_find(text_ops, t->at, t->len)) > 0)
		i->op = (u8)k;
	else if (t->kind == TOK_WORD && (k = text_find(text_bins, t->at, t->len)) >= 0)
		i->op = OP_BIN, i->sub = (u8)k;
	else if (t->kind == TOK_WORD && (k = text_find(text_preds, t->at, t->len)) >= 0)
		i->op = OP_CMP, i->sub = (u8)k;
	else if (t->kind == TOK_WORD && (k = text_find(text_casts, t->at, t->len)) >= 0)
		i->op = OP_CAST, i->sub = (u8)k;
	else
		parse_fail(p, t, "expected an instruction");
}

static void
parse_suffix(Parser *p, Ins *i)
{
	const Token *t = parse_next(p);
	int k;

	if (t->kind != TOK_WORD)
		parse_fail(p, t, "expected a word after '.'");
	else if ((k = text_find(text_subs(i->op), t->at, t->len)) >= 0)
		i->sub = (u8)k;
	else if ((k = text_find(text_orders, t->at, t->len)) >= 0)
		i->order = (u8)k;
	else if ((k = text_find(text_ins_flags, t->at, t->len)) >= 0)
		i->flags |= (u8)(1u << k);
	else
		parse_fail(p, t, "%s has no variant, order or flag '%.*s'", text_ops.at[i->op],
			   (int)t->len, t->at);
}

/* The type before the operands: a comparison's is that of its operands. */
static void
parse_ins_kind(Parser *p, Ins *i)
{
	Kind kind = text_kind(p->ir, i->op, i->dst != 0), given;
	bool said = !at_end(p) && parse_kind(p, &given);

	if (said && i->op != OP_CMP)
		kind = given;
	i->rt = kind.rt;
	i->width = kind.width;
	if (i->op == OP_CMP)
		i->imm = said ? given.width : 32;
	if (i->op == OP_CAST)
		i->imm = -1; /* found when all registers are known */
}

static void
set_reg_kind(Body *b, Val r, Kind kind)
{
	Fn *f = &b->p->ir->fns.at[b->fn];
	Reg *reg = &b->p->ir->regs.at[f->reg + r];

	reg->rt = kind.rt;
	reg->width = kind.width;
}

static void
emit(Body *b, Ins *ins, const Token *at)
{
	Parser *p = b->p;
	Ins *made;

	if (p->failed)
		return;
	if (!b->open) {
		parse_fail(p, at, "this instruction is behind the end of its block");
		return;
	}
	if (op_is_terminator(ins->op)) {
		made =
		    build_term(&b->build, ins->op, b->args.n, b->args.at, b->succs.n, b->succs.at);
		b->open = false;
	} else {
		made = build_ins(&b->build, ins->op, b->args.n, b->args.at);
	}
	ins->arg = made->arg;
	ins->narg = made->narg;
	*made = *ins;
}

static void
parse_ins(Body *b)
{
	Parser *p = b->p;
	const Token *start = tok(p);
	Ins i = {.src = UNSAID};
	Kind kind;
	bool has_kind = false;

	if (start->kind == TOK_REG) {
		i.dst = reg_of(b, parse_next(p));
		if (parse_accept(p, ':')) {
			has_kind = parse_kind(p, &kind);
			if (!has_kind)
				parse_fail(p, tok(p), "expected a type, as in i32");
		}
		parse_expect(p, '=');
	}
	parse_mnemonic(p, &i);
	while (parse_accept(p, '.'))
		parse_suffix(p, &i);
	parse_ins_kind(p, &i);
	parse_operands(b, &i);
	while (!at_end(p))
		parse_attribute(b, &i);
	i.src = parse_src_or(p, i.src, start);
	emit(b, &i, start);
	if (i.dst && !p->failed)
		set_reg_kind(b, i.dst, has_kind ? kind : text_dst_kind(&i));
}

/* ---- functions ---------------------------------------------------------- */

static void
parse_fn_attribute(Parser *p, Fn *f)
{
	const Token *t = tok(p);
	int k = t->kind == TOK_WORD ? text_find(text_fn_flags, t->at, t->len) : -1;
	Kind kind;

	if (k >= 0) {
		f->flags |= (u16)(1u << k);
		p->at++;
	} else if (parse_accept(p, '-')) {
		parse_expect(p, '>');
		if (!parse_kind(p, &kind))
			parse_fail(p, tok(p), "expected a type, as in int");
		else
			f->ret = kind.rt;
	} else if (parse_accept_word(p, "unit")) {
		f->unit = parse_accept_word(p, "none") ? 0 : parse_string(p);
	} else if (parse_accept_word(p, "pretty")) {
		f->pretty = parse_string(p);
	} else if (parse_accept_word(p, "proto")) {
		f->proto = parse_string(p);
	} else if (parse_accept_word(p, "class")) {
		f->class = parse_ref(p, 'c');
	} else if (parse_accept_word(p, "alias")) {
		f->alias = parse_fn_ref(p);
	} else if (parse_accept(p, '!')) {
		f->src = parse_src(p, p->file_name);
	} else {
		parse_fail(p, t, "this is no attribute of a function");
	}
}

typedef struct Param {
	const Token *name;
	Kind kind;
} Param;
typedef Vec(Param) Params;

/* (%a: i32, %b), or only their number; returns it. */
static u32
parse_params(Parser *p, Params *params)
{
	u32 n = 0;

	parse_expect(p, '(');
	if (tok(p)->kind == TOK_INT)
		n = (u32)parse_uint(p, UINT16_MAX);
	while (!n && !parse_is(p, ')') && tok(p)->kind != TOK_END) {
		Param param = {tok(p), {RT_INT, 32}};
		if (tok(p)->kind != TOK_REG)
			parse_fail(p, tok(p), "expected a register");
		parse_next(p);
		if (parse_accept(p, ':') && !parse_kind(p, &param.kind))
			parse_fail(p, tok(p), "expected a type, as in i32");
		vec_push(&p->scratch, params, param);
		if (!parse_is(p, ')'))
			parse_expect(p, ',');
	}
	parse_expect(p, ')');
	return MAX(n, params->n);
}

static void
claim_params(Body *b, const Params *params)
{
	Parser *p = b->p;

	for (u32 k = 0; k < params->n && !p->failed; k++) {
		const Token *t = params->at[k].name;
		StrId name = parse_intern(p, t);

		if (t->has_num && t->num != k + 1) {
			parse_fail(p, t, "parameter %u is register %u", k, k + 1);
			return;
		}
		if (!t->has_num && map_get(&b->names, name)) {
			parse_fail(p, t, "two parameters have this name");
			return;
		}
		if (!t->has_num)
			map_put(&p->scratch, &b->names, name, k + 1);
		claim(b, t, k + 1, name);
	}
}

static void
parse_dead(Body *b)
{
	Parser *p = b->p;

	do {
		Val r = reg_of(b, parse_next(p));
		Kind kind = {0};
		if (parse_accept(p, ':') && !parse_kind(p, &kind))
			parse_fail(p, tok(p), "expected a type, as in i32");
		if (!p->failed)
			set_reg_kind(b, r, kind);
	} while (parse_accept(p, ','));
}

static void
parse_block_start(Body *b)
{
	Parser *p = b->p;
	const Token *t = tok(p);
	BlockId id = parse_label(b), handler = 0;

	parse_expect(p, ':');
	if (parse_accept_word(p, "exc"))
		handler = parse_label(b);
	if (b->open)
		parse_fail(p, t, "the block before has no end");
	else if (id != b->build.cur + 1)
		parse_fail(p, t, "a label is out of place before this");
	if (p->failed)
		return;
	build_block_exc(&b->build, id, handler);
	build_block_start(&b->build, id);
	b->open = true;
}

/* A cast whose operand's width was not said takes it from the operand. */
static void
complete_casts(Ir *ir, const Fn *f)
{
	for (InsId k = f->ins; k < f->ins + f->nins; k++) {
		Ins *i = &ir->ins.at[k];
		Val v;
		if (i->op != OP_CAST || i->imm != -1 || !i->narg)
			continue;
		v = ins_arg(ir, i, 0);
		i->imm = val_is_reg(v) ? fn_reg(ir, f, v)->width : v ? ir_const(ir, v)->width : 0;
	}
}

static void
parse_body(Body *b)
{
	Parser *p = b->p;
	u32 nblock = b->unlabelled + intern_count(&b->labels);

	for (u32 k = 0; k < nblock; k++)
		build_block_new(&b->build);
	if (b->unlabelled) {
		build_block_start(&b->build, 1);
		b->open = true;
	}
	while (!parse_is(p, '}') && tok(p)->kind != TOK_END) {
		if (is_label(p, p->at))
			parse_block_start(b);
		else if (parse_accept_word(p, "dead"))
			parse_dead(b);
		else
			parse_ins(b);
	}
	if (b->open || b->build.cur != nblock)
		parse_fail(p, tok(p), "the last block has no end");
	parse_expect(p, '}');
	if (p->failed)
		return;
	build_end(&b->build);
	complete_casts(p->ir, &p->ir->fns.at[b->fn]);
}

/* Registers for all numbers; nothing is built if a scan has failed. */
static void
make_registers(Body *b, const Params *params)
{
	Ir *ir = b->p->ir;
	Fn *f = &ir->fns.at[b->fn];

	build_begin(&b->build, ir, b->fn);
	for (u32 k = 0; k < params->n; k++)
		build_param(&b->build, k, params->at[k].kind.rt, params->at[k].kind.width,
			    b->reg_name[k + 1]);
	for (Val r = f->nparam + 1; r <= b->nreg; r++) {
		build_reg(&b->build, RT_VOID, 0);
		ir->regs.at[f->reg + r].name = b->reg_name[r];
	}
}

void
parse_fn(Parser *p, FnId id)
{
	Fn *f = &p->ir->fns.at[id];
	Body b = {.p = p, .fn = id};
	const Token *start = tok(p);
	Params params = {0};
	bool has_body;
	u32 end;

	f->unit = p->ir->unit;
	f->nparam = parse_params(p, &params);
	while (!tok(p)->first && tok(p)->kind != TOK_END && !parse_is(p, '{'))
		parse_fn_attribute(p, f);
	f->src = parse_src_or(p, f->src, start);
	b.file = f->src ? p->ir->srcs.at[f->src].file : p->file_name;
	has_body = parse_accept(p, '{');
	if (has_body && params.n < f->nparam)
		parse_fail(p, tok(p), "a function with a body names its parameters");
	if (p->failed || (!has_body && !params.n))
		return;
	end = has_body ? body_end(p) : p->at;
	b.max_reg = 1000 + params.n + (end - p->at);
	b.reg_name = arena_array(&p->scratch, StrId, b.max_reg + 2);
	b.used = arena_array(&p->scratch, bool, b.max_reg + 2);
	b.unlabelled = has_body && !is_label(p, p->at) && !parse_is_word(p, "dead");
	claim_params(&b, &params);
	scan_labels(&b, end);
	scan_registers(&b, end);
	if (p->failed)
		return;
	make_registers(&b, &params);
	if (has_body)
		parse_body(&b);
	else
		build_end(&b.build);
}
