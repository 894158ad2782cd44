/* wrong.c - the front end knows intrinsics, not functions. */
#include <llvm-c/Core.h>

static const char *const fine = "llvm.memcpy.", *const wrong = "memcpy";
