#include "app/options.h"

#include "app/message.h"
#include "engine/base/nearest.h"
#include "engine/base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void mc_option_list_add(mc_option_list *list, mc_option option) {
    assert(list->count < MC_OPTION_LIST_CAPACITY);
    if (!option.group) option.group = list->group;
    list->options[list->count++] = option;
}

void mc_option_list_add_flag(mc_option_list *list, const char *name, bool *target,
                             const char *help) {
    mc_option_list_add(
        list,
        (mc_option){
            .name = name, .kind = MC_OPTION_FLAG, .target = target, .value = true, .help = help});
}

static void add(mc_option_list *list, mc_option_kind kind, const char *name, void *target,
                const char *argument, const char *help) {
    mc_option_list_add(
        list,
        (mc_option){
            .name = name, .kind = kind, .target = target, .argument = argument, .help = help});
}

void mc_option_list_add_string(mc_option_list *list, const char *name, const char **target,
                               const char *argument, const char *help) {
    add(list, MC_OPTION_STRING, name, target, argument, help);
}

void mc_option_list_add_file(mc_option_list *list, const char *name, const char **target,
                             const char *argument, const char *help) {
    add(list, MC_OPTION_FILE, name, target, argument, help);
}

void mc_option_list_add_uint(mc_option_list *list, const char *name, uint32_t *target,
                             const char *argument, const char *help) {
    add(list, MC_OPTION_UINT, name, target, argument, help);
}

void mc_option_list_add_double(mc_option_list *list, const char *name, double *target,
                               const char *argument, const char *help) {
    add(list, MC_OPTION_DOUBLE, name, target, argument, help);
}

void mc_option_list_add_size(mc_option_list *list, const char *name, double target[2],
                             const char *help) {
    add(list, MC_OPTION_SIZE, name, target, "WxH", help);
}

void mc_option_list_add_range(mc_option_list *list, const char *name, uint32_t target[2],
                              const char *argument, const char *help) {
    add(list, MC_OPTION_RANGE, name, target, argument, help);
}

void mc_option_list_add_steps(mc_option_list *list, const char *name, mc_form_steps *target,
                              const char *argument, const char *help) {
    add(list, MC_OPTION_STEPS, name, target, argument, help);
}

void mc_option_list_add_choice(mc_option_list *list, const char *name, uint32_t *target,
                               const char *const *choices, const char *argument, const char *help) {
    mc_option_list_add(list, (mc_option){.name = name,
                                         .kind = MC_OPTION_CHOICE,
                                         .target = target,
                                         .choices = choices,
                                         .argument = argument,
                                         .help = help});
}

static mc_option_kind get_option_kind(const mc_form_field *field) {
    switch (field->kind) {
    case MC_FORM_BOOL: return field->choices ? MC_OPTION_SWITCH : MC_OPTION_FLAG;
    case MC_FORM_FLOAT: return MC_OPTION_FLOAT;
    case MC_FORM_DOUBLE: return MC_OPTION_DOUBLE;
    case MC_FORM_NUMBERS: return MC_OPTION_SIZE;
    case MC_FORM_RANGE: return MC_OPTION_RANGE;
    case MC_FORM_TEXT: return MC_OPTION_STRING;
    case MC_FORM_STEPS: return MC_OPTION_STEPS;
    default: return field->choices ? MC_OPTION_CHOICE : MC_OPTION_UINT;
    }
}

void mc_option_list_add_fields(mc_option_list *list, const mc_form_field *fields, uint32_t count,
                               uint32_t uses, void *object) {
    for (uint32_t i = 0; i < count; i++) {
        const mc_form_field *field = &fields[i];
        void *target = (char *)object + field->offset;
        bool is_text = field->kind == MC_FORM_TEXT, is_number = field->kind == MC_FORM_FLOAT;
        if (field->kind == MC_FORM_PART) {
            mc_option_list_add_fields(list, field->fields, field->count, uses, target);
        } else if (field->option && (field->uses & uses)) {
            mc_option_list_add(list, (mc_option){.name = field->option,
                                                 .kind = get_option_kind(field),
                                                 .target = target,
                                                 .choices = is_text ? NULL : field->choices,
                                                 .choice = is_number && field->choices
                                                               ? (uint32_t *)((char *)object +
                                                                              field->choice_offset)
                                                               : NULL,
                                                 .suggestions = is_text ? field->choices : NULL,
                                                 .value = strncmp(field->option, "no-", 3) != 0,
                                                 .least = field->least,
                                                 .most = field->most,
                                                 .argument = field->argument,
                                                 .help = field->help});
        }
    }
}

void mc_option_list_hide(mc_option_list *list, const char *name) {
    uint32_t at = 0, last = list->count - 1;
    while (at < last && strcmp(list->options[at].name, name) != 0)
        at++;
    assert(strcmp(list->options[at].name, name) == 0);
    mc_option hidden = list->options[at];
    memmove(&list->options[at], &list->options[at + 1], (last - at) * sizeof hidden);
    list->options[last] = hidden;
    list->hidden_count++;
}

// Of the terminal; 0 where there is none: what a script reads keeps its lines.
static size_t get_columns(void) {
    struct winsize size;
    bool is_terminal = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return is_terminal ? size.ws_col : 0;
}

// Columns are counted as characters.
static size_t count_columns(const char *text, size_t size) {
    size_t columns = 0;
    for (size_t i = 0; i < size; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

// A text that begins at column `at`; lines that are too long go on at column `indent`.
static void print_wrapped(const char *text, size_t at, size_t indent, size_t columns) {
    size_t least = indent + 20; // where it is narrower, the terminal may break the lines
    bool wraps = columns >= least;
    for (bool is_first = true; *text;) {
        size_t spaces = strspn(text, " "), size = strcspn(text + spaces, " \n");
        size_t width = spaces + count_columns(text + spaces, size);
        if (wraps && !is_first && at > indent && at + width > columns) {
            printf("\n%*s", (int)indent, "");
            text += spaces;
            at = indent;
            spaces = 0;
        }
        printf("%.*s", (int)(spaces + size), text);
        at += spaces + count_columns(text + spaces, size);
        text += spaces + size;
        is_first = false;
        if (*text != '\n') continue;
        putchar(*text++);
        at = 0;
        is_first = true;
    }
}

static void print_option(const mc_option *option, size_t columns) {
    char left[64];
    snprintf(left, sizeof left, "%s%s%s%s", strlen(option->name) == 1 ? "-" : "--", option->name,
             option->argument ? " " : "", option->argument ? option->argument : "");
    mc_text text = {0};
    mc_text_append_string(&text, option->help);
    for (uint32_t k = 0; option->choices && option->choices[k]; k++)
        mc_text_format(&text, "%s%s", k == 0 ? ": " : ", ", option->choices[k]);
    printf("  %-26s ", left);
    size_t at = strlen(left) > 26 ? strlen(left) + 3 : 29;
    print_wrapped(text.data && !text.failed ? text.data : option->help, at, 29, columns);
    putchar('\n');
    mc_text_deinit(&text);
}

bool mc_option_is_shared(const mc_option *option) {
    static const char *const shared[] = {"input", "selection and camera", "appearance", "rendering",
                                         "comparing two traces"};
    for (size_t i = 0; option->group && i < sizeof shared / sizeof *shared; i++)
        if (strcmp(option->group, shared[i]) == 0) return true;
    return false;
}

static const char *get_heading(const mc_option *option) {
    return option->group ? option->group : "options";
}

// A line of names, wrapped also where a file takes the output; the names of one heading.
static uint32_t print_names(const mc_option *options, uint32_t count, size_t columns) {
    mc_text text = {0};
    uint32_t i = 0;
    for (; i < count && strcmp(get_heading(&options[i]), get_heading(&options[0])) == 0; i++)
        mc_text_format(&text, "%s%s%s", i > 0 ? ", " : "",
                       strlen(options[i].name) == 1 ? "-" : "--", options[i].name);
    printf("\n%s:\n  ", get_heading(&options[0]));
    if (text.data && !text.failed) print_wrapped(text.data, 2, 2, columns ? columns : 100);
    putchar('\n');
    mc_text_deinit(&text);
    return i;
}

static void print_options(const mc_option *options, uint32_t count, size_t columns, bool is_short) {
    const char *last = NULL;
    for (uint32_t i = 0; i < count;) {
        if (is_short && mc_option_is_shared(&options[i])) {
            i += print_names(&options[i], count - i, columns);
            continue;
        }
        const char *heading = get_heading(&options[i]);
        if (!last || strcmp(heading, last) != 0) printf("\n%s:\n", heading);
        last = heading;
        print_option(&options[i++], columns);
    }
}

void mc_options_print_list(const mc_option_list *list) {
    print_options(list->options, list->count - list->hidden_count, get_columns(), false);
}

void mc_options_print_help(const mc_command_usage *usage) {
    size_t columns = get_columns();
    if (usage->examples) printf("%s\n\n", usage->examples);
    printf("usage: %s\n\n", usage->synopsis);
    print_wrapped(usage->text, 0, 0, columns);
    putchar('\n');
    print_options(usage->options, usage->listed_count, columns, true);
    bool has_shared = false;
    for (uint32_t i = 0; i < usage->listed_count; i++)
        has_shared |= mc_option_is_shared(&usage->options[i]);
    if (has_shared)
        printf("\nmemcity help options describes the options that are only named here.\n");
    else
        printf("  %-26s %s\n", "--help", "print this help");
}

static mc_options_result tell_usage(const mc_command_usage *usage) {
    fprintf(stderr, "usage: %s\n", usage->synopsis);
    return MC_OPTIONS_WRONG;
}

static mc_options_result wrong(const mc_command_usage *usage, const char *message,
                               const char *detail) {
    mc_message_say("%s%s", message, detail);
    return tell_usage(usage);
}

static const mc_option *find(const mc_command_usage *usage, const char *name, size_t size) {
    for (uint32_t i = 0; i < usage->option_count; i++)
        if (strlen(usage->options[i].name) == size &&
            memcmp(usage->options[i].name, name, size) == 0)
            return &usage->options[i];
    return NULL;
}

static mc_options_result unknown_option(const mc_command_usage *usage, const char *word,
                                        const char *name, size_t size) {
    static const char versus[] = "versus"; // what pictures, reports and queries have
    const char *names[MC_OPTION_LIST_CAPACITY];
    uint32_t count = 0;
    for (uint32_t i = 0; i < usage->listed_count && count < MC_OPTION_LIST_CAPACITY; i++)
        if (usage->options[i].name[1]) names[count++] = usage->options[i].name;
    const char *meant = mc_find_nearest(name, size, names, count);
    if (meant)
        mc_message_say("unknown option %s; did you mean --%s?", word, meant);
    else if (size == strlen(versus) && memcmp(name, versus, size) == 0)
        mc_message_say(
            "unknown option %s; \"memcity diff A B\" says what differs between two traces", word);
    else
        mc_message_say("unknown option %s", word);
    return tell_usage(usage);
}

static bool parse_uint(const char *text, const char *end, uint32_t *value) {
    if (text == end) return false;
    uint64_t number = 0;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9') return false;
        number = number * 10 + (uint64_t)(*text - '0');
        if (number >= UINT32_MAX) return false;
    }
    *value = (uint32_t)number;
    return true;
}

static bool parse_double(const char *text, char **end, double *value) {
    if ((*text < '0' || *text > '9') && *text != '.') return false;
    errno = 0;
    *value = strtod(text, end);
    return *end != text && errno == 0 && isfinite(*value) && *value >= 0;
}

static bool parse_pair(const mc_option *option, const char *text) {
    char *end;
    if (option->kind == MC_OPTION_SIZE) {
        double *size = option->target, width, height;
        if (!parse_double(text, &end, &width) || *end != 'x') return false;
        if (!parse_double(end + 1, &end, &height) || *end != '\0') return false;
        if (width <= 0 || height <= 0) return false;
        size[0] = width;
        size[1] = height;
        return true;
    }
    uint32_t *range = option->target, first, last;
    const char *colon = strchr(text, ':');
    if (!colon || !parse_uint(text, colon, &first) ||
        !parse_uint(colon + 1, text + strlen(text), &last) || first > last)
        return false;
    range[0] = first;
    range[1] = last;
    return true;
}

static uint32_t count_choices(const mc_option *option) {
    uint32_t count = 0;
    while (option->choices && option->choices[count])
        count++;
    return count;
}

// The number of choices: there is none of that name.
static uint32_t find_choice(const mc_option *option, const char *text) {
    uint32_t count = count_choices(option), i = 0;
    while (i < count && strcmp(option->choices[i], text) != 0)
        i++;
    return i;
}

static bool parse_value(const mc_option *option, const char *text) {
    char *end;
    switch (option->kind) {
    case MC_OPTION_STRING: *(const char **)option->target = text; return true;
    case MC_OPTION_FILE: *(const char **)option->target = text; return text[0] != '\0';
    case MC_OPTION_LIST: {
        mc_option_texts *texts = option->target;
        if (texts->count == MC_OPTION_TEXT_CAPACITY) return false;
        texts->items[texts->count++] = text;
        return true;
    }
    case MC_OPTION_STEPS: return mc_form_read_steps(option->target, text);
    case MC_OPTION_UINT: return parse_uint(text, text + strlen(text), (uint32_t *)option->target);
    case MC_OPTION_DOUBLE: {
        double value;
        if (!parse_double(text, &end, &value) || *end != '\0') return false;
        *(double *)option->target = value;
        return true;
    }
    case MC_OPTION_FLOAT: {
        double value;
        uint32_t choice = find_choice(option, text), count = count_choices(option);
        bool fits = parse_double(text, &end, &value) && *end == '\0' && value >= option->least &&
                    value <= option->most;
        if (fits) *(float *)option->target = (float)value;
        if (count > 0 && (fits || choice < count)) *option->choice = fits ? count - 1 : choice;
        return fits || choice < count;
    }
    case MC_OPTION_SWITCH:
    case MC_OPTION_CHOICE: {
        uint32_t found = find_choice(option, text);
        if (found == count_choices(option)) return false;
        if (option->kind == MC_OPTION_SWITCH)
            *(bool *)option->target = found == 1;
        else
            *(uint32_t *)option->target = found;
        return true;
    }
    default: return parse_pair(option, text);
    }
}

static void append_expected(const mc_option *option, mc_text *out) {
    switch (option->kind) {
    case MC_OPTION_FILE: mc_text_append_string(out, "a name"); break;
    case MC_OPTION_UINT: mc_text_append_string(out, "a whole number"); break;
    case MC_OPTION_DOUBLE: mc_text_append_string(out, "a number, 0 or more"); break;
    case MC_OPTION_FLOAT:
        for (uint32_t i = 0; i < count_choices(option); i++)
            mc_text_format(out, "%s, ", option->choices[i]);
        mc_text_format(out, "%sa number from %.6g to %.6g", option->choices ? "or " : "",
                       option->least, option->most);
        break;
    case MC_OPTION_LIST: mc_text_format(out, "at most %d of these", MC_OPTION_TEXT_CAPACITY); break;
    case MC_OPTION_SIZE: mc_text_append_string(out, "WIDTHxHEIGHT, as in 1280x720"); break;
    case MC_OPTION_RANGE: mc_text_append_string(out, "two steps FIRST:LAST, as in 0:25"); break;
    case MC_OPTION_STEPS:
        mc_text_format(out, "%d steps at most in ascending order, as in 2,4,11", MC_FORM_STEPS_MAX);
        break;
    default:
        for (uint32_t i = 0; option->choices && option->choices[i]; i++)
            mc_text_format(out, "%s%s", i == 0 ? "one of " : ", ", option->choices[i]);
    }
}

static mc_options_result wrong_value(const mc_command_usage *usage, const mc_option *option,
                                     const char *text) {
    mc_text expected = {0};
    append_expected(option, &expected);
    mc_message_say("%s%s: expected %s, not \"%s\"", option->name[1] ? "--" : "-", option->name,
                   expected.data && !expected.failed ? expected.data : "something else", text);
    mc_text_deinit(&expected);
    return tell_usage(usage);
}

// Parses the option at argv[*at]; *at is then its last word.
static mc_options_result parse_option(const mc_command_usage *usage, int argc, const char **argv,
                                      int *at) {
    const char *word = argv[*at], *name = word[1] == '-' ? word + 2 : word + 1;
    const char *equals = strchr(name, '=');
    size_t size = equals ? (size_t)(equals - name) : strlen(name);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        mc_options_print_help(usage);
        return MC_OPTIONS_HELP;
    }
    const mc_option *option = find(usage, name, size);
    // Two dashes before a single letter do no harm; one before a name might be several letters.
    if (!option || (size > 1 && word[1] != '-')) return unknown_option(usage, word, name, size);
    if (option->kind == MC_OPTION_FLAG) {
        if (equals) return wrong(usage, "this option takes no value: ", word);
        *(bool *)option->target = option->value;
        return MC_OPTIONS_OK;
    }
    if (!equals && *at + 1 >= argc) return wrong(usage, "a value is missing after ", word);
    const char *value = equals ? equals + 1 : argv[++*at];
    return parse_value(option, value) ? MC_OPTIONS_OK : wrong_value(usage, option, value);
}

mc_options_result mc_options_parse(const mc_command_usage *usage, int argc, const char **argv,
                                   uint32_t *positional_count) {
    uint32_t count = 0;
    bool only_positional = false;
    for (int at = 0; at < argc; at++) {
        if (only_positional || argv[at][0] != '-' || argv[at][1] == '\0') {
            argv[count++] = argv[at];
        } else if (strcmp(argv[at], "--") == 0) {
            only_positional = true;
        } else {
            mc_options_result result = parse_option(usage, argc, argv, &at);
            if (result != MC_OPTIONS_OK) return result;
        }
    }
    *positional_count = count;
    if (count < usage->least_positional) return wrong(usage, "no trace given", "");
    if (count > usage->most_positional)
        return wrong(usage, "unexpected argument ", argv[usage->most_positional]);
    return MC_OPTIONS_OK;
}
