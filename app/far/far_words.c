#include "app/far/far_words.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <string.h>

bool mc_far_is_among(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

bool mc_far_word_is_output(const mc_far_word *word) {
    static const char *const names[] = {"o", "junit", "png", "page", NULL};
    return word->is_value && word->option->kind == MC_OPTION_FILE &&
           mc_far_is_among(word->option->name, names) && strcmp(word->text, "-") != 0 &&
           !mc_file_is_descriptor(word->text);
}

bool mc_far_word_is_input(const mc_far_word *word) {
    static const char *const names[] = {
        "skip-bad-steps", "no-references", "fast",   "retained",
        "paths",          "waste",         "deep",   "partial",
        "times",          "collections",   "stacks", "sample-interval",
        "group-by",       "symbols",       "binary", "depth",
        "library-frames", "moments",       NULL};
    return word->option && mc_far_is_among(word->option->name, names);
}

bool mc_far_word_is_trace_option(const mc_far_word *word) {
    static const char *const names[] = {"versus", "with", NULL};
    return word->is_value && mc_far_is_among(word->option->name, names);
}

static const mc_option *find(const mc_option *options, uint32_t count, const char *name,
                             size_t size) {
    for (uint32_t i = 0; i < count; i++)
        if (strlen(options[i].name) == size && memcmp(options[i].name, name, size) == 0)
            return &options[i];
    return NULL;
}

static mc_far_word *add(mc_far_line *line, const char *text) {
    mc_far_word *word = &line->words[line->count++];
    *word = (mc_far_word){.text = text};
    return word;
}

static mc_result add_value(mc_far_line *line, const char *text, const mc_option *option,
                           mc_error *error) {
    mc_far_word *word = add(line, text);
    word->option = option;
    word->is_value = option != NULL;
    bool may_be = !option || mc_far_word_is_trace_option(word);
    if (!may_be || !mc_far_is_address(text)) return MC_OK;
    word->is_address = true;
    line->address_count++;
    return mc_far_address_parse(text, &word->place, &word->path, error);
}

// Takes --keep PATH, which is for this side alone.
static bool take_keep(mc_far_line *line, int argc, const char **argv, int *at) {
    const char *name = argv[*at];
    if (strncmp(name, "--keep=", 7) == 0) {
        line->keep = name + 7;
        return true;
    }
    if (strcmp(name, "--keep") != 0 || *at + 1 >= argc) return false;
    line->keep = argv[++*at];
    return true;
}

static mc_result add_option(mc_far_line *line, const mc_option *options, uint32_t option_count,
                            int argc, const char **argv, int *at, mc_error *error) {
    const char *text = argv[*at], *name = text[1] == '-' ? text + 2 : text + 1;
    const char *equals = strchr(name, '=');
    size_t size = equals ? (size_t)(equals - name) : strlen(name);
    const mc_option *option = find(options, option_count, name, size);
    if (take_keep(line, argc, argv, at)) return MC_OK;
    bool has_value = option && option->kind != MC_OPTION_FLAG;
    if (!has_value || !equals) add(line, text)->option = option;
    if (!has_value) return MC_OK;
    if (!equals) return *at + 1 < argc ? add_value(line, argv[++*at], option, error) : MC_OK;
    char *alone = mc_alloc((size_t)(equals - text) + 1, 1);
    if (!alone) return mc_error_out_of_memory(error);
    memcpy(alone, text, (size_t)(equals - text));
    alone[equals - text] = '\0';
    mc_far_word *word = add(line, alone);
    word->option = option;
    word->is_joined = true;
    return add_value(line, equals + 1, option, error);
}

mc_result mc_far_line_read(mc_far_line *line, const mc_option *options, uint32_t option_count,
                           int argc, const char **argv, mc_error *error) {
    mc_result result = MC_OK;
    *line = (mc_far_line){.words = mc_alloc_zero((size_t)argc * 2 + 1, sizeof(mc_far_word))};
    if (!line->words) return mc_error_out_of_memory(error);
    for (int at = 0; at < argc && result == MC_OK; at++) {
        bool is_behind = line->count > 0 && line->words[line->count - 1].is_behind;
        if (is_behind || strcmp(argv[at], "--") == 0)
            add(line, argv[at])->is_behind = true;
        else if (argv[at][0] == '-' && argv[at][1])
            result = add_option(line, options, option_count, argc, argv, &at, error);
        else
            result = add_value(line, argv[at], NULL, error);
    }
    return result;
}

void mc_far_line_deinit(mc_far_line *line) {
    mc_free(line->words);
    *line = (mc_far_line){.words = NULL};
}
