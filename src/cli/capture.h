/* capture.h - a build, seen through its compilers, linkers and archivers.
 *
 * `concord build` puts a directory of links to this program first on PATH, one
 * for each compiler, linker and archiver that is there.  Under such a name the
 * program runs the real tool with the same arguments, and then records what it
 * did; a compilation of C is repeated by our clang into bitcode.  A library that
 * is loaded into the processes of the build (preload/exec.c) leads those tools
 * here that are called by a path.  The build notices nothing.  The capture
 * directory:
 *
 *	bin/NAME         the links; concord-tool is for those by a path
 *	units/KEY.json   a compilation: object and its hash, source, bitcode
 *	units/KEY.bc     the bitcode
 *	links/KEY.json   a link: its output and which objects went into it
 *	NAME.link        written at the end: a program or library as its units
 *
 * An object is known by its path and the hash of its contents, because build
 * systems move objects, copy them and put them into archives.  Files are
 * written whole and renamed, so any number of tools may run at once, and an
 * interrupted build leaves what was recorded so far. */
#ifndef CLI_CAPTURE_H
#define CLI_CAPTURE_H

#include "base/diag.h"
#include "base/json.h"
#include "base/opt.h"
#include "preload/tool_name.h"

/* ---- tools and their command lines (capture_args.c) ----------------------- */

typedef enum LinkKind {
	LINK_EXECUTABLE,
	LINK_SHARED,
	LINK_ARCHIVE,
	LINK_MODULE,
	LINK_OBJECT
} LinkKind;
const char *link_kind_name(LinkKind k);

typedef enum ToolMode { MODE_OTHER, MODE_COMPILE, MODE_LINK } ToolMode;

/* A file on the command line. */
typedef struct ToolInput {
	const char *path; /* as written; behind -l: the library's name */
	u32 at;           /* where in argv */
	bool c;           /* compiled, as C */
	bool compiled;    /* compiled at all */
	bool library;     /* -l */
	bool archives;    /* -l: only archives are looked for */
	bool whole;       /* an archive of which everything is linked */
} ToolInput;

typedef struct ToolCommand {
	OptList argv; /* with response files expanded */
	ToolMode mode;
	LinkKind kind;      /* what a link makes */
	const char *output; /* null: not given */
	Vec(ToolInput) inputs;
	OptList dirs; /* -L */
} ToolCommand;

/* Reads the command line of a compiler or linker. */
void tool_parse(Arena *a, ToolKind kind, int argc, char *const *argv, ToolCommand *out);
/* Appends the words of argv with response files in place of their names. */
void tool_expand(Arena *a, int argc, char *const *argv, OptList *out);

/* ---- objects and archives (capture_elf.c) --------------------------------- */

typedef enum BinaryKind { BINARY_OTHER, BINARY_OBJECT, BINARY_SHARED, BINARY_ARCHIVE } BinaryKind;
BinaryKind binary_kind(const void *p, size_t n);

typedef void SymbolFn(void *ctx, const char *name, bool defined, bool local);
/* Calls fn for each named symbol of functions and data in an ELF file; false if it has no
 * table of them.  A damaged file gives what could be read. */
bool elf_symbols(const void *p, size_t n, SymbolFn *fn, void *ctx);

typedef void MemberFn(void *ctx, const char *name, const void *p, size_t n);
/* Calls fn for each member of an archive, those of a thin one read from beside
 * path. */
void ar_members(Arena *a, const char *path, const void *p, size_t n, MemberFn *fn, void *ctx);

/* ---- records (capture_record.c) -------------------------------------------- */

typedef struct Unit {
	const char *object; /* absolute */
	u64 hash;           /* of its contents */
	const char *source, *directory;
	const char *bitcode; /* its file, null where clang refused the source */
	u64 content;         /* hash of that */
	const char *failed;  /* why it did */
	OptList argv;        /* the command; only written, for whoever wants to repeat it */
} Unit;

/* What went into a link: an object, a member of an archive, a shared library. */
typedef struct Part {
	const char *path;   /* absolute */
	const char *member; /* null: the whole file */
	u64 hash;
} Part;

typedef struct Link {
	const char *output; /* absolute */
	u64 hash;
	LinkKind kind;
	Vec(Part) parts;
} Link;

typedef Vec(Unit) Units;
typedef Vec(Link) Links;

/* The file of a unit's record without its extension. */
char *unit_stem(Arena *a, const char *dir, const Unit *u);
/* A hash in a record, as text; 0 where there is none. */
void record_put_hash(Json *j, const char *key, u64 hash);
u64 record_hash(const JsonVal *v, const char *key);
bool unit_write(Arena *a, const char *dir, const Unit *u, const char **error);
bool link_write(Arena *a, const char *dir, const Link *k, const char **error);
/* All records of a capture directory, by name; what cannot be read is said. */
void capture_read(Arena *a, const char *dir, Units *units, Links *links, Diag *diag);

/* ---- programs (capture_graph.c) -------------------------------------------- */

/* A link with everything that it consists of, through archives, partial links
 * and the shared libraries of the same build. */
typedef struct Program {
	const char *name; /* NAME.link */
	const char *output;
	LinkKind kind;
	bool gone; /* the output is no longer there */
	Vec(const Unit *) units;
	Vec(const char *)
	    library; /* of each unit: the shared library that it is in, null for none */
	Vec(const char *) outputs; /* its own and those of its shared libraries */
	Vec(const char *) assumptions;
} Program;

typedef Vec(Program) Programs;

/* All programs and libraries, sorted by their output.  If there is no link,
 * one program without output stands for all units. */
void capture_programs(Arena *a, const Units *units, const Links *links, const char *cwd,
		      Programs *out);
/* Writes NAME.link of each program and removes older ones. */
bool programs_write(Arena *a, const char *dir, const Programs *p, const char **error);

/* ---- why nothing was seen (capture_hint.c) --------------------------------- */

typedef struct CaptureHint {
	const char *dir;      /* a build directory */
	const char *compiler; /* that it was configured with, by its path */
} CaptureHint;

/* Looks for a build directory of the command argv that calls its compiler by a
 * path outside of the capture directory own. */
bool capture_hint(Arena *a, const char *own, const char *cwd, char *const *argv, CaptureHint *out);

/* ---- the tools themselves (capture_wrap.c) --------------------------------- */

#define CAPTURE_CLANG "CONCORD_CLANG" /* environment: the clang for bitcode */
#define CAPTURE_TRIED "CONCORD_TRIED" /* environment: the tools that are being run already */
#define CAPTURE_LOST  "lost" /* a file in CAPTURE_DIR: a record could not be kept */

/* The file that a search of PATH for name finds, other than this program
 * itself; null if there is none. */
char *tool_find(Arena *a, const char *name);
/* Is this the compilation or link of a build system that tries something out? */
bool is_probe(const char *path);
/* Acts as the tool that argv[0] names; returns its exit status. */
int tool_main(int argc, char **argv);

#endif
