/* capture_elf.c - the symbols of ELF files and the members of archives.
 *
 * Files come from other people's tools: every offset and count is checked
 * against the file, and what does not fit ends the reading. */
#include "cli/capture.h"

#include "base/file.h"
#include "base/reader.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { ARCHIVE_MAGIC = 8, MEMBER_HEADER = 60 };

static bool
is_archive(const void *p, size_t n)
{
	return n >= ARCHIVE_MAGIC && (!memcmp(p, "!<arch>\n", 8) || !memcmp(p, "!<thin>\n", 8));
}

/* ---- ELF --------------------------------------------------------------------- */

typedef struct Elf {
	Reader r;
	bool wide, big; /* 64 bits; big-endian */
} Elf;

typedef struct Section {
	u32 type, link;
	u64 offset, size, entry;
} Section;

static u64
number(Elf *e, u32 bytes)
{
	switch (bytes) {
	case 1: return reader_u8(&e->r);
	case 2: return e->big ? reader_u16be(&e->r) : reader_u16le(&e->r);
	case 4: return e->big ? reader_u32be(&e->r) : reader_u32le(&e->r);
	default: return e->big ? reader_u64be(&e->r) : reader_u64le(&e->r);
	}
}

static u64
word(Elf *e)
{
	return number(e, e->wide ? 8 : 4);
}

static bool
elf_open(Elf *e, const void *p, size_t n)
{
	const u8 *b = p;

	if (n < EI_NIDENT || memcmp(b, ELFMAG, SELFMAG) != 0)
		return false;
	*e = (Elf){reader_on(p, n), b[EI_CLASS] == ELFCLASS64, b[EI_DATA] == ELFDATA2MSB};
	reader_skip(&e->r, EI_NIDENT);
	return true;
}

BinaryKind
binary_kind(const void *p, size_t n)
{
	static const u8 bitcode[4] = {'B', 'C', 0xc0, 0xde};
	Elf e;

	if (is_archive(p, n))
		return BINARY_ARCHIVE;
	if (n >= 4 && !memcmp(p, bitcode, 4)) /* an object of a link-time optimiser */
		return BINARY_OBJECT;
	if (!elf_open(&e, p, n))
		return BINARY_OTHER;
	switch (number(&e, 2)) {
	case ET_REL: return BINARY_OBJECT;
	case ET_DYN: return BINARY_SHARED;
	default: return BINARY_OTHER;
	}
}

static Section
section(Elf *e, u64 table, u32 size, u32 i)
{
	Section s = {0};

	reader_seek(&e->r, table + (u64)size * i + 4);
	s.type = (u32)number(e, 4);
	(void)word(e); /* flags */
	(void)word(e); /* address */
	s.offset = word(e);
	s.size = word(e);
	s.link = (u32)number(e, 4);
	(void)number(e, 4); /* info */
	(void)word(e);      /* alignment */
	s.entry = word(e);
	return s;
}

/* Reads the symbol at the reader's place. */
static void
symbol(Elf *e, Reader names, SymbolFn *fn, void *ctx)
{
	u32 name = (u32)number(e, 4), info, where;
	const char *s;

	if (!e->wide)
		reader_skip(&e->r, 8);
	info = (u32)number(e, 1);
	reader_skip(&e->r, 1);
	where = (u32)number(e, 2);
	if (e->wide)
		reader_skip(&e->r, 16);
	reader_seek(&names, name);
	s = (const char *)names.at;
	if (e->r.failed || names.failed || !memchr(s, 0, reader_left(&names)) || !*s)
		return;
	if ((info & 15) != STT_FILE && (info & 15) != STT_SECTION)
		fn(ctx, s, where != SHN_UNDEF, info >> 4 == STB_LOCAL);
}

static void
symbol_table(Elf *e, const Section *s, const Section *strings, SymbolFn *fn, void *ctx)
{
	u64 size = e->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	Reader names;

	reader_seek(&e->r, strings->offset);
	names = reader_part(&e->r, strings->size);
	for (u64 at = size; !e->r.failed && at + size <= s->size; at += size) {
		reader_seek(&e->r, s->offset + at);
		symbol(e, names, fn, ctx);
	}
}

bool
elf_symbols(const void *p, size_t n, SymbolFn *fn, void *ctx)
{
	u32 size, count;
	bool any = false;
	u64 table;
	Elf e;

	if (!elf_open(&e, p, n))
		return false;
	reader_skip(&e.r, 8);
	(void)word(&e); /* entry */
	(void)word(&e); /* program headers */
	table = word(&e);
	reader_skip(&e.r, 10);
	size = (u32)number(&e, 2);
	count = (u32)number(&e, 2);
	for (u32 i = 0; i < count && !e.r.failed; i++) {
		Section s = section(&e, table, size, i);
		if (s.type != SHT_SYMTAB && s.type != SHT_DYNSYM)
			continue;
		if (s.link < count) {
			Section strings = section(&e, table, size, s.link);
			symbol_table(&e, &s, &strings, fn, ctx);
		}
		any |= s.type == SHT_SYMTAB;
	}
	return any;
}

/* ---- archives ------------------------------------------------------------------ */

typedef struct Archive {
	Arena *arena;
	const char *path;
	bool thin;
	Reader names; /* the table of long names */
	MemberFn *fn;
	void *ctx;
} Archive;

/* The name of a member: "x.o/" here, or "/12" in the table of long names. */
static char *
member_name(Archive *ar, const char *header)
{
	const char *s = header;
	size_t n = 16;

	if (header[0] == '/') {
		reader_seek(&ar->names, strtoul(arena_dup(ar->arena, header + 1, 15), NULL, 10));
		s = (const char *)ar->names.at;
		n = reader_left(&ar->names);
		if (memchr(s, '\n', n))
			n = (size_t)((const char *)memchr(s, '\n', n) - s);
	}
	while (n && (s[n - 1] == ' ' || s[n - 1] == '/'))
		n--;
	return arena_dup(ar->arena, s, n);
}

static void
thin_member(Archive *ar, const char *name)
{
	const char *path = file_join(ar->arena, file_dir(ar->arena, ar->path), name), *error;
	char *bytes;
	size_t n;

	if (file_read(ar->arena, path, &bytes, &n, &error))
		ar->fn(ar->ctx, file_base(name), bytes, n);
}

/* The index of symbols and the table of names are no members. */
static bool
is_special(Archive *ar, const char *header, Reader body)
{
	if (!memcmp(header, "// ", 3))
		ar->names = body;
	return !memcmp(header, "// ", 3) || !memcmp(header, "/ ", 2) ||
	       !memcmp(header, "/SYM64/", 7) || !memcmp(header, "__.SYMDEF", 9);
}

void
ar_members(Arena *a, const char *path, const void *p, size_t n, MemberFn *fn, void *ctx)
{
	Archive ar = {.arena = a, .path = path, .fn = fn, .ctx = ctx};
	Reader r = reader_on(p, n);

	if (!is_archive(p, n))
		return;
	ar.thin = !memcmp(p, "!<thin>", 7);
	ar.names = reader_on(p, 0);
	reader_skip(&r, ARCHIVE_MAGIC);
	while (reader_left(&r) >= MEMBER_HEADER) {
		const char *h = (const char *)reader_bytes(&r, MEMBER_HEADER);
		size_t size = strtoul(arena_dup(a, h + 48, 10), NULL, 10);
		bool special = h[0] == '/' && !(h[1] >= '0' && h[1] <= '9');
		Reader body = ar.thin && !special ? reader_on(h, 0) : reader_part(&r, size);

		if (r.failed)
			return;
		if (!is_special(&ar, h, body)) {
			char *name = member_name(&ar, h);
			if (ar.thin)
				thin_member(&ar, name);
			else
				fn(ctx, name, body.at, reader_left(&body));
		}
		if (reader_left(&r) && reader_offset(&r) % 2)
			reader_skip(&r, 1);
	}
}
