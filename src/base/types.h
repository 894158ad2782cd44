/* types.h - the integer names and small macros that every file uses. */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

/* MIN and MAX evaluate their arguments twice. */
#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define MIN(a, b)    ((a) < (b) ? (a) : (b))
#define MAX(a, b)    ((a) > (b) ? (a) : (b))

/* A function that is rarely called, so that the callers need not save registers for it. */
#define RARE __attribute__((noinline))

/* The hard variant starts every growing structure at its smallest size, so
 * that each test runs through the growth paths. */
#ifdef CONCORD_HARD
#define FIRST_CAP(usual) 1
#else
#define FIRST_CAP(usual) (usual)
#endif

#endif
