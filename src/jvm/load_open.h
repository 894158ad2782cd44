/* load_open.h - an open Java program: the interface that unknown callers use,
 * and the objects that they have.
 *
 * The harness of Naik et al. 2006, Section 2.1.  There is a cell for each
 * reference type that a method of the interface takes or gives: a global that
 * holds objects of that type.  load_open.c finds calls, cells and the classes
 * of which objects are made, load_driver.c builds the functions:
 *
 *	main:    any number of times, for each such class: make one, construct it
 *	           with arguments from the cells, put it in its cell
 *	         any number of times: fork the caller
 *	caller:  any number of times, any of
 *	           call a method on what its cells hold; the result goes to its cell
 *	           make an object of a class, which nobody else gets to know
 *	           move what a cell holds to the cell of another type that it has
 *
 * Callers implement interfaces of the program, too (OpenStand).  The cells release and acquire: callers hand objects to each other properly,
 * and what races is the program's own.  Constructors run in parallel with all
 * else, since callers make objects too.  Arrays are made anew for each call. */
#ifndef JVM_LOAD_OPEN_H
#define JVM_LOAD_OPEN_H

#include "jvm/load_start.h"

/* A type: a class, or an array. */
typedef struct OpenCell {
	StrId type;    /* a.b.C$D, int[] */
	KlassId klass; /* 0: an array */
	StrId element; /* of an array: what it holds; 0: no objects */
	bool wanted;   /* some call takes it */
	bool given;    /* some call gives it */
	GlobalId global;
} OpenCell;

/* A method that callers call. */
typedef struct OpenCall {
	KlassId on; /* the class of the receiver */
	KlassId at; /* the class that declares it */
	u32 method; /* of at */
} OpenCall;

/* A class of which callers make objects. */
typedef struct OpenMake {
	KlassId klass;
	Entries inits; /* the constructors that they use; none: it needs none */
} OpenMake;

/* A class of the callers that implements an interface of the program, where that has no
 * class of its own that they could use.  Its methods keep what they are given and return new
 * objects, or throw; they do not call the program. */
typedef struct OpenStand {
	KlassId klass, face;
	Entries methods; /* those of the interface, and of those above it, without a body */
} OpenStand;

typedef struct Open {
	VecU32 apps;  /* classes of the program, or of the interface */
	VecU32 faces; /* the interface: classes that a pattern matches and callers see */
	Map is_face;
	Vec(OpenCell) cells;
	Map cell_of; /* type -> index + 1 */
	Vec(OpenCall) calls;
	Map is_call; /* map_pair(on, name and descriptor) */
	Vec(OpenMake) makes;
	Map is_made;
	Vec(OpenStand) stands;
} Open;

/* Finds and reaches the interface of the classes that match; false after a
 * diagnostic.  w->open is then set. */
bool open_find(World *w, const char *const *patterns, u32 n);
/* Does a pattern match the class, or one around it?  A pattern is a class or a
 * package, or has asterisks, each for any text. */
bool open_matches(World *w, const char *class);
/* The cell of the type that a descriptor names; none: it is no reference. */
enum { NO_CELL = 0xFFFFFFFFu };
u32 open_cell(World *w, JStr desc);

/* Does a value of cell x also belong in cell y?  Where the type does not say so
 * alone, *test: only those of y's class.  What is only known as an Object stays
 * one, as in the paper. */
bool open_flows(World *w, u32 x, u32 y, bool *test);

/* Is k that class, or below it? */
bool open_is(World *w, KlassId k, KlassId above);
bool open_is_object(World *w, KlassId k); /* java.lang.Object itself? */
/* The name and descriptor of a method. */
StrId open_method_name(World *w, const JMember *m);
/* load_open_hook.c: may methods of libraries run some of k's that callers cannot call? */
bool open_has_hooks(World *w, KlassId k);

/* Builds the caller; before main is. */
FnId open_caller(Starter *s);
/* Builds the part of main that makes objects and forks callers. */
void open_start(Starter *s, FnId caller);

#endif
