// options.h - command-line options from a table, which is also what --help prints.
//
// Threads: any, on separate tables.
#pragma once
#include "app/form.h"

typedef enum mc_option_kind {
    MC_OPTION_FLAG,   // bool: set to `value`
    MC_OPTION_SWITCH, // bool: the index in `choices`
    MC_OPTION_STRING, // const char *
    MC_OPTION_FILE,   // const char *, not empty: the name of a file or folder to write
    MC_OPTION_UINT,   // uint32_t
    MC_OPTION_DOUBLE, // double, finite and >= 0
    MC_OPTION_FLOAT,  // float, from `least` to `most`, or one of `choices`
    MC_OPTION_CHOICE, // uint32_t: the index in `choices`
    MC_OPTION_SIZE,   // double[2]: WxH, both > 0
    MC_OPTION_RANGE,  // uint32_t[2]: A:B, A <= B
    MC_OPTION_STEPS,  // mc_form_steps: A,B,C, ascending
    MC_OPTION_LIST,   // mc_option_texts: may be said several times
} mc_option_kind;

#define MC_OPTION_TEXT_CAPACITY 64
typedef struct mc_option_texts {
    const char *items[MC_OPTION_TEXT_CAPACITY];
    uint32_t count;
} mc_option_texts;

typedef struct mc_option {
    const char *name; // without the dashes; a single letter is a short option
    mc_option_kind kind;
    void *target;
    const char *const *choices;     // CHOICE: ends with NULL
    const char *const *suggestions; // STRING: what completion offers; likewise, may be NULL
    bool value;                     // FLAG
    double least, most;             // FLOAT
    uint32_t *choice;               // FLOAT with choices: which; a number is the last one
    const char *argument;           // the argument's name in the help
    const char *help;
    const char *group; // the heading that the help lists it below; NULL: "options"
} mc_option;

// A table in the making, and the short forms of what most options are.
#define MC_OPTION_LIST_CAPACITY 96
typedef struct mc_option_list {
    mc_option options[MC_OPTION_LIST_CAPACITY];
    uint32_t count, hidden_count; // the hidden are the last
    const char *group;            // of those that are added next
    const char *examples;         // lines that the help begins with; NULL: none
} mc_option_list;

void mc_option_list_add(mc_option_list *list, mc_option option);
void mc_option_list_add_flag(mc_option_list *list, const char *name, bool *target,
                             const char *help);
void mc_option_list_add_string(mc_option_list *list, const char *name, const char **target,
                               const char *argument, const char *help);
void mc_option_list_add_file(mc_option_list *list, const char *name, const char **target,
                             const char *argument, const char *help);
void mc_option_list_add_uint(mc_option_list *list, const char *name, uint32_t *target,
                             const char *argument, const char *help);
void mc_option_list_add_double(mc_option_list *list, const char *name, double *target,
                               const char *argument, const char *help);
void mc_option_list_add_choice(mc_option_list *list, const char *name, uint32_t *target,
                               const char *const *choices, const char *argument, const char *help);
void mc_option_list_add_size(mc_option_list *list, const char *name, double target[2],
                             const char *help);
void mc_option_list_add_steps(mc_option_list *list, const char *name, mc_form_steps *target,
                              const char *argument, const char *help);
void mc_option_list_add_range(mc_option_list *list, const char *name, uint32_t target[2],
                              const char *argument, const char *help);

// Accepts an option, since scripts may use it, but hides it from the help: it has no effect here.
// Add no option after this.
void mc_option_list_hide(mc_option_list *list, const char *name);

// The options that a table of fields has for `uses`; they set `object`.
void mc_option_list_add_fields(mc_option_list *list, const mc_form_field *fields, uint32_t count,
                               uint32_t uses, void *object);

typedef struct mc_command_usage {
    const char *synopsis; // "memcity info TRACE… [options]"
    const char *text;     // what it does, one paragraph
    const char *examples; // lines; NULL: none
    const mc_option *options;
    uint32_t option_count, listed_count; // the first of them are listed
    uint32_t least_positional, most_positional;
} mc_command_usage;

typedef enum mc_options_result {
    MC_OPTIONS_OK,
    MC_OPTIONS_HELP, // printed to stdout; the program ends with 0
    MC_OPTIONS_WRONG // said on stderr; the program ends with 2
} mc_options_result;

// Parses argv[0 .. argc), which holds what comes after the command's name. Positional arguments are
// moved to the front of `argv`, their number goes to *positional_count. "--" ends the options.
mc_options_result mc_options_parse(const mc_command_usage *usage, int argc, const char **argv,
                                   uint32_t *positional_count);

// Shared options are only named in the help of a command.
void mc_options_print_help(const mc_command_usage *usage);

// Does the option belong to a group that many commands share? One place describes those.
bool mc_option_is_shared(const mc_option *option);
// All of a list, described below their headings.
void mc_options_print_list(const mc_option_list *list);
