/* given.h - a program that is given as text, against the interleaver. */
#ifndef RANDOM_GIVEN_H
#define RANDOM_GIVEN_H

#include <stdbool.h>

/* Prints each pair that races in some run of the program's main and that the analysis excludes, or,
 * if weak, calls no more than possible; then one line on the program.  Returns whether none is excluded. */
bool given_test(const char *path, bool weak);

#endif
