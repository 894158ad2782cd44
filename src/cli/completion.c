/* completion.c - `concord completion`: what a shell needs to complete
 * commands, options and their words, from the tables of both. */
#include "cli/commands.h"

#include <string.h>

static bool
takes_file(const OptSpec *s)
{
	return s->arg &&
	       (!strcmp(s->arg, "FILE") || !strcmp(s->arg, "DIR") || !strcmp(s->arg, "PROGRAM"));
}

/* "a|b|c" with another separator. */
static void
put_words(const char *words, char separator)
{
	for (; *words; words++)
		putchar(*words == '|' ? separator : *words);
}

/* Up to the first bracket or semicolon, without what shells would expand. */
static void
put_help(const char *help)
{
	size_t n = strcspn(help, "(;");

	while (n && help[n - 1] == ' ')
		n--;
	for (; n; n--, help++)
		if (!strchr("'\"`$[]\\", *help))
			putchar(*help == ':' ? ',' : *help);
}

/* All options of the command, each with its dashes. */
static void
put_options(const Command *c)
{
	OptTable t = {option_specs, noption_spec, c->bit};

	for (u32 i = 0; i < noption_spec; i++)
		if (option_specs[i].kind != OPT_GROUP && opt_applies(&t, &option_specs[i]))
			printf(" --%s%s%s", opt_prefix(&option_specs[i]), option_specs[i].name,
			       opt_is_flag(&option_specs[i]) || option_specs[i].kind == OPT_SOME
				   ? ""
				   : "=");
	printf(" --help");
}

static void
put_commands(void)
{
	for (u32 i = 0; i < ncommand; i++)
		printf("%s%s", i ? " " : "", commands[i].name);
}

/* The words that the command takes at that place behind its name, as its usage
 * has them ("stat|clear", or "[COMMAND]"); null if there are none. */
static const char *
words_at(const Command *c, u32 place)
{
	const char *s = c->usage;

	for (u32 i = 0; i < place && s; i++) {
		s = strchr(s, ' ');
		s = s ? s + 1 : NULL;
	}
	if (!s || !strncmp(s, "[COMMAND]", 9))
		return s;
	return *s != '[' && *s != '(' && *s != '|' && strcspn(s, "|") < strcspn(s, " ") ? s : NULL;
}

static void
put_place(const Command *c, u32 place)
{
	const char *s = words_at(c, place);

	if (*s == '[')
		put_commands();
	else
		for (; *s && *s != ' '; s++)
			putchar(*s == '|' ? ' ' : *s);
}

enum { PLACES = 2 };

/* Words that are no options. */
static void
print_bash_places(void)
{
	printf("\tcase ${COMP_WORDS[1]}.$COMP_CWORD in\n");
	for (u32 i = 0; i < ncommand; i++)
		for (u32 k = 1; k <= PLACES; k++)
			if (words_at(&commands[i], k)) {
				printf("\t%s.%u)\n\t\tCOMPREPLY=($(compgen -W \"", commands[i].name,
				       k + 1);
				put_place(&commands[i], k);
				printf("\" -- \"$cur\"))\n\t\treturn ;;\n");
			}
	printf("\tesac\n");
}

static void
print_bash(void)
{
	printf("# bash completion for concord\n_concord()\n{\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	       "\tif [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then "
	       "prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
	       "\tif [[ $COMP_CWORD -eq 1 ]]; then\n\t\tCOMPREPLY=($(compgen -W \"");
	put_commands();
	printf(" --help --version\" -- \"$cur\"))\n\t\treturn\n\tfi\n\tcase $prev in\n");
	for (u32 i = 0; i < noption_spec; i++)
		if (option_specs[i].kind == OPT_ENUM) {
			printf("\t--%s)\n\t\tCOMPREPLY=($(compgen -W \"", option_specs[i].name);
			put_words(option_specs[i].arg, ' ');
			printf("\" -- \"$cur\"))\n\t\treturn ;;\n");
		}
	printf("\tesac\n");
	print_bash_places();
	printf("\tif [[ $cur != -* || \" ${COMP_WORDS[*]:0:COMP_CWORD} \" == *' -- '* ]]; then\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n\t\treturn\n\tfi\n"
	       "\tcase ${COMP_WORDS[1]} in\n");
	for (u32 i = 0; i < ncommand; i++) {
		printf("\t%s)\n\t\tCOMPREPLY=($(compgen -W \"", commands[i].name);
		put_options(&commands[i]);
		printf("\" -- \"$cur\")) ;;\n");
	}
	printf("\tesac\n\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n}\n"
	       "complete -o filenames -F _concord concord\n");
}

static void
print_zsh_options(const Command *c)
{
	OptTable t = {option_specs, noption_spec, c->bit};

	for (u32 i = 0; i < noption_spec; i++) {
		const OptSpec *s = &option_specs[i];

		if (s->kind == OPT_GROUP || !opt_applies(&t, s))
			continue;
		printf("\t\t\t'%s--%s%s%s[", s->kind == OPT_LIST || s->kind == OPT_SOME ? "*" : "",
		       opt_prefix(s), s->name, opt_is_flag(s) ? "" : "=");
		put_help(s->help);
		printf("]");
		if (s->kind == OPT_ENUM) {
			printf(":%s:(", s->name);
			put_words(s->arg, ' ');
			printf(")");
		} else if (!opt_is_flag(s)) {
			printf(":%s:%s", s->arg, takes_file(s) ? "_files" : "");
		}
		printf("' \\\n");
	}
	for (u32 k = 1; k <= PLACES; k++)
		if (words_at(c, k)) {
			printf("\t\t\t'%u:word:(", k);
			put_place(c, k);
			printf(")' \\\n");
		}
	printf("\t\t\t'*:input:_files' ;;\n");
}

static void
print_zsh(void)
{
	printf("#compdef concord\n_concord()\n{\n\tif (( CURRENT == 2 )); then\n"
	       "\t\tlocal -a all=(");
	for (u32 i = 0; i < ncommand; i++) {
		printf("%s'%s:", i ? " " : "", commands[i].name);
		put_help(commands[i].text);
		printf("'");
	}
	printf(")\n\t\t_describe command all\n\t\treturn\n\tfi\n"
	       "\tlocal command=${words[2]}\n\tshift words\n\t(( CURRENT-- ))\n"
	       "\tcase $command in\n");
	for (u32 i = 0; i < ncommand; i++) {
		printf("\t%s)\n\t\t_arguments \\\n", commands[i].name);
		print_zsh_options(&commands[i]);
	}
	/* a file of $fpath is run as the function; one that is sourced declares it */
	printf("\tesac\n}\nif [[ $funcstack[1] == _concord ]]; then _concord \"$@\"; "
	       "else compdef _concord concord; fi\n");
}

static void
print_fish_option(const Command *c, const OptSpec *s)
{
	printf("complete -c concord -n '__fish_seen_subcommand_from %s' -l %s%s", c->name,
	       opt_prefix(s), s->name);
	if (s->letter)
		printf(" -s %c", s->letter);
	if (!opt_is_flag(s))
		printf(takes_file(s) ? " -r -F" : " -x");
	if (s->kind == OPT_ENUM) {
		printf(" -a '");
		put_words(s->arg, ' ');
		printf("'");
	}
	printf(" -d '");
	put_help(s->help);
	printf("'\n");
}

static void
print_fish(void)
{
	printf("# fish completion for concord\n");
	for (u32 i = 0; i < ncommand; i++) {
		OptTable t = {option_specs, noption_spec, commands[i].bit};

		printf("complete -c concord -f -n __fish_use_subcommand -a %s -d '",
		       commands[i].name);
		put_help(commands[i].text);
		printf("'\n");
		for (u32 k = 0; k < noption_spec; k++)
			if (option_specs[k].kind != OPT_GROUP && opt_applies(&t, &option_specs[k]))
				print_fish_option(&commands[i], &option_specs[k]);
		for (u32 k = 1; k <= PLACES; k++)
			if (words_at(&commands[i], k)) {
				printf("complete -c concord -f -n "
				       "'__fish_seen_subcommand_from %s' -a '",
				       commands[i].name);
				put_place(&commands[i], k);
				printf("'\n");
			}
	}
}

int
cmd_completion(Run *run)
{
	static const char shells[] = "bash|zsh|fish";
	u32 at;

	if (run->inputs.n != 1 || !opt_word(shells, run->inputs.at[0], &at)) {
		diag_error(&run->diag, NULL, "completion takes bash, zsh or fish");
		return EXIT_INPUT;
	}
	if (at == 0)
		print_bash();
	else if (at == 1)
		print_zsh();
	else
		print_fish();
	return EXIT_CLEAN;
}
