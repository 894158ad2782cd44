/* gen_int.h - what gen.c and gen_idiom.c share. */
#ifndef RANDOM_GEN_INT_H
#define RANDOM_GEN_INT_H

#include "gen.h"

/* A list of statements being built. */
typedef struct List {
	u32 first, last;
} List;

typedef struct Gen {
	Prog *prog;
	Arena *arena;
	u64 x;
	List list;
	i32 budget;   /* visible steps left in this function */
	u32 fn;       /* being made */
	u32 depth;    /* of nesting */
	u32 forks;    /* left in the program */
	bool fp;      /* main has set the function pointer */
	bool barrier; /* main has set up the barrier */
} Gen;

/* ---- gen.c */
u32 gen_below(Gen *g, u32 n);
bool gen_chance(Gen *g, u32 percent);
u8 gen_either(Gen *g, u8 a, u8 b);
/* Appends s to the list being built; returns its index. */
u32 gen_emit(Gen *g, Stmt s);
/* What is emitted until gen_close, which returns its first statement, goes
 * into a list of its own. */
List gen_open(Gen *g);
u32 gen_close(Gen *g, List outer);
u8 gen_any_ptr(Gen *g); /* a Base */
u8 gen_any_num(Gen *g); /* a Var */
/* The first function of a kind. */
u32 gen_fn_of(Gen *g, FnKind kind);

/* ---- gen_idiom.c */
void gen_idioms(Gen *g, u32 max);
void gen_access(Gen *g);
void gen_new_object(Gen *g, u8 var);
void gen_fork(Gen *g, u8 fn, u8 handle);
void gen_join(Gen *g, u8 handle);
void gen_store(Gen *g, Place p, u8 flags);

/* ---- gen_wait.c */
void gen_setup(Gen *g);
void gen_barrier(Gen *g);
void gen_sem_section(Gen *g);
void gen_await_flag(Gen *g);
void gen_flag_section(Gen *g);
void gen_busy_section(Gen *g);
void gen_cond_section(Gen *g);
void gen_ticket(Gen *g);
void gen_stride(Gen *g);

/* ---- gen_java.c */
void gen_java(Gen *g);
void gen_maker(Gen *g);

#endif
