#include "app/query/prompt.h"

#include "app/query/functions.h"
#include "app/user_files.h"
#include "engine/base/file_target.h"
#include "engine/base/memory.h"
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef MC_HAS_EDIT
#include <histedit.h>
#endif

#define HISTORY_MOST 1000

struct mc_query_prompt {
#ifdef MC_HAS_EDIT
    EditLine *edit;
    History *history;
    mc_text path; // of the history; empty: there is no place for it
#endif
    const char *text;
};

#ifdef MC_HAS_EDIT

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

// ---- completion

static const char *const words[] = {"SELECT", "FROM",    "WHERE", "GROUP BY", "ORDER BY", "DESC",
                                    "LIMIT",  "JOIN",    "LIKE",  "REGEXP",   "count(",   "sum(",
                                    "leaves", ".tables", ".help", ".quit",    NULL};

// Of the names that begin so.
typedef struct completion {
    const char *begin;
    size_t size;
    mc_text common; // how far all of them agree
    mc_text names;  // each once, behind a line break, and one in the end
    uint32_t count;
} completion;

static bool is_new(const completion *self, const char *name) {
    mc_text line = {0};
    mc_text_format(&line, "\n%s\n", name);
    bool is_there = line.failed || strstr(mc_text_get(&self->names), mc_text_get(&line));
    mc_text_deinit(&line);
    return !is_there;
}

static void consider(completion *self, const char *name) {
    if (strncasecmp(name, self->begin, self->size) != 0 || !is_new(self, name)) return;
    mc_text_format(&self->names, "%s%s\n", self->count == 0 ? "\n" : "", name);
    if (self->count++ == 0) {
        mc_text_append_string(&self->common, name);
        return;
    }
    size_t same = 0;
    while (same < self->common.size &&
           tolower((unsigned char)self->common.data[same]) == tolower((unsigned char)name[same]))
        same++;
    if (self->common.data) self->common.data[same] = '\0';
    self->common.size = same;
}

static void consider_all(completion *self) {
    for (uint32_t i = 0; words[i]; i++)
        consider(self, words[i]);
    for (uint32_t i = 0; mc_query_functions[i].name; i++)
        consider(self, mc_query_functions[i].name);
    for (uint32_t i = 0; mc_query_tables[i]; i++) {
        consider(self, mc_query_tables[i]->name);
        for (uint32_t k = 0; k < mc_query_tables[i]->column_count; k++)
            consider(self, mc_query_tables[i]->columns[k].name);
    }
}

enum { LIST_WIDTH = 78 };

static void print_names(const completion *self) {
    const char *at = mc_text_get(&self->names);
    size_t width = LIST_WIDTH;
    while (*at == '\n' && at[1]) {
        size_t size = strcspn(++at, "\n");
        bool is_first = width + 2 + size > LIST_WIDTH;
        printf("%s%.*s", is_first ? "\n" : "  ", (int)size, at);
        width = size + (is_first ? 0 : width + 2);
        at += size;
    }
    printf("\n");
    fflush(stdout);
}

static unsigned char complete(EditLine *edit, int key) {
    const LineInfo *line = el_line(edit);
    const char *begin = line->cursor;
    (void)key;
    while (begin > line->buffer &&
           (isalnum((unsigned char)begin[-1]) || begin[-1] == '_' || begin[-1] == '.'))
        begin--;
    const char *dot = memchr(begin, '.', (size_t)(line->cursor - begin));
    if (dot && dot > begin) begin = dot + 1; // a column of "a.column"
    completion self = {.begin = begin, .size = (size_t)(line->cursor - begin)};
    if (self.size == 0) return CC_ERROR;
    consider_all(&self);
    unsigned char result = CC_ERROR;
    bool is_told = self.count > 1 && self.common.size == self.size && !self.names.failed;
    if (is_told) {
        print_names(&self);
        result = CC_REDISPLAY;
    } else if (self.count > 0 && self.common.size >= self.size && !self.common.failed) {
        bool is_longer = self.common.size > self.size;
        el_deletestr(edit, (int)self.size);
        if (el_insertstr(edit, self.common.data) == 0)
            result = is_longer ? CC_REFRESH : CC_REFRESH_BEEP;
        if (self.count == 1 && is_longer) (void)el_insertstr(edit, " ");
    }
    mc_text_deinit(&self.common);
    mc_text_deinit(&self.names);
    return result;
}

// ---- lines

static char *get_prompt(EditLine *edit) {
    void *prompt = NULL;
    el_get(edit, EL_CLIENTDATA, &prompt);
    return (char *)(prompt ? ((mc_query_prompt *)prompt)->text : "");
}

static void start(mc_query_prompt *self) {
    HistEvent event;
    self->edit = el_init("memcity", stdin, stdout, stderr);
    self->history = history_init();
    if (!self->edit || !self->history) return;
    history(self->history, &event, H_SETSIZE, HISTORY_MOST);
    history(self->history, &event, H_SETUNIQUE, 1);
    el_set(self->edit, EL_CLIENTDATA, self);
    el_set(self->edit, EL_PROMPT, get_prompt);
    el_set(self->edit, EL_EDITOR, "emacs");
    el_set(self->edit, EL_HIST, history, self->history);
    // Wide, as libedit keeps these texts; copies that it makes of others are never freed.
    el_wset(self->edit, EL_ADDFN, L"complete", L"complete a name", complete);
    el_set(self->edit, EL_BIND, "^I", "complete", NULL);
    el_set(self->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
    if (mc_user_append_history_path(&self->path))
        history(self->history, &event, H_LOAD, self->path.data);
}

static bool read_line(mc_query_prompt *self, mc_text *line, bool *is_interrupted) {
    struct sigaction action = {.sa_handler = note_interrupt}, former;
    int count = 0;
    interrupted = 0;
    sigaction(SIGINT, &action, &former);
    errno = 0;
    const char *read = el_gets(self->edit, &count);
    sigaction(SIGINT, &former, NULL);
    bool is_whole = read && count > 0;
    // A line that was ended counts, also if Ctrl+C came before its first letter was waited for.
    *is_interrupted = !is_whole && (interrupted || (count < 0 && errno == EINTR));
    if (*is_interrupted) el_reset(self->edit);
    if (!is_whole) return *is_interrupted;
    mc_text_append(line, read, (size_t)count - (read[count - 1] == '\n'));
    return true;
}

#endif

mc_query_prompt *mc_query_prompt_create(void) {
    mc_query_prompt *self = mc_alloc_zero(1, sizeof *self);
#ifdef MC_HAS_EDIT
    if (self) start(self);
#endif
    return self;
}

void mc_query_prompt_destroy(mc_query_prompt *prompt) {
    if (!prompt) return;
#ifdef MC_HAS_EDIT
    HistEvent event;
    if (prompt->history && prompt->path.size > 0) {
        // Queries name classes of the user's programs: nobody else reads them.
        mode_t mask = umask(0077);
        if (mc_file_make_parents(prompt->path.data, MC_USER_FOLDER_MODE, NULL) == MC_OK)
            history(prompt->history, &event, H_SAVE, prompt->path.data);
        umask(mask);
    }
    if (prompt->history) history_end(prompt->history);
    if (prompt->edit) el_end(prompt->edit);
    mc_text_deinit(&prompt->path);
#endif
    mc_free(prompt);
}

// Without libedit, and where it does not start.
static bool read_plain_line(const char *text, mc_text *line) {
    char *read = NULL;
    size_t capacity = 0;
    fputs(text, stdout);
    fflush(stdout);
    ssize_t count = getline(&read, &capacity, stdin);
    if (count > 0) mc_text_append(line, read, (size_t)count - (read[count - 1] == '\n'));
    free(read);
    return count > 0;
}

bool mc_query_prompt_read(mc_query_prompt *prompt, const char *text, mc_text *line,
                          bool *is_interrupted) {
    mc_text_clear(line);
    *is_interrupted = false;
    prompt->text = text;
#ifdef MC_HAS_EDIT
    if (prompt->edit && prompt->history) return read_line(prompt, line, is_interrupted);
#endif
    return read_plain_line(text, line);
}

void mc_query_prompt_remember(mc_query_prompt *prompt, const char *statement) {
#ifdef MC_HAS_EDIT
    HistEvent event;
    if (prompt->history) history(prompt->history, &event, H_ENTER, statement);
#else
    (void)prompt;
    (void)statement;
#endif
}
