/* path_int.h - shared by the files of the class path. */
#ifndef JVM_PATH_INT_H
#define JVM_PATH_INT_H

#include "base/diag.h"
#include "base/map.h"
#include "jvm/jimage.h"
#include "jvm/manifest.h"
#include "jvm/path.h"
#include "jvm/zip.h"

#include <limits.h>

typedef enum ElementKind { ELEMENT_DIR, ELEMENT_ARCHIVE, ELEMENT_IMAGE, ELEMENT_FILE } ElementKind;

typedef struct Element {
	ElementKind kind;
	PathRole role;
	const char *file; /* as the user named it, for messages */
	const void *map;  /* ARCHIVE, IMAGE, FILE: the file's bytes */
	size_t n;
	Archive *archive;
	const char *prefix; /* ARCHIVE: before each name; "classes/" in a jmod */
	u64 versions;       /* ARCHIVE: bit v: META-INF/versions/v has classes */
	Jimage image;
	const char *name; /* FILE: the class that it holds, a/b/C */
} Element;

struct ClassPath {
	Arena *arena;
	Diag *diag;
	Vec(Element) elements; /* the platform's are last */
	Intern seen;           /* real paths of what was added */
	u32 linked;            /* elements added by manifests so far */
	u32 version;
	NameList skipped;
	Intern skips;  /* names of classes in it */
	Intern hidden; /* names of classes whose second ones were reported */
	const char *main;
};

/* Reads an archive's manifest and notes its versions and its Main-Class; adds
 * the files of its Class-Path. */
void path_add_manifest(ClassPath *p, u32 element);
/* Says what is wrong with file. */
void path_report(ClassPath *p, const char *file, PathRole role, const char *why);

#endif
