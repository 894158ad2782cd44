/* diag.h - what we tell the user about their input.
 *
 * Messages are collected in order, printed at once to stderr when `to` is
 * set, and counted, so that the exit code and the reports can say what was
 * wrong.  Safe to call from several threads. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "vec.h"

#include <pthread.h>
#include <stdio.h>

typedef enum DiagLevel { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } DiagLevel;

typedef struct DiagMsg {
	DiagLevel level;
	const char *file; /* "" where there is none */
	u32 line, col;    /* 0 where unknown */
	const char *text;
} DiagMsg;

typedef struct Diag {
	Arena *arena;
	FILE *to;        /* null: only collect */
	DiagLevel least; /* what is less is only collected */
	Vec(DiagMsg) msgs;
	u32 errors, warnings;
	bool color;
	pthread_mutex_t mutex;
} Diag;

void diag_init(Diag *d, Arena *a, FILE *to);
void diag_release(Diag *d);
/* Says fmt of file:line:col (file may be null, line and col 0).  Prints
 * "file:line:col: error: text". */
void diag_at(Diag *d, DiagLevel level, const char *file, u32 line, u32 col, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
#define diag_error(d, file, ...)   diag_at((d), DIAG_ERROR, (file), 0, 0, __VA_ARGS__)
#define diag_warning(d, file, ...) diag_at((d), DIAG_WARNING, (file), 0, 0, __VA_ARGS__)

#endif
