/* name.c - descriptors, and names as a Java programmer writes them. */
#include "jvm/class_int.h"
#include "jvm/name.h"

#include <string.h>

enum { DIMENSIONS = 255 };

u32
desc_field(const char *s, u32 n)
{
	u32 k = 0;
	const char *end;

	while (k < n && s[k] == '[')
		k++;
	if (k >= n || k > DIMENSIONS)
		return 0;
	if (strchr("BCDFIJSZ", s[k]) && s[k])
		return k + 1;
	if (s[k] != 'L')
		return 0;
	end = memchr(s + k, ';', n - k);
	if (!end || end == s + k + 1)
		return 0;
	return (u32)(end - s) + 1;
}

bool
desc_method(JStr s, u32 *nparam, u32 *nslot)
{
	u32 k = 1, n;

	*nparam = *nslot = 0;
	if (!s.n || s.at[0] != '(')
		return false;
	while (k < s.n && s.at[k] != ')') {
		n = desc_field(s.at + k, s.n - k);
		if (!n)
			return false;
		++*nparam;
		*nslot += s.at[k] == 'J' || s.at[k] == 'D' ? 2 : 1;
		k += n;
	}
	if (k + 1 >= s.n)
		return false;
	k++;
	if (s.at[k] == 'V')
		return k + 1 == s.n;
	n = desc_field(s.at + k, s.n - k);
	return n && k + n == s.n;
}

JStr
name_return(JStr desc)
{
	const char *close = memchr(desc.at, ')', desc.n);

	return (JStr){close + 1, desc.n - (u32)(close + 1 - desc.at)};
}

JStr
name_next_param(JStr desc, u32 *at)
{
	JStr s;

	if (!*at)
		*at = 1;
	if (*at >= desc.n || desc.at[*at] == ')')
		return (JStr){"", 0};
	s = (JStr){desc.at + *at, desc_field(desc.at + *at, desc.n - *at)};
	*at += s.n;
	return s;
}

static const char *
primitive(char c)
{
	switch (c) {
	case 'B': return "byte";
	case 'C': return "char";
	case 'D': return "double";
	case 'F': return "float";
	case 'I': return "int";
	case 'J': return "long";
	case 'S': return "short";
	case 'Z': return "boolean";
	default: return "void";
	}
}

static void
push(Arena *a, NameBuf *b, const char *s, u32 n)
{
	if (n)
		memcpy(vec_extend(a, b, n), s, n);
}

static void
push_dotted(Arena *a, NameBuf *b, const char *s, u32 n)
{
	char *at = n ? vec_extend(a, b, n) : NULL;

	for (u32 k = 0; k < n; k++)
		at[k] = s[k] == '/' ? '.' : s[k];
}

/* Appends what the class entry or field descriptor s names. */
static void
push_desc(Arena *a, NameBuf *b, const char *s, u32 n)
{
	u32 dims = 0;

	while (dims < n && s[dims] == '[')
		dims++;
	if (n - dims > 1 && s[dims] == 'L')
		push_dotted(a, b, s + dims + 1, n - dims - 2);
	else if (n > dims)
		push(a, b, primitive(s[dims]), (u32)strlen(primitive(s[dims])));
	while (dims--)
		push(a, b, "[]", 2);
}

void
name_class(Arena *a, NameBuf *b, JStr s)
{
	if (s.n && s.at[0] == '[')
		push_desc(a, b, s.at, s.n);
	else
		push_dotted(a, b, s.at, s.n);
}

void
name_desc(Arena *a, NameBuf *b, JStr s)
{
	push_desc(a, b, s.at, s.n);
}

void
name_push(Arena *a, NameBuf *b, JStr s)
{
	push(a, b, s.at, s.n);
}

/* The '$' between an outer and an inner name; not one that starts or ends a
 * name, nor before a digit (anonymous and local classes stay as they are). */
static bool
is_nesting(JStr s, u32 k)
{
	char before = k ? s.at[k - 1] : '/', after = k + 1 < s.n ? s.at[k + 1] : '/';

	return s.at[k] == '$' && !strchr("/.$", before) && !strchr("/.$0123456789", after);
}

void
name_pretty_class(Arena *a, NameBuf *b, JStr s)
{
	u32 first = b->n;

	name_class(a, b, s);
	for (u32 k = 0; first + k < b->n; k++)
		if (is_nesting((JStr){b->at + first, b->n - first}, k))
			b->at[first + k] = '.';
}

/* "lambda$run$0" is the body of a lambda in run. */
static JStr
lambda_home(JStr method)
{
	u32 end = method.n;

	if (method.n < 9 || memcmp(method.at, "lambda$", 7))
		return (JStr){"", 0};
	while (end > 7 && method.at[end - 1] >= '0' && method.at[end - 1] <= '9')
		end--;
	if (end <= 8 || end == method.n || method.at[end - 1] != '$')
		return (JStr){"", 0};
	return (JStr){method.at + 7, end - 1 - 7};
}

void
name_pretty_method(Arena *a, NameBuf *b, JStr class, JStr method)
{
	JStr home = lambda_home(method);

	if (jstr_is(method, "<clinit>") || jstr_is(home, "static")) {
		if (home.n)
			push(a, b, "lambda in ", 10);
		push(a, b, "static initialiser of ", 22);
		name_pretty_class(a, b, class);
		return;
	}
	if (home.n)
		push(a, b, "lambda in ", 10);
	if (jstr_is(method, "<init>") || jstr_is(home, "new")) {
		push(a, b, "new ", 4);
		name_pretty_class(a, b, class);
		return;
	}
	name_pretty_class(a, b, class);
	push(a, b, ".", 1);
	name_push(a, b, home.n ? home : method);
}
