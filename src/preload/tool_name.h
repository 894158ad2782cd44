/* tool_name.h - which programs compile, link and archive, by the names of
 * their files.  Stands alone: the library that is put into every process of a
 * build (exec.c) consists of this and itself. */
#ifndef PRELOAD_TOOL_NAME_H
#define PRELOAD_TOOL_NAME_H

typedef enum ToolKind { TOOL_NONE, TOOL_CC, TOOL_CXX, TOOL_LD, TOOL_AR, TOOL_LAUNCHER } ToolKind;

/* What a program of that path or name is: x86_64-linux-gnu-gcc-12 compiles C. */
ToolKind tool_kind(const char *name);

#define CAPTURE_DIR   "CONCORD_CAPTURE" /* environment: where to record */
#define CAPTURE_INNER "CONCORD_INNER"	/* set below a tool that records already */
#define CAPTURE_TOOL  "/bin/concord-tool" /* in that directory: leads to Concord */

#endif
