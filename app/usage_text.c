#include "app/usage_text.h"

#include <stdio.h>
#include <string.h>

const char *const mc_usage_form_names[] = {"man", "bash", "zsh", "fish", "markdown", NULL};

// The first `count` bytes, with `escape` before each of `special`.
static void print_escaped(const char *text, size_t count, const char *special, const char *escape) {
    for (size_t i = 0; i < count; i++) {
        if (strchr(special, text[i])) fputs(escape, stdout);
        putchar(text[i]);
    }
}

// What stands between single quotes in a shell's script.
static void print_quoted(const char *text) {
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, stdout);
}

static bool is_short(const mc_option *option) {
    return option->name[1] == '\0';
}

static const char *get_dashes(const mc_option *option) {
    return is_short(option) ? "-" : "--";
}

// Do values of this option name files?
static bool takes_file(const mc_option *option) {
    const char *argument = option->argument;
    return option->kind == MC_OPTION_FILE ||
           (argument && (strstr(argument, "FILE") || strstr(argument, "DIR")));
}

static const char *const *get_values(const mc_option *option) {
    return option->choices ? option->choices : option->suggestions;
}

static void print_values(const mc_option *option) {
    const char *const *values = get_values(option);
    for (uint32_t i = 0; values && values[i]; i++)
        printf("%s%s", i > 0 ? " " : "", values[i]);
}

// The words that the command takes as its first argument ("import|layout"), if its synopsis names
// any before its options.
static const char *find_words(const mc_command_usage *usage, size_t *size) {
    const char *at = usage->synopsis;
    for (*size = strcspn(at, " \n"); *size > 0 && at[0] != '[' && at[0] != '-';
         at += *size, at += *at == ' ', *size = strcspn(at, " \n"))
        if (memchr(at, '|', *size)) return at;
    *size = 0;
    return at;
}

static void print_words(const mc_command_usage *usage) {
    size_t size;
    const char *words = find_words(usage, &size);
    for (size_t i = 0; i < size; i++)
        putchar(words[i] == '|' ? ' ' : words[i]);
}

// ---- roff

static void print_roff(const char *text, size_t size) {
    if (size > 0 && (text[0] == '.' || text[0] == '\'')) fputs("\\&", stdout);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(text[i]);
    }
}

// Paragraphs are filled, but for those that are tables: their lines stay as they are.
static void print_roff_text(const char *text) {
    for (bool is_first = true; *text; is_first = false) {
        const char *end = strstr(text, "\n\n");
        size_t size = end ? (size_t)(end - text) : strlen(text);
        const char *gap = strstr(text, "  ");
        bool is_table = gap && gap < text + size;
        if (!is_first) puts(".PP");
        if (is_table) puts(".nf");
        for (size_t at = 0; at < size;) {
            size_t line = strcspn(text + at, "\n");
            if (line > size - at) line = size - at;
            print_roff(text + at, line);
            putchar('\n');
            at += line + 1;
        }
        if (is_table) puts(".fi");
        text += size + strspn(text + size, "\n");
    }
}

static void print_roff_line(const char *text) {
    print_roff(text, strlen(text));
    putchar('\n');
}

static void print_roff_name(const mc_option *option) {
    print_roff(get_dashes(option), strlen(get_dashes(option)));
    print_roff(option->name, strlen(option->name));
}

static void print_roff_option(const mc_option *option) {
    printf(".TP\n\\fB");
    print_roff_name(option);
    printf("\\fR");
    if (option->argument) {
        printf(" \\fI");
        print_roff(option->argument, strlen(option->argument));
        printf("\\fR");
    }
    putchar('\n');
    print_roff(option->help, strlen(option->help));
    for (uint32_t k = 0; option->choices && option->choices[k]; k++) {
        fputs(k == 0 ? ": " : ", ", stdout);
        print_roff(option->choices[k], strlen(option->choices[k]));
    }
    putchar('\n');
}

// Lines with the space between them that they have.
static void print_roff_lines(const char *text, bool is_bold) {
    puts(".nf");
    while (*text) {
        size_t indent = is_bold ? strspn(text, " ") : 0, size = strcspn(text + indent, "\n");
        if (is_bold) fputs("\\fB", stdout);
        print_roff(text + indent, size);
        puts(is_bold ? "\\fR" : "");
        text += indent + size;
        text += *text == '\n';
    }
    puts(".fi\n.PP");
}

// Shared options are named here, and described in a section of their own.
static void print_manual_command(const mc_command_usage *usage) {
    print_roff_lines(usage->synopsis, true);
    print_roff_text(usage->text);
    if (usage->examples) {
        puts(".PP");
        print_roff_lines(usage->examples, false);
    }
    uint32_t shared_count = 0;
    for (uint32_t i = 0; i < usage->listed_count; i++)
        if (mc_option_is_shared(&usage->options[i]))
            shared_count++;
        else
            print_roff_option(&usage->options[i]);
    if (shared_count == 0) return;
    fputs(".PP\nShared options: ", stdout);
    for (uint32_t i = 0; i < usage->listed_count; i++) {
        if (!mc_option_is_shared(&usage->options[i])) continue;
        print_roff_name(&usage->options[i]);
        puts(--shared_count > 0 ? "," : ".");
    }
}

static void print_manual(const mc_program_usage *program) {
    printf(".TH \"%s\" 1 \"\" \"%s %s\" \"User commands\"\n.SH NAME\n%s \\- ", program->name,
           program->name, program->version, program->name);
    print_roff_line(program->help);
    printf(".SH SYNOPSIS\n\\fB%s\\fR [\\fICOMMAND\\fR] \\fITRACE\\fR... [\\fIoptions\\fR]\n"
           ".SH DESCRIPTION\n",
           program->name);
    print_roff_text(program->text);
    puts(".SH COMMANDS");
    for (uint32_t i = 0; i < program->command_count; i++) {
        if (!program->commands[i].part) continue;
        printf(".SS %s: ", program->commands[i].name);
        print_roff_line(program->commands[i].help);
        (void)program->commands[i].run(1, (const char *[]){"--help=man"});
    }
    puts(".SH SHARED OPTIONS");
    const char *last = NULL;
    for (uint32_t i = 0; i < program->shared->count; i++) {
        const mc_option *option = &program->shared->options[i];
        if (!last || strcmp(last, option->group) != 0) printf(".SS %s\n", option->group);
        last = option->group;
        print_roff_option(option);
    }
}

// ---- Markdown: docs/reference/commands.md

// `text`, with what would be markup or end a table's cell escaped.
static void print_markdown(const char *text) {
    print_escaped(text, strlen(text), "\\|<*_`[", "\\");
}

static void print_markdown_options(const mc_option *options, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const mc_option *option = &options[i];
        if (i == 0) printf("| option | |\n| --- | --- |\n");
        printf("| `%s%s%s", get_dashes(option), option->name, option->argument ? " " : "");
        if (option->argument) print_escaped(option->argument, strlen(option->argument), "|", "\\");
        printf("` | ");
        print_markdown(option->help);
        for (uint32_t k = 0; option->choices && option->choices[k]; k++)
            printf("%s`%s`", k == 0 ? ": " : ", ", option->choices[k]);
        puts(" |");
    }
    if (count > 0) putchar('\n');
}

// Equal texts need not be one; NULL: of no group.
static bool is_same_group(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

// Groups of options come one after another.
static uint32_t get_group_size(const mc_option *options, uint32_t count) {
    uint32_t size = 1;
    while (size < count && is_same_group(options[size].group, options[0].group))
        size++;
    return size;
}

static void print_markdown_shared(const mc_option *options, uint32_t count) {
    printf("*%s*: ", options[0].group);
    for (uint32_t i = 0; i < count; i++)
        printf("%s`%s%s`", i > 0 ? ", " : "", get_dashes(&options[i]), options[i].name);
    printf("\n\n");
}

static void print_markdown_command(const mc_command_usage *usage) {
    printf("```text\n%s\n```\n\n", usage->synopsis);
    if (usage->examples) printf("```text\n%s\n```\n\n", usage->examples);
    printf(strstr(usage->text, "  ") ? "```text\n%s\n```\n\n" : "%s\n\n", usage->text);
    for (uint32_t i = 0, size; i < usage->listed_count; i += size) {
        const mc_option *options = &usage->options[i];
        size = get_group_size(options, usage->listed_count - i);
        if (mc_option_is_shared(options))
            print_markdown_shared(options, size);
        else
            print_markdown_options(options, size);
    }
}

static void print_markdown_all(const mc_program_usage *program) {
    printf("# Commands\n\n`%s usage markdown` writes this page from the tables of options.\n"
           "[Shared options](#shared-options) are only named with the commands.\n\n",
           program->name);
    const char *last = NULL;
    for (uint32_t i = 0; i < program->command_count; i++) {
        const mc_subcommand *command = &program->commands[i];
        if (!command->part) continue;
        if (!last || strcmp(last, command->part) != 0)
            printf("%s| %s | |\n| --- | --- |\n", last ? "\n" : "", command->part);
        last = command->part;
        printf("| [%s](#%s) | ", command->name, command->name);
        print_markdown(command->help);
        puts(" |");
    }
    putchar('\n');
    for (uint32_t i = 0; i < program->command_count; i++) {
        if (!program->commands[i].part) continue;
        printf("## %s\n\n", program->commands[i].name);
        (void)program->commands[i].run(1, (const char *[]){"--help=markdown"});
    }
    printf("## Shared options\n\n");
    const mc_option_list *shared = program->shared;
    for (uint32_t i = 0, size; i < shared->count; i += size) {
        size = get_group_size(&shared->options[i], shared->count - i);
        printf("### %s\n\n", shared->options[i].group);
        print_markdown_options(&shared->options[i], size);
    }
}

// ---- bash

static void print_bash_command(const mc_command_usage *usage) {
    printf("        words='");
    print_words(usage);
    printf("' options='");
    for (uint32_t i = 0; i < usage->listed_count; i++)
        printf("%s%s ", get_dashes(&usage->options[i]), usage->options[i].name);
    printf("--help'\n        case $previous in\n");
    for (uint32_t i = 0; i < usage->listed_count; i++) {
        const mc_option *option = &usage->options[i];
        if (option->kind == MC_OPTION_FLAG) continue;
        printf("        %s%s) ", get_dashes(option), option->name);
        if (get_values(option)) {
            printf("kind=words words='");
            print_values(option);
            printf("' ;;\n");
        } else {
            printf("kind=%s ;;\n", takes_file(option) ? "files" : "value");
        }
    }
    printf("        esac\n        ;;\n");
}

static void print_bash(const mc_program_usage *program) {
    // "--metric=bytes" arrives as three words.
    printf("# Completions of %s for bash.\n_%s() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local command=${COMP_WORDS[1]} first=2 kind=arguments words= options=\n"
           "    if [[ $current == = ]]; then\n"
           "        current=\n"
           "    elif [[ $previous == = ]]; then\n"
           "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
           "    fi\n"
           "    case $command in\n",
           program->name, program->name);
    for (uint32_t i = 0; i < program->command_count; i++)
        printf("%s%s", i > 0 ? "|" : "    ", program->commands[i].name);
    printf(") ;;\n    *) command=%s first=1 ;;\n    esac\n    case $command in\n",
           program->unnamed->name);
    for (uint32_t i = 0; i < program->command_count; i++) {
        printf("    %s)\n", program->commands[i].name);
        (void)program->commands[i].run(1, (const char *[]){"--help=bash"});
    }
    printf("    esac\n    [[ $first == 1 && $kind == arguments ]] && words='");
    for (uint32_t i = 0; i < program->command_count; i++)
        printf("%s ", program->commands[i].name);
    printf("--version'\n"
           "    COMPREPLY=()\n"
           "    case $kind in\n"
           "    arguments)\n"
           "        if [[ $current == -* ]]; then\n"
           "            [[ $first == 1 && $COMP_CWORD == 1 ]] && options+=' --version'\n"
           "            COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
           "        elif [[ $COMP_CWORD == \"$first\" ]]; then\n"
           "            COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
           "        fi ;;\n"
           "    words) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
           "    esac\n"
           "    # What is neither an option nor a word is a file, where a file can stand.\n"
           "    [[ $kind == words || $kind == value ]] && compopt +o default 2>/dev/null\n"
           "    return 0\n"
           "}\n"
           "complete -o default -F _%s %s\n",
           program->name, program->name);
}

// ---- zsh

// What stands in brackets or between colons of an _arguments specification, in single quotes.
static void print_zsh(const char *text) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            print_escaped(text, 1, "[]:\\", "\\");
    }
}

static void print_zsh_command(const mc_command_usage *usage) {
    printf("        _arguments -s \\\n");
    for (uint32_t i = 0; i < usage->listed_count; i++) {
        const mc_option *option = &usage->options[i];
        bool has_value = option->kind != MC_OPTION_FLAG;
        printf("            '%s%s%s%s[", option->kind == MC_OPTION_LIST ? "*" : "",
               get_dashes(option), option->name, has_value && !is_short(option) ? "=" : "");
        print_zsh(option->help);
        putchar(']');
        if (has_value) {
            putchar(':');
            print_zsh(option->argument ? option->argument : "value");
            putchar(':');
            if (get_values(option)) {
                putchar('(');
                print_values(option);
                putchar(')');
            } else if (takes_file(option)) {
                printf("_files");
            } else {
                putchar(' ');
            }
        }
        printf("' \\\n");
    }
    size_t size;
    find_words(usage, &size);
    if (size > 0) {
        printf("            '1:word:(");
        print_words(usage);
        printf(")' \\\n");
    }
    printf("            '--help[this text]' \\\n            '*:trace:_files'\n");
}

static void print_zsh_all(const mc_program_usage *program) {
    printf("#compdef %s\n# Completions of %s for zsh.\n_%s() {\n    local -a commands=(\n",
           program->name, program->name, program->name);
    for (uint32_t i = 0; i < program->command_count; i++) {
        printf("        '%s:", program->commands[i].name);
        print_zsh(program->commands[i].help);
        printf("'\n");
    }
    printf("    )\n    local command=%s\n"
           "    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
           "        _describe command commands\n        _files\n        return\n    fi\n"
           "    if [[ -n ${(M)commands:#${words[2]}:*} ]]; then\n"
           "        command=$words[2]\n        shift words\n        (( CURRENT-- ))\n    fi\n"
           "    case $command in\n",
           program->unnamed->name);
    for (uint32_t i = 0; i < program->command_count; i++) {
        printf("    %s)\n", program->commands[i].name);
        (void)program->commands[i].run(1, (const char *[]){"--help=zsh"});
        printf("        ;;\n");
    }
    printf("    esac\n}\n_%s \"$@\"\n", program->name);
}

// ---- fish

// A loop around each command's part tells it the command's condition.
static void print_fish_command(const mc_command_usage *usage) {
    size_t size;
    find_words(usage, &size);
    if (size > 0) {
        printf("complete -c $program -n $condition -a '");
        print_words(usage);
        printf("'\n");
    }
    for (uint32_t i = 0; i < usage->listed_count; i++) {
        const mc_option *option = &usage->options[i];
        printf("complete -c $program -n $condition %s %s", is_short(option) ? "-s" : "-l",
               option->name);
        if (get_values(option)) {
            printf(" -x -a '");
            print_values(option);
            putchar('\'');
        } else if (option->kind != MC_OPTION_FLAG) {
            printf(takes_file(option) ? " -r -F" : " -x");
        }
        printf(" -d '");
        print_quoted(option->help);
        printf("'\n");
    }
    printf("complete -c $program -n $condition -l help -d 'this text'\n");
}

static void print_fish(const mc_program_usage *program) {
    printf("# Completions of %s for fish.\nset -l program %s\nset -l commands", program->name,
           program->name);
    for (uint32_t i = 0; i < program->command_count; i++)
        printf(" %s", program->commands[i].name);
    printf(
        "\ncomplete -c $program -n __fish_use_subcommand -l version -d 'which version this is'\n");
    for (uint32_t i = 0; i < program->command_count; i++) {
        const mc_subcommand *command = &program->commands[i];
        printf("complete -c $program -n __fish_use_subcommand -a %s -d '", command->name);
        print_quoted(command->help);
        printf("'\nset -l condition ");
        if (command == program->unnamed)
            printf("\"__fish_seen_subcommand_from %s; or not __fish_seen_subcommand_from "
                   "$commands\"\n",
                   command->name);
        else
            printf("'__fish_seen_subcommand_from %s'\n", command->name);
        (void)command->run(1, (const char *[]){"--help=fish"});
    }
}

mc_usage_form mc_usage_get_form(int argc, const char **argv) {
    if (argc != 1 || strncmp(argv[0], "--help=", 7) != 0) return MC_USAGE_FORM_COUNT;
    uint32_t form = 0;
    while (form < MC_USAGE_FORM_COUNT && strcmp(argv[0] + 7, mc_usage_form_names[form]) != 0)
        form++;
    return (mc_usage_form)form;
}

void mc_usage_print(const mc_program_usage *program, mc_usage_form form) {
    static void (*const print[MC_USAGE_FORM_COUNT])(const mc_program_usage *) = {
        [MC_USAGE_MANUAL] = print_manual,         [MC_USAGE_BASH] = print_bash,
        [MC_USAGE_ZSH] = print_zsh_all,           [MC_USAGE_FISH] = print_fish,
        [MC_USAGE_MARKDOWN] = print_markdown_all,
    };
    print[form](program);
}

void mc_usage_print_command(const mc_command_usage *usage, mc_usage_form form) {
    static void (*const print[MC_USAGE_FORM_COUNT])(const mc_command_usage *) = {
        [MC_USAGE_MANUAL] = print_manual_command,     [MC_USAGE_BASH] = print_bash_command,
        [MC_USAGE_ZSH] = print_zsh_command,           [MC_USAGE_FISH] = print_fish_command,
        [MC_USAGE_MARKDOWN] = print_markdown_command,
    };
    print[form](usage);
}
