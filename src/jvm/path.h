/* path.h - where classes come from.
 *
 * A class path is a list of directories, archives and single class files, in
 * the order in which they are searched, with the platform's classes behind.
 * What cannot be read is reported once, skipped and remembered, for the
 * report to say so. */
#ifndef JVM_PATH_H
#define JVM_PATH_H

#include "base/vec.h"

struct Diag;

typedef struct ClassPath ClassPath;

typedef enum PathRole {
	PATH_INPUT,   /* the program itself */
	PATH_BESIDE,  /* the program's too: below the directory of a class file that is an input */
	PATH_LIBRARY, /* what it uses */
	PATH_PLATFORM /* the JDK */
} PathRole;

/* A class file's bytes, and the file that they came from. */
typedef struct ClassBytes {
	const u8 *at;
	size_t n;
	const char *from;
	PathRole role;
} ClassBytes;

typedef Vec(const char *) NameList;

ClassPath *path_new(Arena *a, struct Diag *diag);
/* Ends all maps of files; bytes that were found are gone then. */
void path_release(ClassPath *p);
/* Adds a directory, jar, jmod or class file; the Class-Path of a jar's manifest
 * is added behind it.  False after a diagnostic. */
bool path_add(ClassPath *p, const char *file, PathRole role);
/* The directory in which a virtual machine would look for the class in that file:
 * its name without that of the class.  Null if it is no class file, or lies
 * elsewhere. */
const char *path_root(Arena *a, const char *file);
/* Adds the elements of a list with colons; a name that ends in a component `*`
 * stands for all jars of that directory. */
void path_add_list(ClassPath *p, const char *list, PathRole role);
/* Adds the classes of the JDK in jdk; if null, of that in JAVA_HOME, or that of
 * the java on PATH; none if jdk is "none" or there is none.  False after a
 * diagnostic if a JDK was asked for and is not there. */
bool path_add_platform(ClassPath *p, const char *jdk);
/* The version of the JDK in use, 17 for example; 0 without one. */
u32 path_version(const ClassPath *p);

/* The class of that name ("java/lang/Object").  The bytes live until
 * path_release.  False if it is nowhere, or was skipped. */
bool path_find(ClassPath *p, const char *name, ClassBytes *out);
/* Was the class there, but of no use? */
bool path_has_skipped(const ClassPath *p, const char *name);
/* Says of a class that was found why it is of no use: a diagnostic, and an
 * entry of path_skipped. */
void path_skip(ClassPath *p, const char *name, const char *from, PathRole role, const char *why);
/* One sentence per class or file that was skipped, in order. */
const NameList *path_skipped(const ClassPath *p);

/* The names of all classes of the inputs; or of the platform's module of that
 * name ("java.base"). */
void path_list(ClassPath *p, NameList *out);
bool path_list_module(ClassPath *p, const char *module, NameList *out);
/* The Main-Class ("a.b.Main") of the first input that has one, else null. */
const char *path_main(const ClassPath *p);
/* Are all inputs archives? */
bool path_is_archives(const ClassPath *p);
/* What inputs and libraries list as providers of services: class names with
 * dots, in order, each once. */
void path_services(ClassPath *p, NameList *out);

#endif
