/* tool_name.c - the names of compilers, linkers and archivers: the last word
 * of the file's name, before a version. */
#include "preload/tool_name.h"

#include <ctype.h>
#include <string.h>

static const struct ToolName {
	const char *name;
	ToolKind kind;
} tool_names[] = {
    {"cc", TOOL_CC},           {"gcc", TOOL_CC},          {"clang", TOOL_CC},
    {"c99", TOOL_CC},          {"c89", TOOL_CC},          {"tcc", TOOL_CC},
    {"icc", TOOL_CC},          {"icx", TOOL_CC},          {"c++", TOOL_CXX},
    {"g++", TOOL_CXX},         {"clang++", TOOL_CXX},     {"ld", TOOL_LD},
    {"ld.bfd", TOOL_LD},       {"ld.gold", TOOL_LD},      {"ld.lld", TOOL_LD},
    {"ar", TOOL_AR},           {"ccache", TOOL_LAUNCHER}, {"sccache", TOOL_LAUNCHER},
    {"distcc", TOOL_LAUNCHER},
};

ToolKind
tool_kind(const char *name)
{
	const char *slash = strrchr(name, '/'), *last, *dash;
	size_t n;

	name = slash ? slash + 1 : name;
	n = strlen(name);
	dash = strrchr(name, '-');
	if (dash && isdigit((unsigned char)dash[1]) && !dash[1 + strspn(dash + 1, "0123456789.")])
		n = (size_t)(dash - name);
	for (last = name + n; last > name && last[-1] != '-'; last--)
		continue;
	n -= (size_t)(last - name);
	for (size_t i = 0; i < sizeof tool_names / sizeof *tool_names; i++)
		if (strlen(tool_names[i].name) == n && !memcmp(tool_names[i].name, last, n))
			return tool_names[i].kind;
	return TOOL_NONE;
}
