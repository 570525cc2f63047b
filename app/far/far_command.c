#include "app/command.h"
#include "app/far/far_call.h"
#include "app/far/far_trace.h"
#include "app/far/far_words.h"
#include "engine/base/memory.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM "memcity "
#define KNOWN_MOST 64u // traces fetched by one command, and files of one

typedef struct far_command {
    char name[32]; // empty: a window
    const mc_option_list *list;
    mc_far_line line;
} far_command;

// What draws needs the machine that the user sits at: a trace is fetched.
static bool draws_here(const far_command *self) {
    static const char *const names[] = {"",     "view",  "render", "video",    "report",
                                        "page", "serve", "tree",   "timeline", NULL};
    return mc_far_is_among(self->name, names);
}

static bool stays_here(const far_command *self) {
    static const char *const names[] = {"mcp", "bench", "agent", "formats", "listen", NULL};
    return mc_far_is_among(self->name, names);
}

static bool takes_several_traces(const far_command *self) {
    static const char *const names[] = {"diff", "gate", "merge", "link", NULL};
    return mc_far_is_among(self->name, names);
}

static bool records(const far_command *self) {
    static const char *const names[] = {"record", "run", "attach", NULL};
    return mc_far_is_among(self->name, names);
}

// ---- there

static bool is_plain_word(const mc_far_word *word) {
    return !word->option && !word->is_address && !word->is_behind;
}

static const mc_far_word *find_option(const mc_far_line *line, const char *name) {
    for (uint32_t i = 0; i < line->count; i++)
        if (line->words[i].option && strcmp(line->words[i].option->name, name) == 0)
            return &line->words[i];
    return NULL;
}

// Whether memcity query reads SQL from its input.
static bool reads_sql(const far_command *self) {
    if (strcmp(self->name, "query") != 0 || find_option(&self->line, "f")) return false;
    for (uint32_t i = 0; i < self->line.count; i++)
        if (is_plain_word(&self->line.words[i])) return false;
    return true;
}

static bool reads_input(const far_command *self) {
    for (uint32_t i = 0; i < self->line.count; i++) {
        const mc_far_word *word = &self->line.words[i];
        if (strcmp(word->text, "-") == 0 &&
            !(word->is_value && strcmp(word->option->name, "o") == 0))
            return true;
    }
    return reads_sql(self);
}

// Steps would be appended to a file that the other side does not have.
static int check_outputs(const far_command *self) {
    struct stat its;
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->line.count; i++) {
        const mc_far_word *word = &self->line.words[i];
        if (!mc_far_word_is_output(word)) continue;
        count++;
        if (records(self) && stat(word->text, &its) == 0 && S_ISREG(its.st_mode) && its.st_size > 0)
            return mc_command_wrong_usage(
                "%s: there is such a file, and what is recorded elsewhere "
                "can't be appended to it",
                word->text);
    }
    if (count == 0 && records(self))
        return mc_command_wrong_usage("-o FILE.mct is missing, which the recording is to go to");
    if (count == 0 && self->line.keep)
        return mc_command_wrong_usage("--keep: this command writes no file");
    return MC_EXIT_OK;
}

static void add_words(const far_command *self, mc_far_call *call) {
    const char *keep = self->line.keep;
    mc_far_call_add(call, MC_FAR_WORD, self->name);
    for (uint32_t i = 0; i < self->line.count; i++) {
        const mc_far_word *word = &self->line.words[i];
        bool is_output = mc_far_word_is_output(word);
        if (word->is_address && !word->path) continue;
        if (is_output && keep) {
            mc_far_call_add(call, MC_FAR_KEEP, keep);
            keep = NULL;
        }
        mc_far_call_add(call,
                        word->is_address ? MC_FAR_PATTERN
                        : is_output      ? MC_FAR_OUTPUT
                                         : MC_FAR_WORD,
                        word->is_address ? word->path : word->text);
    }
}

static int run_there(const far_command *self, const mc_far_place *place) {
    mc_far_link link;
    mc_error error = {0};
    mc_far_call call = {.passes_input = reads_input(self)};
    int code = check_outputs(self);
    if (code != MC_EXIT_OK) return code;
    add_words(self, &call);
    mc_result result = mc_far_link_begin(&link, place, &error);
    if (result == MC_OK) result = mc_far_call_run(&link, &call, &code, &error);
    mc_far_link_end(&link);
    mc_far_call_deinit(&call);
    return result == MC_OK ? code : mc_command_fail(&error);
}

// ---- here

static bool is_local_trace(const mc_far_word *word) {
    return mc_far_word_is_trace_option(word) && !word->is_address;
}

// What the command gets instead of its line: paths of fetched traces, and without the options that
// said how to read them. Words that were made for it stay for good.
typedef struct new_line {
    const char **words;
    int count;
} new_line;

// One word, as it came.
static int join(new_line *out) {
    const char *value = out->words[--out->count], *name = out->words[out->count - 1];
    size_t size = strlen(name) + strlen(value) + 2;
    char *both = mc_alloc(size, 1);
    if (!both) {
        mc_message_say("out of memory");
        return MC_EXIT_FAILED;
    }
    snprintf(both, size, "%s=%s", name, value);
    out->words[out->count - 1] = both;
    return MC_EXIT_OK;
}

// Some commands read their line twice.
static struct { char *addresses, *path; } known[KNOWN_MOST];

static int fetch_once(const far_command *self, const mc_far_word *const *group, uint32_t count,
                      char **path) {
    mc_text addresses = {0};
    int code = MC_EXIT_OK;
    uint32_t i = 0;
    for (uint32_t k = 0; k < count; k++)
        mc_text_format(&addresses, "%s\n", group[k]->text);
    while (i < KNOWN_MOST && known[i].path &&
           strcmp(known[i].addresses, mc_text_get(&addresses)) != 0)
        i++;
    if (i < KNOWN_MOST && known[i].path)
        *path = known[i].path;
    else
        code = mc_far_trace_fetch(group, count, &self->line, path);
    if (code == MC_EXIT_OK && i < KNOWN_MOST && !known[i].path) {
        known[i].addresses = mc_copy_string(mc_text_get(&addresses));
        known[i].path = known[i].addresses ? *path : NULL;
    }
    mc_text_deinit(&addresses);
    return code;
}

static int replace(const far_command *self, uint32_t *at, new_line *out) {
    const mc_far_line *line = &self->line;
    const mc_far_word *first = &line->words[*at];
    const mc_far_word *group[KNOWN_MOST];
    uint32_t count = 0;
    char *path;
    group[count++] = first;
    // Files that follow each other are one trace.
    while (draws_here(self) && !first->is_value && *at + 1 < line->count && count < KNOWN_MOST &&
           line->words[*at + 1].is_address && !line->words[*at + 1].is_value &&
           mc_far_place_is_same(&first->place, &line->words[*at + 1].place))
        group[count++] = &line->words[++*at];
    int code = MC_EXIT_OK;
    for (uint32_t i = 0; i < count && code == MC_EXIT_OK; i++)
        if (!group[i]->path)
            code = mc_command_wrong_usage(
                "%s: a path is missing behind it; memcity record %s --pid PID -o FILE.mct records "
                "a program there",
                group[i]->text, group[i]->text);
    if (code == MC_EXIT_OK) code = fetch_once(self, group, count, &path);
    if (code == MC_EXIT_OK) out->words[out->count++] = path;
    return code;
}

static int fetch(const far_command *self, new_line *out) {
    const mc_far_line *line = &self->line;
    bool has_local = false;
    int code = MC_EXIT_OK;
    for (uint32_t i = 0; i < line->count; i++)
        has_local = has_local || is_local_trace(&line->words[i]);
    mc_free((void *)out->words);
    *out = (new_line){.words = mc_alloc_zero(line->count + 1, sizeof *out->words)};
    if (!out->words) {
        mc_message_say("out of memory");
        return MC_EXIT_FAILED;
    }
    for (uint32_t i = 0; i < line->count && code == MC_EXIT_OK; i++) {
        if (line->words[i].is_address)
            code = replace(self, &i, out);
        else if (has_local || !mc_far_word_is_input(&line->words[i]))
            out->words[out->count++] = line->words[i].text;
        else
            continue;
        if (code == MC_EXIT_OK && i > 0 && line->words[i - 1].is_joined) code = join(out);
    }
    return code;
}

// ---- where

// Whether all that is asked lies at one place; there the command can run.
static bool is_at_one_place(const far_command *self, const mc_far_place **place) {
    const mc_far_line *line = &self->line;
    bool opens_address = false; // else what is opened is here, and only another trace is not
    *place = NULL;
    for (uint32_t i = 0; i < line->count; i++) {
        const mc_far_word *word = &line->words[i];
        opens_address = opens_address || (word->is_address && !word->is_value);
        if (is_local_trace(word) || (takes_several_traces(self) && is_plain_word(word)))
            return false;
        if (!word->is_address) continue;
        if (*place && !mc_far_place_is_same(*place, &word->place)) return false;
        *place = &word->place;
    }
    return opens_address;
}

// What is wrong with the line is said before anything goes anywhere.
static bool is_right(const far_command *self, const mc_command_usage *usage, int *code) {
    const mc_far_line *line = &self->line;
    const char **words = mc_alloc_zero(line->count + 1, sizeof *words);
    int count = 0;
    uint32_t positional_count;
    if (!words) {
        mc_message_say("out of memory");
        *code = MC_EXIT_FAILED;
        return false;
    }
    for (uint32_t i = 0; i < line->count; i++)
        if (!line->words[i].is_address || line->words[i].path) words[count++] = line->words[i].text;
    mc_options_result parsed = mc_options_parse(usage, count, words, &positional_count);
    for (uint32_t i = 0; i < usage->option_count; i++)
        if (usage->options[i].kind == MC_OPTION_LIST)
            ((mc_option_texts *)usage->options[i].target)->count = 0;
    mc_free(words);
    *code = parsed == MC_OPTIONS_WRONG ? MC_EXIT_USAGE : MC_EXIT_OK;
    return parsed == MC_OPTIONS_OK;
}

// An address without a path says where to record, or what is asked of a machine; it is no trace.
static bool names_traces(const far_command *self, const mc_command_usage *usage, int *code) {
    const mc_far_word *without = NULL;
    if (usage->least_positional == 0 || records(self)) return true;
    for (uint32_t i = 0; i < self->line.count; i++) {
        const mc_far_word *word = &self->line.words[i];
        if (is_plain_word(word) || (word->is_address && word->path)) return true;
        if (word->is_address) without = word;
    }
    if (!without) return true;
    *code = mc_command_wrong_usage("%s names no file there; expected %s/PATH", without->text,
                                   without->text);
    return false;
}

// `jcmd -l` of this machine knows none of the programs there.
static bool has_process(const far_command *self, const mc_command_usage *usage, int *code) {
    const mc_far_line *line = &self->line;
    const mc_far_place *place = NULL;
    uint32_t pid = 0;
    if (strcmp(self->name, "record") != 0) return true;
    for (uint32_t i = 0; i < line->count; i++)
        if (line->words[i].is_address && !line->words[i].is_value) place = &line->words[i].place;
    for (uint32_t i = 0; i < usage->option_count; i++)
        if (strcmp(usage->options[i].name, "pid") == 0) pid = *(uint32_t *)usage->options[i].target;
    if (!place || pid != MC_NONE) return true;
    mc_text words = {0};
    mc_far_append_words(place, "jcmd -l", &words);
    *code = mc_command_wrong_usage(
        "record: --pid PID is missing; `%s` lists the Java programs there", mc_text_get(&words));
    mc_text_deinit(&words);
    return false;
}

static void read_name(const char *synopsis, char *name, size_t size) {
    const char *begin = synopsis + strlen(PROGRAM);
    size_t length = strcspn(begin, " ");
    bool is_named = strncmp(synopsis, PROGRAM, strlen(PROGRAM)) == 0 && begin[0] != '[';
    snprintf(name, size, "%.*s", is_named ? (int)length : 0, begin);
}

static bool is_output(const mc_option *option) {
    return mc_far_word_is_output(&(mc_far_word){.text = "x", .option = option, .is_value = true});
}

// Behind what it writes; of a window, behind its first own option.
void mc_command_add_keep(mc_option_list *list, const char *synopsis, const char **keep) {
    far_command self = {.list = NULL};
    read_name(synopsis, self.name, sizeof self.name);
    uint32_t at = MC_NONE, before = list->count;
    for (uint32_t i = 0; i < before && at == MC_NONE; i++)
        if (is_output(&list->options[i])) at = i + 1;
    bool is_window = mc_far_is_among(self.name, (const char *const[]){"", "view", "open", NULL});
    for (uint32_t i = 0; i < before && at == MC_NONE && is_window; i++)
        if (strcmp(list->options[i].name, "step") == 0) at = i + 1;
    if (at == MC_NONE || stays_here(&self)) return;
    list->group = list->options[at - 1].group;
    mc_option_list_add_string(list, "keep", keep, "PATH",
                              "with ssh://HOST/PATH and the like: leave the trace, or the file "
                              "that is written, there as well, under this name");
    mc_option added = list->options[before];
    memmove(&list->options[at + 1], &list->options[at], (before - at) * sizeof added);
    list->options[at] = added;
}

static bool stays;

void mc_command_stay_here(void) {
    stays = true;
}

bool mc_command_stays_here(void) {
    return stays;
}

bool mc_command_go_far(const mc_command_usage *usage, int *argc, const char **argv, int *code) {
    far_command self = {.list = NULL};
    mc_error error = {0};
    static new_line fetched;
    bool ends = true;
    const mc_far_place *place;
    bool has_address = false;
    for (int i = 0; i < *argc; i++)
        has_address = has_address || strstr(argv[i], "://");
    if (!has_address || stays) return false;
    read_name(usage->synopsis, self.name, sizeof self.name);
    mc_result result =
        mc_far_line_read(&self.line, usage->options, usage->option_count, *argc, argv, &error);
    if (result == MC_OK && self.line.address_count == 0) {
        mc_far_line_deinit(&self.line);
        return false;
    }
    void (*former)(int) = signal(SIGPIPE, SIG_IGN);
    bool is_one = is_at_one_place(&self, &place);
    if (result != MC_OK) {
        *code = mc_command_fail(&error);
    } else if (stays_here(&self)) {
        *code = mc_command_wrong_usage("%s: this works on this machine only", self.name);
    } else if (names_traces(&self, usage, code) && is_right(&self, usage, code) &&
               has_process(&self, usage, code)) {
        bool is_prompt = reads_sql(&self) && isatty(STDIN_FILENO);
        if (draws_here(&self) || is_prompt || !is_one) {
            *code = fetch(&self, &fetched);
            ends = *code != MC_EXIT_OK;
        } else {
            *code = run_there(&self, place);
        }
    }
    if (!ends) {
        *argc = fetched.count; // not more than there were
        memcpy(argv, fetched.words, (size_t)fetched.count * sizeof *argv);
    }
    signal(SIGPIPE, former);
    mc_far_line_deinit(&self.line);
    return ends;
}
