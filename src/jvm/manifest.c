/* manifest.c - see manifest.h. */
#include "jvm/manifest.h"

#include <string.h>

/* Takes the next line off *at, with those that continue it; null at the end of
 * the main section. */
static char *
next_line(Arena *a, const char **at, const char *end)
{
	char *line;
	size_t n = 0;

	line = arena_alloc(a, (size_t)(end - *at) + 1);
	while (*at < end) {
		char c = *(*at)++;
		if (c == '\r' && *at < end && **at == '\n')
			c = *(*at)++;
		if (c != '\n' && c != '\r')
			line[n++] = c;
		else if (*at < end && **at == ' ' && n)
			(*at)++;
		else
			break;
	}
	return n ? line : NULL;
}

/* The value of line if it is for key, else null. */
static const char *
value_of(const char *line, const char *key)
{
	size_t n = strlen(key);

	if (strncasecmp(line, key, n) != 0 || line[n] != ':')
		return NULL;
	line += n + 1;
	return line + strspn(line, " ");
}

static void
trim(char *s)
{
	size_t n = strlen(s);

	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		s[--n] = 0;
}

void
manifest_parse(Arena *a, const char *text, size_t n, Manifest *out)
{
	const char *at = text, *end = text + n, *v;
	Arena lines;
	char *line;

	*out = (Manifest){0};
	arena_init(&lines, NULL);
	while ((line = next_line(&lines, &at, end))) {
		trim(line);
		if ((v = value_of(line, "Main-Class")))
			out->main_class = arena_strdup(a, v);
		else if ((v = value_of(line, "Class-Path")))
			out->class_path = arena_strdup(a, v);
		else if ((v = value_of(line, "Multi-Release")))
			out->multi_release = !strcasecmp(v, "true");
	}
	arena_release(&lines);
}
