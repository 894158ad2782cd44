/* test_lock_cases.c - small programs whose locks keep accesses apart, or do not.
 *
 * Each is written in the IR's text form, with the racy program beside its
 * harmless twin; among them is every row of the table of counterexamples for
 * locks.  The two accesses that are asked about are #1 and #2; where there is
 * no #2, #1 is asked about against itself in another thread. */
#include "lock_case.h"

typedef struct Program {
	const char *name;
	bool guarded;
	const char *text;
} Program;

#define GLOBALS                                                                                    \
	"type t1 = int \"int\" size 4\n"                                                           \
	"type t2 = struct \"mutex\" size 8 {\n0: t1 \"state\"\n}\n"                                \
	"type t3 = struct \"struct box\" size 32 {\n0: t1 \"x\"\n8: t2 \"m\"\n16: t4 \"p\"\n}\n"   \
	"type t4 = ptr size 8\n"                                                                   \
	"global @m size 8 type t2\nglobal @n size 8 type t2\nglobal @g size 4 type t1\n"           \
	"global @box size 32 type t3\nglobal @box2 size 32 type t3\nglobal @shared size 8\n"
/* Two threads of w. */
#define TWO                                                                                        \
	"fn @main() -> int {\n fork null, @w, null\n fork null, @w, null\n ret 0\n}\n"
/* Two threads of w on each of two boxes. */
#define BOXES                                                                                      \
	"fn @main() -> int {\n fork null, @w, @box\n fork null, @w, @box\n"                        \
	" fork null, @w, @box2\n fork null, @w, @box2\n ret 0\n}\n"
#define BOTH                                                                                       \
	"fn @main() -> int {\n fork null, @w, null\n fork null, @v, null\n ret 0\n}\n"
#define THREAD "fn @w(%a: ptr) -> ptr {\nentry:\n"

/* ---- one function ------------------------------------------------------- */

static const Program basic[] = {
    {"lock held", true,
     GLOBALS TWO THREAD " acquire @m\n store @g, 1 #1\n release @m\n ret null\n}\n"},
    {"after unlock", false,
     GLOBALS TWO THREAD " acquire @m\n release @m\n store @g, 1 #1\n ret null\n}\n"},
    {"two locks", false,
     GLOBALS BOTH THREAD
     " acquire @m\n store @g, 1 #1\n release @m\n ret null\n}\n"
     "fn @v(%a: ptr) -> ptr {\n acquire @n\n store @g, 1 #2\n release @n\n ret null\n}\n"},
    {"both read", false,
     GLOBALS TWO THREAD " acquire.read @m\n store @g, 1 #1\n release @m\n ret null\n}\n"},
    {"reader and writer", true,
     GLOBALS BOTH THREAD
     " acquire @m\n store @g, 1 #1\n release @m\n ret null\n}\n"
     "fn @v(%a: ptr) -> ptr {\n acquire.read @m\n %x = load @g #2\n release @m\n ret null\n}\n"},
    {"locked twice, unlocked once", false,
     GLOBALS TWO THREAD " %r = acquire @m if zero\n %s = acquire @m if zero\n release @m\n store "
			"@g, 1 #1\n ret null\n}\n"},
    {"recursive, unlocked once", true,
     GLOBALS TWO THREAD " acquire.rec @m\n acquire.rec @m\n release.rec @m\n store @g, 1 #1\n "
			"release.rec @m\n ret null\n}\n"},
    {"after a wait", true,
     GLOBALS TWO THREAD " acquire @m\n release @m\n await.cond @n\n acquire @m\n store @g, 1 #1\n "
			"release @m\n ret null\n}\n"},
    {"on one path only", false,
     GLOBALS TWO THREAD " %c = nondet i32\n cbr %c, yes, no\nyes:\n acquire @m\n br no\n"
			"no:\n store @g, 1 #1\n ret null\n}\n"},
    {"a lock of one's own", false,
     GLOBALS TWO THREAD " %p = alloc.heap 40\n %l = field %p + 8\n acquire %l\n store @g, 1 #1\n "
			"release %l\n ret null\n}\n"},
    {"unknown lock released", false,
     GLOBALS TWO THREAD
     " acquire @m\n %q = extern ptr \"f\"()\n release %q\n store @g, 1 #1\n ret null\n}\n"},
    {"another lock released", true,
     GLOBALS TWO THREAD
     " acquire @m\n acquire @n\n release @n\n store @g, 1 #1\n release @m\n ret null\n}\n"},
    {"one of two released", false,
     GLOBALS TWO THREAD " acquire @m\n %c = nondet i32\n %l = select ptr %c, @m, @n\n release %l\n"
			" store @g, 1 #1\n ret null\n}\n"},
    {"one of two acquired", false,
     GLOBALS TWO THREAD " %c = nondet i32\n %l = select ptr %c, @m, @n\n acquire %l\n store @g, 1 "
			"#1\n release %l\n ret null\n}\n"},
    {"held around a loop", true,
     GLOBALS TWO THREAD " acquire @m\n br head\nhead:\n %c = nondet i32\n cbr %c, body, out\n"
			"body:\n store @g, 1 #1\n br head\nout:\n release @m\n ret null\n}\n"},
    {"released at the loop's end", false,
     GLOBALS TWO THREAD " acquire @m\n br head\nhead:\n %c = nondet i32\n cbr %c, body, out\n"
			"body:\n store @g, 1 #1\n release @m\n br head\nout:\n ret null\n}\n"},
};

/* ---- results and flags -------------------------------------------------- */

static const Program conditional[] = {
    {"trylock checked", true,
     GLOBALS TWO THREAD " %r = acquire.try @m if zero\n %f = eq i32 %r, 0\n cbr %f, yes, no\n"
			"yes:\n store @g, 1 #1\n release @m\n br no\nno:\n ret null\n}\n"},
    {"trylock failed", false,
     GLOBALS TWO THREAD " %r = acquire.try @m if zero\n %f = eq i32 %r, 0\n cbr %f, no, yes\n"
			"yes:\n store @g, 1 #1\n br no\nno:\n ret null\n}\n"},
    {"trylock unchecked", false,
     GLOBALS TWO THREAD
     " %r = acquire.try @m if zero\n store @g, 1 #1\n release @m\n ret null\n}\n"},
    {"trylock in a loop", true,
     GLOBALS TWO THREAD " br head\nhead:\n %r = acquire.try @m if zero\n cbr %r, head, in\n"
			"in:\n store @g, 1 #1\n release @m\n ret null\n}\n"},
    {"trylock as a flag", true,
     GLOBALS TWO THREAD
     " %r = acquire.try @m if zero\n %f = eq i32 %r, 0\n %b = zext i8 %f from 1\n"
     " %t = trunc i1 %b from 8\n %x = xor i1 %t, -1\n cbr %x, no, yes\n"
     "yes:\n store @g, 1 #1\n release @m\n br no\nno:\n ret null\n}\n"},
    {"a failed lock", false,
     GLOBALS TWO THREAD
     " %r = acquire @m if zero\n cbr %r, bad, good\nbad:\n store @g, 1 #1\n ret null\n"
     "good:\n release @m\n ret null\n}\n"},
    {"correlated branches", true,
     GLOBALS TWO THREAD
     " %c = nondet i32\n cbr %c, lock, on\nlock:\n acquire @m\n br on\n"
     "on:\n %d = ne i32 %c, 0\n cbr %d, in, out\nin:\n store @g, 1 #1\n release @m\n br out\n"
     "out:\n ret null\n}\n"},
    {"branches against each other", false,
     GLOBALS TWO THREAD " %c = nondet i32\n cbr %c, lock, on\nlock:\n acquire @m\n br on\n"
			"on:\n %d = eq i32 %c, 0\n cbr %d, in, out\nin:\n store @g, 1 #1\n br out\n"
			"out:\n ret null\n}\n"},
    {"a flag says locked", true,
     GLOBALS TWO THREAD " %c = nondet i32\n cbr %c, lock, on\nlock:\n acquire @m\n br on\n"
			"on:\n %f = phi i32 [entry: 0], [lock: 1]\n cbr %f, in, out\n"
			"in:\n store @g, 1 #1\n release @m\n br out\nout:\n ret null\n}\n"},
    {"both conditions in one", true,
     GLOBALS TWO THREAD
     " %c = nondet i32\n cbr %c, try, on\ntry:\n %r = acquire.try @m if zero\n"
     " %z = eq i32 %r, 0\n br on\non:\n %f = phi i1 [entry: 0], [try: %z]\n cbr %f, in, out\n"
     "in:\n store @g, 1 #1\n release @m\n br out\nout:\n ret null\n}\n"},
    {"a wrapper that tries", true,
     GLOBALS TWO THREAD
     " %r = call i32 @try(@m)\n cbr %r, in, out\nin:\n store @g, 1 #1\n release @m\n br out\n"
     "out:\n ret null\n}\n"
     "fn @try(%l: ptr) -> int {\n %r = acquire.try %l if zero\n %z = eq i32 %r, 0\n"
     " %b = zext i32 %z from 1\n ret %b\n}\n"},
    {"a wrapper that tries, ignored", false,
     GLOBALS TWO THREAD
     " %r = call i32 @try(@m)\n store @g, 1 #1\n ret null\n}\n"
     "fn @try(%l: ptr) -> int {\n %r = acquire.try %l if zero\n %z = eq i32 %r, 0\n"
     " %b = zext i32 %z from 1\n ret %b\n}\n"},
    {"null if not locked", true,
     GLOBALS BOXES THREAD
     " %b = call ptr @get(%a)\n %n = eq ptr %b, null\n cbr %n, out, in\n"
     "in:\n store %a, 1 #1\n %l = field %a + 8\n release %l\n br out\nout:\n ret null\n}\n"
     "fn @get(%b: ptr) -> ptr {\n %l = field %b + 8\n %r = acquire.try %l if zero\n"
     " cbr %r, no, yes\nyes:\n ret %b\nno:\n ret null\n}\n"},
    {"released on failure, checked", true,
     GLOBALS TWO THREAD
     " acquire @m\n %r = call i32 @work(@m)\n %bad = slt i32 %r, 0\n cbr %bad, out, in\n"
     "in:\n store @g, 1 #1\n release @m\n br out\nout:\n ret null\n}\n"
     "fn @work(%l: ptr) -> int {\n %c = nondet i32\n cbr %c, no, yes\n"
     "no:\n release %l\n ret -1\nyes:\n ret 1\n}\n"},
    {"released on failure, ignored", false,
     GLOBALS TWO THREAD " acquire @m\n %r = call i32 @work(@m)\n store @g, 1 #1\n ret null\n}\n"
			"fn @work(%l: ptr) -> int {\n %c = nondet i32\n cbr %c, no, yes\n"
			"no:\n release %l\n ret -1\nyes:\n ret 1\n}\n"},
    {"by a switch", true,
     GLOBALS TWO THREAD " %r = acquire.try @m if zero\n switch %r, no [0: yes]\n"
			"yes:\n store @g, 1 #1\n release @m\n ret null\nno:\n ret null\n}\n"},
};

/* ---- functions ---------------------------------------------------------- */

static const Program calls[] = {
    {"wrappers", true,
     GLOBALS TWO THREAD
     " call @lock(@m)\n call @lock(@n)\n call @unlock(@n)\n store @g, 1 #1\n call @unlock(@m)\n "
     "ret null\n}\n"
     "fn @lock(%l: ptr) {\n acquire %l\n ret\n}\nfn @unlock(%l: ptr) {\n release %l\n ret\n}\n"},
    {"wrappers, unlocked", false,
     GLOBALS TWO THREAD
     " call @lock(@m)\n call @lock(@n)\n call @unlock(@m)\n call @unlock(@n)\n store @g, 1 #1\n "
     "ret null\n}\n"
     "fn @lock(%l: ptr) {\n acquire %l\n ret\n}\nfn @unlock(%l: ptr) {\n release %l\n ret\n}\n"},
    {"access in a callee", true,
     GLOBALS TWO THREAD " acquire @m\n call @inc()\n release @m\n ret null\n}\nfn @inc() {\n store "
			"@g, 1 #1\n ret\n}\n"},
    {"callee called with and without", false,
     GLOBALS TWO THREAD " acquire @m\n call @inc()\n release @m\n call @inc()\n ret null\n}\n"
			"fn @inc() {\n store @g, 1 #1\n ret\n}\n"},
    {"synchronized method calls another", true,
     GLOBALS BOXES THREAD
     " acquire.rec %a\n call @other(%a)\n %f = field %a + 4\n store %f, 1 #1\n release.rec %a\n "
     "ret null\n}\n"
     "fn @other(%this: ptr) {\n acquire.rec %this\n release.rec %this\n ret\n}\n"},
    {"plain lock, locked again by a callee", false,
     GLOBALS BOXES THREAD " acquire %a\n call @other(%a)\n %f = field %a + 4\n store %f, 1 #1\n "
			  "release %a\n ret null\n}\n"
			  "fn @other(%this: ptr) {\n acquire %this\n release %this\n ret\n}\n"},
    {"f locks, g accesses, h unlocks", true,
     GLOBALS
     "global @hook size 8 = {0: @h}\n"
     "fn @main() -> int {\n fork null, @w, @box\n fork null, @w, @box\n fork null, @w, @box2\n ret "
     "0\n}\n" THREAD " %k = nondet i32\n call @f(%a, %k)\n call @use(%a, %k)\n %h = load ptr "
     "@hook\n call %h(%a)\n ret null\n}\n"
     "fn @f(%b: ptr, %k) {\n cbr %k, more, last\nmore:\n %j = add %k, -1\n call @f(%b, %j)\n ret\n"
     "last:\n %l = field %b + 8\n acquire %l\n ret\n}\n"
     "fn @use(%b: ptr, %k) {\n cbr %k, more, last\nmore:\n %j = add %k, -1\n call @use(%b, %j)\n "
     "ret\n"
     "last:\n store %b, 1 #1\n ret\n}\n"
     "fn @h(%b: ptr) {\n %l = field %b + 8\n release %l\n ret\n}\n"},
    {"f locks, h unlocks, g accesses", false,
     GLOBALS
     "global @hook size 8 = {0: @h}\n"
     "fn @main() -> int {\n fork null, @w, @box\n fork null, @w, @box\n ret 0\n}\n" THREAD
     " %k = nondet i32\n call @f(%a, %k)\n %h = load ptr @hook\n call %h(%a)\n call @use(%a, %k)\n "
     "ret null\n}\n"
     "fn @f(%b: ptr, %k) {\n cbr %k, more, last\nmore:\n %j = add %k, -1\n call @f(%b, %j)\n ret\n"
     "last:\n %l = field %b + 8\n acquire %l\n ret\n}\n"
     "fn @use(%b: ptr, %k) {\n cbr %k, more, last\nmore:\n %j = add %k, -1\n call @use(%b, %j)\n "
     "ret\n"
     "last:\n store %b, 1 #1\n ret\n}\n"
     "fn @h(%b: ptr) {\n %l = field %b + 8\n release %l\n ret\n}\n"},
    {"one callee of two unlocks", false,
     GLOBALS TWO THREAD " %c = nondet i32\n %f = select ptr %c, @un, @no\n acquire @m\n call "
			"%f(@m)\n store @g, 1 #1\n ret null\n}\n"
			"fn @un(%l: ptr) {\n release %l\n ret\n}\nfn @no(%l: ptr) {\n ret\n}\n"},
    {"the failing path does not return", true,
     GLOBALS TWO THREAD
     " %r = acquire.try @m if zero\n cbr %r, bad, good\nbad:\n call @die()\n br good\n"
     "good:\n store @g, 1 #1\n release @m\n ret null\n}\nfn @die() {\n exit\n}\n"},
    {"called back any number of times", false,
     GLOBALS TWO THREAD " acquire @m\n call.repeat @un(@m)\n store @g, 1 #1\n ret null\n}\n"
			"fn @un(%l: ptr) {\n release %l\n ret\n}\n"},
    {"thrown past the lock", false,
     GLOBALS TWO "fn @w(%a: ptr) -> ptr {\ne: exc h\n acquire @m\n call.throws @un(@m)\n release "
		 "@m\n ret null\n"
		 "h:\n store @g, 1 #1\n ret null\n}\n"
		 "fn @un(%l: ptr) {\n %c = nondet i32\n cbr %c, no, yes\nyes:\n ret\nno:\n release "
		 "%l\n throw null\n}\n"},
    {"thrown with the lock held", true,
     GLOBALS TWO THREAD
     " acquire @m\n br e\ne: exc h\n call.throws @no(@m)\n release @m\n ret null\n"
     "h:\n store @g, 1 #1\n release @m\n ret null\n}\n"
     "fn @no(%l: ptr) {\n %c = nondet i32\n cbr %c, no, yes\nyes:\n ret\nno:\n throw null\n}\n"},
};

/* ---- per-object locks --------------------------------------------------- */

static const Program objects[] = {
    {"box under its own lock", true,
     GLOBALS BOXES THREAD
     " %l = field %a + 8\n acquire %l\n store %a, 1 #1\n release %l\n ret null\n}\n"},
    {"box under another's lock", false,
     GLOBALS BOXES THREAD " %l = field @box + 8\n %k = field %a + 8\n acquire %k\n store @box, 1 "
			  "#1\n release %k\n ret null\n}\n"},
    {"accessed in a callee", true,
     GLOBALS BOXES THREAD
     " %l = field %a + 8\n acquire %l\n call @set(%a)\n release %l\n ret null\n}\n"
     "fn @set(%b: ptr) {\n %f = field %b + 4\n store %f, 1 #1\n ret\n}\n"},
    {"accessed in a callee by a part", true,
     GLOBALS BOXES THREAD " %l = field %a + 8\n %f = field %a + 4\n acquire %l\n call @set(%f)\n "
			  "release %l\n ret null\n}\n"
			  "fn @set(%i: ptr) {\n store %i, 1 #1\n ret\n}\n"},
    {"the lock that a function returns", true,
     GLOBALS BOXES THREAD
     " %l = call ptr @of(%a)\n acquire %l\n store %a, 1 #1\n release %l\n ret null\n}\n"
     "fn @of(%b: ptr) -> ptr {\n %l = field %b + 8\n ret %l\n}\n"},
    {"the lock that a function returns, of another", false,
     GLOBALS
     "fn @main() -> int {\n fork null, @w, @box\n fork null, @w, @box\n ret 0\n}\n" THREAD
     " %c = nondet i32\n %o = select ptr %c, @box, @box2\n %l = call ptr @of(%o)\n acquire %l\n "
     "store %a, 1 #1\n"
     " release %l\n ret null\n}\nfn @of(%b: ptr) -> ptr {\n %l = field %b + 8\n ret %l\n}\n"},
    {"what a box points to, under the box's lock", false,
     GLOBALS "global @inner size 4\n"
	     "fn @main() -> int {\n %p = field @box + 16\n store ptr %p, @inner\n %q = field @box2 "
	     "+ 16\n store ptr %q, @inner\n"
	     " fork null, @w, @box\n fork null, @w, @box2\n ret 0\n}\n" THREAD
	     " %l = field %a + 8\n acquire %l\n %p = field %a + 16\n %i = load ptr %p\n store %i, "
	     "1 #1\n release %l\n ret null\n}\n"},
    {"a lock that the box points to", true,
     GLOBALS "fn @main() -> int {\n %p = field @box + 16\n store ptr %p, @m\n %q = field @box2 + "
	     "16\n store ptr %q, @n\n"
	     " fork null, @w, @box\n fork null, @w, @box\n fork null, @w, @box2\n ret 0\n}\n" THREAD
	     " %p = field %a + 16\n %l = load ptr %p\n acquire %l\n store %a, 1 #1\n %u = load ptr "
	     "%p\n release %u\n ret null\n}\n"},
    {"a lock pointer that a third thread switches", false,
     GLOBALS
     "fn @main() -> int {\n %p = field @box + 16\n store ptr %p, @m\n"
     " fork null, @w, @box\n fork null, @w, @box\n fork null, @switch, @box\n ret 0\n}\n"
     "fn @switch(%a: ptr) -> ptr {\n %p = field %a + 16\n store ptr %p, @n\n ret null\n}\n" THREAD
     " %p = field %a + 16\n %l = load ptr %p\n acquire %l\n store %a, 1 #1\n release %l\n ret "
     "null\n}\n"},
    {"a lock pointer changed before publication", false,
     GLOBALS BOTH THREAD
     " %o = alloc.heap 32\n %p = field %o + 16\n store ptr %p, @m\n %l = load ptr %p\n acquire %l\n"
     " store ptr %p, @n\n store.rel ptr @shared, %o\n store %o, 1 #1\n ret null\n}\n"
     "fn @v(%a: ptr) -> ptr {\n %o = load.acq ptr @shared\n %p = field %o + 16\n %l = load ptr %p\n"
     " acquire %l\n store %o, 2 #2\n release %l\n ret null\n}\n"},
    {"parts of p and q, apart", true,
     GLOBALS "fn @main() -> int {\n fork null, @w, null\n fork null, @w, null\n ret 0\n}\n" THREAD
	     " call @f(@box, @box2)\n ret null\n}\n"
	     "fn @f(%p: ptr, %q: ptr) {\n %l = field %p + 8\n %k = field %q + 8\n acquire %l\n "
	     "release %k\n store %p, 1 #1\n"
	     " release %l\n ret\n}\n"},
    {"parts of p and q, one box", false,
     GLOBALS "fn @main() -> int {\n fork null, @w, null\n fork null, @w, null\n ret 0\n}\n" THREAD
	     " call @f(@box, @box)\n ret null\n}\n"
	     "fn @f(%p: ptr, %q: ptr) {\n %l = field %p + 8\n %k = field %q + 8\n acquire %l\n "
	     "release %k\n store %p, 1 #1\n"
	     " release %l\n ret\n}\n"},
    {"elements under their own locks", true,
     GLOBALS "global @tab size 320\n" TWO THREAD
	     " %i = nondet i64\n %e = index @tab + %i * 32\n %l = field %e + 8\n acquire %l\n "
	     "store %e, 1 #1\n release %l\n ret null\n}\n"},
    {"elements under each other's locks", false,
     GLOBALS "global @tab size 320\n" TWO THREAD
	     " %i = nondet i64\n %e = index @tab + %i * 32\n %j = nondet i64\n %k = index @tab + "
	     "%j * 32\n %l = field %k + 8\n"
	     " acquire %l\n store %e, 1 #1\n release %l\n ret null\n}\n"},
    {"parallel arrays", true,
     GLOBALS "global @d size 40\nglobal @l size 80\n" TWO THREAD
	     " br head\nhead:\n %i = phi i32 [entry: 0], [body: %j]\n %c = slt i32 %i, 10\n cbr "
	     "%c, body, out\n"
	     "body:\n %x = sext i64 %i from 32\n %k = index @l + %x * 8\n acquire %k\n %y = sext "
	     "i64 %i from 32\n"
	     " %p = index @d + %y * 4\n store %p, 1 #1\n release %k\n %j = add %i, 1\n br "
	     "head\nout:\n ret null\n}\n"},
    {"parallel arrays, the next lock", false,
     GLOBALS "global @d size 40\nglobal @l size 80\n" BOTH THREAD
	     " %i = nondet i64\n %k = index @l + %i * 8\n acquire %k\n %p = index @d + %i * 4\n "
	     "store %p, 1 #1\n release %k\n ret null\n}\n"
	     "fn @v(%a: ptr) -> ptr {\n"
	     " %i = nondet i64\n %n = add i64 %i, 1\n %k = index @l + %n * 8\n acquire %k\n %p = "
	     "index @d + %i * 4\n store %p, 1 #2\n release %k\n ret null\n}\n"},
    {"parallel arrays, locks of each thread's own", false,
     GLOBALS "global @d size 40\n" TWO THREAD
	     " %l = alloc.heap 80\n %i = nondet i64\n %k = index %l + %i * 8\n acquire %k\n %p = "
	     "index @d + %i * 4\n store %p, 1 #1\n"
	     " release %k\n ret null\n}\n"},
    {"locked in the last round", false,
     GLOBALS
     "global @tab size 320\n" TWO THREAD " br head\nhead:\n %i = phi i64 [entry: 0], [body: %j]\n "
     "%e = index @tab + %i * 32\n store %e, 1 #1\n"
     " %c = slt i64 %i, 10\n cbr %c, body, out\n"
     "body:\n %l = field %e + 8\n acquire %l\n %j = add i64 %i, 1\n br head\nout:\n ret null\n}\n"},
    {"array in a box under the box's lock", true,
     GLOBALS "global @big size 100\nglobal @big2 size 100\n"
	     "fn @main() -> int {\n fork null, @w, @big\n fork null, @w, @big\n fork null, @w, "
	     "@big2\n fork null, @w, @big2\n ret 0\n}\n" THREAD
	     " %l = field %a + 8\n acquire %l\n %b = field %a + 20\n %i = nondet i64\n %p = index "
	     "%b + %i * 4\n store %p, 1 #1\n"
	     " release %l\n ret null\n}\n"},
    {"array in an element under the element's lock", false,
     GLOBALS "global @tab size 1000\n" TWO THREAD
	     " %j = nondet i64\n %e = index @tab + %j * 100\n %l = field %e + 8\n acquire %l\n %b "
	     "= field %e + 20\n %i = nondet i64\n"
	     " %p = index %b + %i * 4\n store %p, 1 #1\n release %l\n ret null\n}\n"},
    {"index handed to a wrapper", true,
     GLOBALS "global @tab size 320\n" TWO THREAD
	     " %i = nondet i64\n call @lock(@tab, %i)\n %e = index @tab + %i * 32\n store %e, 1 "
	     "#1\n %k = field %e + 8\n release %k\n ret null\n}\n"
	     "fn @lock(%t: ptr, %i: i64) {\n %e = index %t + %i * 32\n %l = field %e + 8\n acquire "
	     "%l\n ret\n}\n"},
};

static u32
last_site(const Ir *ir)
{
	u32 last = 1;

	for (InsId i = 1; i < ir->ins.n; i++)
		last = MAX(last, ir->ins.at[i].site);
	return last;
}

static void
run(const Program *p, u32 n, PtaPolicy policy)
{
	u32 wrong = 0;

	for (u32 i = 0; i < n; i++) {
		Case c;
		solve_with(&c, p[i].text, (PtaOptions){.policy = policy});
		if (guarded(&c, 1, last_site(&c.ir)) != p[i].guarded) {
			print_error("%s: should%s be guarded; held: %s\n", p[i].name,
				    p[i].guarded ? "" : " not", held_at(&c, 1));
			wrong++;
		}
		done(&c);
	}
	assert_int_equal(wrong, 0);
}

static void
test_basic(void **state)
{
	(void)state;
	run(basic, COUNT(basic), PTA_AUTO);
}

static void
test_conditional(void **state)
{
	(void)state;
	run(conditional, COUNT(conditional), PTA_AUTO);
}

static void
test_calls(void **state)
{
	(void)state;
	run(calls, COUNT(calls), PTA_AUTO);
}

static void
test_objects(void **state)
{
	(void)state;
	run(objects, COUNT(objects), PTA_AUTO);
}

/* Names do the work that contexts did above. */
static void
test_without_contexts(void **state)
{
	(void)state;
	run(basic, COUNT(basic), PTA_INSENSITIVE);
	run(conditional, COUNT(conditional), PTA_INSENSITIVE);
	run(calls, COUNT(calls), PTA_INSENSITIVE);
	run(objects, COUNT(objects), PTA_INSENSITIVE);
}

/* inc() runs bare in main before any fork, and in threads under a lock: the
 * states in which it is entered must stay apart. */
static void
test_entries(void **state)
{
	Case c;
	u32 met = 0, bare = 0;

	(void)state;
	solve(&c, GLOBALS "fn @main() -> int {\n call @inc()\n fork null, @w, null\n fork null, "
			  "@w, null\n ret 0\n}\n" THREAD
			  " acquire @m\n call @inc()\n release @m\n ret null\n}\n"
			  "fn @inc() {\n store @g, 1 #1\n ret\n}\n");
	for (u32 i = 0; i < c.conc->accesses.n; i++) {
		const Access *x = &c.conc->accesses.at[i];
		if (site_of(&c, x) != 1)
			continue;
		if (x->thread == 1)
			bare += x->guards == 0;
		else
			assert_true(pair_guarded(&c, x, x, &met));
	}
	assert_int_equal(bare, 1);
	assert_true(met > 0);
	done(&c);
}

/* What a report needs: how many locks, where acquired, what keeps a pair apart. */
static void
test_report(void **state)
{
	Case c;
	const Access *at = NULL;
	const HeldLock *locks;
	u32 why;

	(void)state;
	solve(&c, GLOBALS TWO THREAD " acquire @m\n acquire.read @n\n store @g, 1 #1\n release @n\n"
				     " release @m\n ret null\n}\n");
	for (u32 i = 0; i < c.conc->accesses.n; i++)
		if (site_of(&c, &c.conc->accesses.at[i]) == 1)
			at = &c.conc->accesses.at[i];
	assert_non_null(at);
	assert_int_equal(locks_count(c.conc->locks, at->held), 2);
	assert_int_equal(locks_list(c.conc->locks, at->inst, at->held, &locks), 2);
	assert_int_not_equal(locks[0].slot, 0);
	assert_true(locks_exclude(c.conc->locks, at->guards, at->guards, false, &why));
	assert_string_equal(locks_fact_name(c.conc->locks, why, &c.arena), "m");
	assert_false(locks_conditional(c.conc->locks, at->inst, at->ins));
	done(&c);
	solve(&c, basic[8].text);
	for (u32 i = 0; i < c.conc->accesses.n; i++)
		if (site_of(&c, &c.conc->accesses.at[i]) == 1)
			assert_true(locks_conditional(c.conc->locks, c.conc->accesses.at[i].inst,
						      c.conc->accesses.at[i].ins));
	done(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_basic),
	    cmocka_unit_test(test_conditional),
	    cmocka_unit_test(test_calls),
	    cmocka_unit_test(test_objects),
	    cmocka_unit_test(test_without_contexts),
	    cmocka_unit_test(test_entries),
	    cmocka_unit_test(test_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
