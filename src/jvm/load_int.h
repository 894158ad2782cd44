/* load_int.h - shared by the files of the loader. */
#ifndef JVM_LOAD_INT_H
#define JVM_LOAD_INT_H

#include "base/diag.h"
#include "base/pool.h"
#include "jvm/jvm.h"
#include "jvm/load.h"

typedef u32 KlassId; /* a class of the loader, from 1 */

typedef struct Klass {
	StrId name; /* a.b.C$D, in World.strs */
	PathRole role;
	bool loading;           /* its superclasses are being loaded */
	bool scanned;           /* its strings were looked at */
	bool made, initialised; /* an instance exists; its initialiser has been reached */
	const ClassFile *file;  /* null: missing, skipped, or made by a lambda */
	KlassId super;
	KlassId *ifaces;
	u32 niface;
	VecU32 all;   /* it and all classes and interfaces above it */
	VecU32 below; /* classes of which instances are made, it and below */
	VecU32 calls; /* names of methods that are called on it virtually */
	u8 *reached;  /* [method] */
} Klass;

/* What a lane is to do: declare a class, or lower a method of it. */
typedef struct Job {
	KlassId klass;
	u32 method;    /* DECLARE: all of the class but bodies */
	u32 ref, nref; /* out: in the lane's refs */
	const char *why;
} Job;
enum { DECLARE = 0xFFFFFFFFu };

/* Classes are dealt out to a fixed number of lanes, each with a unit of its
 * own, so that the result does not depend on the number of workers. */
enum { LANES = 8 };
typedef struct Lane {
	Arena *arena;
	Ir *ir;
	JvmUnit *unit;
	Vec(Job *) jobs;
	Vec(JvmRef) refs;
	Map str; /* StrId of ir -> StrId of the world */
	struct World *world;
} Lane;

/* A method that the program starts with, or that unknown code calls. */
typedef struct Entry {
	KlassId klass;
	u32 method;
} Entry;
typedef Vec(Entry) Entries;

typedef struct World {
	Arena *arena;
	ClassPath *path;
	const Models *models;
	Diag *diag;
	Pool *pool;
	LoadStats *stats;
	Intern strs;
	Vec(Klass) klasses;
	Map by_name;    /* StrId -> KlassId */
	Map method_of;  /* map_pair(klass, StrId of name and descriptor) -> method + 1 */
	Map call_index; /* map_pair(klass, StrId): in calls */
	Lane lanes[LANES];
	Vec(Job) pending;
	Entries entries;
	Entries reflected;           /* constructors and methods that reflection may call */
	Map is_reflected;            /* map_pair(klass, method) */
	Ir *extra;                   /* the unit with main, and the assumptions */
	const char *missing;         /* the first class that is nowhere */
	u32 depth;                   /* of superclasses being loaded */
	struct Open *open;           /* load_open.h; null: the program has entries */
	const char *const *patterns; /* classes of the interface of an open program */
	u32 npattern;
} World;

/* load_class.c */
/* The class of that name (with dots), loaded with all above it; never 0. */
KlassId world_class(World *w, StrId name);
/* The same for a name with slashes, or dots. */
KlassId world_class_named(World *w, const char *name, size_t n);
/* A class without a file that implements iface. */
KlassId world_lambda(World *w, StrId name, StrId iface);
/* The method of that name and descriptor in k itself; -1 if it has none. */
int world_method(World *w, KlassId k, StrId name);
/* The name and descriptor of a member. */
StrId world_member(World *w, const JMember *m);
void world_assume(World *w, const char *text);
const char *world_name(World *w, KlassId k);

/* load_reach.c */
void reach_method(World *w, KlassId k, u32 method);
/* Reaches what a direct call of name on k runs: its own method or the nearest
 * above.  False if there is none. */
bool reach_direct(World *w, KlassId k, StrId name);
void reach_virtual(World *w, KlassId k, StrId name);
void reach_made(World *w, KlassId k);
void reach_initialiser(World *w, KlassId k);
/* Follows what a lowered method refers to. */
void reach_refs(World *w, Lane *lane, const JvmRef *refs, u32 n);

/* load_entry.c */
/* The class that a programmer calls name (n bytes, dots): a nested class's
 * dollar signs may be dots.  0 if there is none. */
KlassId entry_class(World *w, const char *name, size_t n);
/* Finds and reaches the entries; false after a diagnostic. */
bool entry_find(World *w, const LoadOptions *opt);
/* Builds main, which calls them, when everything has been reached. */
void entry_build(World *w);

/* load_reflect.c */
/* Reaches what the log says that a run made or called by reflection. */
void reflect_log(World *w, const char *file);
/* Reaches the classes whose names are strings of k, and their constructors. */
void reflect_strings(World *w, KlassId k);
/* Reaches the providers of services. */
void reflect_services(World *w);

static inline Klass *
world_klass(World *w, KlassId k)
{
	return &w->klasses.at[k];
}

static inline JStr
jstr(const char *s)
{
	return (JStr){s, (u32)__builtin_strlen(s)};
}

#endif
