// usage_text.h - the program's usage in other forms: a manual page, completions for shells, and the
// reference in docs; all from the tables that --help prints.
//
// To stdout. Threads: the main thread.
#pragma once
#include "app/options.h"

typedef enum mc_usage_form {
    MC_USAGE_MANUAL, // roff, with the man macros
    MC_USAGE_BASH,
    MC_USAGE_ZSH,
    MC_USAGE_FISH,
    MC_USAGE_MARKDOWN,
    MC_USAGE_FORM_COUNT
} mc_usage_form;

// "man", "bash", "zsh", "fish", "markdown"; ends with NULL.
extern const char *const mc_usage_form_names[];

typedef struct mc_subcommand {
    const char *name;
    int (*run)(int argc, const char **argv); // argv: what comes after the name
    const char *help;                        // a line
    const char *part;                        // the heading it is listed below; NULL: not listed
} mc_subcommand;

typedef struct mc_program_usage {
    const char *name, *version;
    const char *help; // what it does, a sentence
    const char *text; // about what all commands take and return
    const mc_subcommand *commands;
    uint32_t command_count;
    const mc_option_list *shared; // options that commands share
    const mc_subcommand *unnamed; // what runs without a command's name; one of them
} mc_program_usage;

// The form that a command is asked for, as "--help=FORM" alone; MC_USAGE_FORM_COUNT: for none.
mc_usage_form mc_usage_get_form(int argc, const char **argv);

// Prints all commands in a form. Each is asked for its own part: nothing but a command itself knows
// its options.
void mc_usage_print(const mc_program_usage *program, mc_usage_form form);

// The part of one command.
void mc_usage_print_command(const mc_command_usage *usage, mc_usage_form form);
