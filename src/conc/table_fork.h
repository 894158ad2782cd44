/* table_fork.h - a loop that starts the functions of a table, each of them once. */
#ifndef CONC_TABLE_FORK_H
#define CONC_TABLE_FORK_H

#include "pta/pta.h"

/* Does e, which a fork in a loop may take, run at most once in an activation of its function?
 * a is for scratch. */
bool table_forks_once(const Pta *p, Arena *a, const Edge *e);

#endif
