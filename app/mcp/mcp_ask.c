#include "app/mcp/mcp_ask.h"

#include "engine/import/heap_file.h"
#include "engine/live/child.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    WORDS_MOST = 2 * MC_MCP_TEXTS_MOST + 24,
    WORD_MOST = 128000, // bytes of an argument: Linux takes 128 KiB with what ends it
};

mc_result mc_mcp_refuse(mc_mcp_call *self, const char *sentence) {
    self->answer->is_error = true;
    mc_text_clear(&self->answer->text);
    mc_text_append_string(&self->answer->text, sentence);
    return MC_OK;
}

static mc_result refuse_outcome(mc_mcp_call *self, const mc_child_outcome *outcome) {
    char text[MC_MCP_MESSAGE_MOST];
    const char *messages = mc_text_get(&outcome->messages);
    size_t size = outcome->messages.size;
    if (outcome->is_timed_out) return mc_mcp_refuse(self, "the answer takes too long");
    if (outcome->exit_code < 0)
        return mc_mcp_refuse(self, "the command failed: its process was ended");
    while (size > 0 && (messages[size - 1] == '\n' || size >= sizeof text))
        size--;
    snprintf(text, sizeof text, "%.*s", (int)size, messages);
    return mc_mcp_refuse(self, text[0] ? text : "the command failed");
}

static bool refuse_long(mc_mcp_call *self, const char *const *words) {
    char sentence[128];
    for (; *words; words++) {
        size_t size = strlen(*words);
        if (size <= WORD_MOST) continue;
        snprintf(sentence, sizeof sentence, "a text has %d bytes at most here; this one has %zu",
                 WORD_MOST, size);
        (void)mc_mcp_refuse(self, sentence);
        return true;
    }
    return false;
}

bool mc_mcp_run(mc_mcp_call *self, const char *const *words, mc_child_outcome *outcome) {
    const char *arguments[WORDS_MOST];
    uint32_t count = 0;
    mc_error error = {0};
    if (refuse_long(self, words)) return false;
    arguments[count++] = self->tools->program;
    arguments[count++] = words[0];
    for (uint32_t i = 0; i < self->path_count; i++)
        arguments[count++] = self->paths[i];
    for (uint32_t i = 1; words[i] && count + 1 < WORDS_MOST; i++)
        arguments[count++] = words[i];
    arguments[count] = NULL;
    mc_child_desc desc = {.arguments = arguments,
                          .timeout_ms = self->tools->timeout_ms,
                          .should_stop = self->tools->should_stop,
                          .user = self->tools->user};
    if (mc_child_run(&desc, outcome, &error) != MC_OK) {
        (void)mc_mcp_refuse(self, error.message);
        return false;
    }
    // 3: the input is damaged, and what is there was told.
    bool is_fine = outcome->exit_code == 0 || (outcome->exit_code == 3 && outcome->output.size > 0);
    if (!is_fine) (void)refuse_outcome(self, outcome);
    if (is_fine && outcome->exit_code == 3) {
        size_t size = strcspn(mc_text_get(&outcome->messages), "\n");
        mc_text_format(&self->damage, "; the input is damaged: %.*s", size < 200 ? (int)size : 200,
                       mc_text_get(&outcome->messages));
    }
    return is_fine;
}

static mc_cell make_ready(const char *json, size_t size) {
    return (mc_cell){.kind = MC_CELL_READY, .of.size = size, .in.text = json};
}

void mc_mcp_add_data(mc_mcp_call *self, const char *name, const char *json, size_t size) {
    while (size > 0 && json[size - 1] == '\n')
        size--;
    mc_print_put(&self->print, name, size > 0 ? make_ready(json, size) : mc_cell_null());
}

// ---- SQL

const char mc_mcp_basis_sql[] =
    "SELECT printf('%d %d %d %d %d', (SELECT count(*) FROM steps), (SELECT count(*) FROM metrics "
    "WHERE metric IN ('variance', 'sampling', 'samples', 'allocated_so_far')), (SELECT count(*) "
    "FROM steps WHERE liveness = 'garbage'), (SELECT count(*) FROM steps WHERE missing IS NOT "
    "NULL), (SELECT count(*) FROM metrics WHERE metric = 'sampling' AND NOT EXISTS (SELECT 1 FROM "
    "measures WHERE node = 0 AND metric = 'sampling' AND value > 0))) AS basis;";

typedef struct basis {
    unsigned long steps, sampled, garbage, incomplete;
    unsigned long untold; // profiles that do not say whether they sampled
} basis;

static void append_basis(mc_text *out, const basis *of) {
    mc_text_format(out, "%s of %lu %s",
                   of->untold > 0    ? "counts or samples (the profile does not say which)"
                   : of->sampled > 0 ? "sampled: estimates, not counts,"
                                     : "exact counts",
                   of->steps, of->steps == 1 ? "step" : "steps");
    if (of->steps < 5)
        mc_text_append_string(out, "; early: so few steps can't show whether growth goes on");
    if (of->garbage > 0)
        mc_text_format(out, "; %lu of them count garbage that was not collected yet", of->garbage);
    if (of->incomplete > 0) mc_text_format(out, "; %lu of them are incomplete", of->incomplete);
}

// The five numbers, in a text in an object in a list.
static void tell_basis(mc_mcp_call *self, const char *json) {
    basis of;
    const char *text = strchr(json, ':');
    if (text && sscanf(text + 1, "\"%lu %lu %lu %lu %lu", &of.steps, &of.sampled, &of.garbage,
                       &of.incomplete, &of.untold) == 5)
        append_basis(&self->basis, &of);
}

// That lists are empty since the trace doesn't know better, once.
static void tell_lacks(mc_mcp_call *self, const char *messages) {
    static const char lack[] = "the trace does not know ";
    mc_text line = {0};
    while ((messages = strstr(messages, lack))) {
        size_t size = strcspn(messages, "\n");
        mc_text_clear(&line);
        mc_text_format(&line, "; %.*s", size < 200 ? (int)size : 200, messages);
        if (!line.failed && !strstr(mc_text_get(&self->basis), line.data))
            mc_text_append(&self->basis, line.data, line.size);
        messages += size;
    }
    mc_text_deinit(&line);
}

// The size of the list that begins here, with what ends its line.
static size_t measure_list(const char *json, size_t size) {
    uint32_t depth = 0;
    for (size_t at = 0; at < size; at++) {
        if (json[at] == '"') {
            for (at++; at < size && json[at] != '"'; at++)
                if (json[at] == '\\') at++;
            continue;
        }
        depth += json[at] == '[' || json[at] == '{';
        if ((json[at] == ']' || json[at] == '}') && --depth == 0)
            return at + 2 < size ? at + 2 : size;
    }
    return size;
}

// Each row but the last ends its line, which nothing in a row does. Returns how many go.
static uint32_t keep_rows(mc_text *rows, uint32_t most) {
    const char *end = NULL, *at = mc_text_get(rows);
    uint32_t breaks = 0;
    while ((at = strstr(at, ",\n"))) {
        if (++breaks == most) end = at;
        at++;
    }
    if (!end) return 0;
    rows->size = (size_t)(end - rows->data);
    mc_text_append_string(rows, "]");
    return breaks + 1 - most;
}

// False: it lacks what it can't do without, and an answer says so.
static bool add_section(mc_mcp_call *self, const mc_mcp_section *wanted, const char *json,
                        size_t size) {
    mc_text rows = {0};
    bool is_empty = strncmp(json, "[]", 2) == 0;
    if (is_empty && wanted->if_empty) {
        (void)mc_mcp_refuse(self, wanted->if_empty);
        return false;
    }
    mc_text_append(&rows, json, size);
    if (wanted->most > 0) self->left_out += keep_rows(&rows, wanted->most);
    mc_mcp_add_data(self, wanted->name, mc_text_get(&rows), rows.size);
    self->data.failed |= rows.failed;
    mc_text_deinit(&rows);
    return true;
}

static void add_sections(mc_mcp_call *self, const mc_child_outcome *outcome,
                         const mc_mcp_section *sections, uint32_t count) {
    const char *at = mc_text_get(&outcome->output);
    size_t left = outcome->output.size;
    bool goes_on = true;
    for (uint32_t i = 0; i < count && left > 0 && goes_on; i++) {
        size_t size = measure_list(at, left);
        if (sections[i].name)
            goes_on = add_section(self, &sections[i], at, size);
        else
            tell_basis(self, at);
        at += size;
        left -= size;
    }
    if (goes_on && left > 0)
        mc_text_append_string(&self->basis, "; of more statements than these no rows are told");
}

mc_result mc_mcp_ask(mc_mcp_call *self, const char *sql, const mc_mcp_section *sections,
                     uint32_t count, const char *option) {
    mc_child_outcome outcome = {0};
    char time[32];
    const char *const words[] = {"query",          "--json", "--time", time,   "-n",
                                 MC_MCP_ROWS_MOST, "--sql",  sql,      option, NULL};
    snprintf(time, sizeof time, "%" PRIu64 "ms", self->tools->timeout_ms);
    if (mc_mcp_run(self, words, &outcome)) {
        const char *messages = mc_text_get(&outcome.messages);
        self->has_more = strstr(messages, "there are more than") != NULL;
        add_sections(self, &outcome, sections, count);
        tell_lacks(self, messages);
    }
    mc_child_outcome_deinit(&outcome);
    return MC_OK;
}

// A dump that is one step; other heaps may be films of several.
static bool is_one_step(const char *path) {
    bool is_dump = false;
    int64_t time_ms;
    const char *slash = strrchr(path, '/');
    return strstr(slash ? slash : path, ".hprof") &&
           mc_heap_file_peek(path, &is_dump, &time_ms, NULL) == MC_OK && is_dump;
}

bool mc_mcp_ask_basis(mc_mcp_call *self, uint32_t first, uint32_t count) {
    static const mc_mcp_section section = {.name = NULL};
    mc_mcp_call part = {.tools = self->tools, .answer = self->answer, .path_count = count};
    bool are_dumps = true;
    for (uint32_t i = 0; i < count; i++) {
        part.paths[i] = self->paths[first + i];
        are_dumps = are_dumps && is_one_step(part.paths[i]);
    }
    if (are_dumps) // which needs not be read for that
        append_basis(&part.basis, &(basis){.steps = count});
    else
        (void)mc_mcp_ask(&part, mc_mcp_basis_sql, &section, 1, NULL);
    mc_text_append(&self->basis, mc_text_get(&part.basis), part.basis.size);
    mc_text_deinit(&part.basis);
    mc_text_deinit(&part.damage);
    return !self->answer->is_error;
}
