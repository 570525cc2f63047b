#include "engine/trace/notes.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/trace/trace_columns.h"
#include <inttypes.h>
#include <string.h>

bool mc_note_copy(char **note, const char *text, size_t size) {
    char line[MC_NOTE_SIZE];
    *note = NULL;
    if (size == 0 || mc_printable_copy(line, sizeof line, text, size) == 0) return true;
    *note = mc_copy_string(line);
    return *note != NULL;
}

void mc_note_list_deinit(mc_note_list *list) {
    mc_free(list->items);
    mc_strings_deinit(&list->texts);
    mc_free(list->path);
    *list = (mc_note_list){.items = NULL};
}

// The first step from a time on; `count`: all are before.
static uint32_t find_step(const int64_t *times_ms, uint32_t count, int64_t time_ms) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (times_ms[middle] < time_ms)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static mc_result place(const mc_note_list *list, const mc_listed_note *note,
                       const int64_t *times_ms, uint32_t step_count, char **texts,
                       mc_error *error) {
    bool is_step = !note->is_time && note->at >= 0 && note->at < step_count;
    uint32_t step = is_step         ? (uint32_t)note->at
                    : note->is_time ? find_step(times_ms, step_count, note->at)
                                    : step_count;
    if (step == step_count)
        return mc_fail(
            error, MC_ERROR_BAD_DATA,
            "%s: line %" PRIu32 ", column %" PRIu32 ": %s: the trace has steps 0–%" PRIu32,
            list->path, note->line, note->column,
            note->is_time ? "a time behind the last step" : "no such step", step_count - 1);
    mc_text both = {0};
    size_t size;
    const char *text = mc_strings_get(&list->texts, note->text, &size);
    if (texts[step]) mc_text_format(&both, "%s; ", texts[step]);
    mc_text_append(&both, text, size);
    mc_free(texts[step]);
    texts[step] = NULL;
    bool is_fine = !both.failed && mc_note_copy(&texts[step], both.data, both.size);
    mc_text_deinit(&both);
    return is_fine ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_note_list_place(const mc_note_list *list, const int64_t *times_ms, uint32_t step_count,
                             char **texts, mc_error *error) {
    mc_result result = MC_OK;
    memset(texts, 0, step_count * sizeof *texts);
    for (uint32_t i = 0; i < list->count && result == MC_OK; i++)
        result = place(list, &list->items[i], times_ms, step_count, texts, error);
    for (uint32_t i = 0; i < step_count && result != MC_OK; i++) {
        mc_free(texts[i]);
        texts[i] = NULL;
    }
    return result;
}

mc_result mc_trace_take_notes(mc_trace *trace, const mc_note_list *list, mc_error *error) {
    uint32_t count = trace->step_count;
    int64_t *times_ms = mc_alloc(count, sizeof *times_ms);
    char **texts = mc_alloc(count, sizeof *texts);
    mc_result result = times_ms && texts ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        times_ms[i] = trace->steps[i].info.time_ms;
    if (result == MC_OK) result = mc_note_list_place(list, times_ms, count, texts, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        if (!texts[i]) continue;
        mc_free(trace->steps[i].note);
        trace->steps[i].note = texts[i];
    }
    mc_free(times_ms);
    mc_free(texts);
    return result;
}

bool mc_trace_set_note(mc_trace *trace, uint32_t step_index, const char *text, size_t size) {
    char *note = NULL;
    bool is_fine = mc_note_copy(&note, text, size);
    if (!is_fine) return false;
    mc_free(trace->steps[step_index].note);
    trace->steps[step_index].note = note;
    return true;
}

bool mc_trace_keep_notes(mc_trace *trace, const mc_trace *before) {
    bool is_fine = true;
    for (uint32_t i = 0; i < trace->step_count && i < before->step_count && is_fine; i++) {
        const char *note = before->steps[i].note;
        if (note && !trace->steps[i].note)
            is_fine = mc_trace_set_note(trace, i, note, strlen(note));
    }
    return is_fine;
}
