#include "app/session/status_text.h"

#include "engine/base/printable_text.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SAID_S 3.0
#define LONG_SAID_S 6.0 // what is to be read in full

// ---- what fields are called

// Where the name in files is not what one would say; an empty title: one sees it anyway.
static const struct {
    const char *name, *title;
    const char *zero; // what none of it means; NULL: 0
} words[] = {
    {"view", "", NULL},
    {"notes", "Notes of steps", NULL},
    {"samples", "Samples of a pixel", "as usual"},
    {"byte_units", "Units of bytes, from the next start on", NULL},
    {"device", "Device, from the next start on", NULL},
    {"usual_group_by", "Traces are grouped by", NULL},
    {"panels", "", NULL},
    {"selection_open", "", NULL},
    {"suspects_open", "", NULL},
    {"references_open", "", NULL},
    {"contents_open", "", NULL},
    {"walk_open", "", NULL},
    {"why_open", "", NULL},
    {"roots_open", "", NULL},
    {"differences_open", "", NULL},
    {"linked_open", "", NULL},
    {"pair", "Two traces", NULL},
    {"align", "Steps of A and B beside each other by", NULL},
    {"view_open", "", NULL},
    {"text_scale", "", NULL},
    {"moving", "While the camera moves, resolution", NULL},
    {"window", "Time window: steps", NULL},
    {"child_limit", "Child limit", "none"},
    {"color_by_growth", "Colour by growth", NULL},
    {"color_by", "Colour by", NULL},
    {"color_metric", "Colour by the value of", NULL},
    {"height_by", "Height by", NULL},
    {"height_metric", "Height by the value of", NULL},
    {"opacity_by_growth", "Highlight top growers", NULL},
    {"opacity_mode", "Others", NULL},
    {"light", "Shadows", NULL},
    {"opaque_count", "Top growers", NULL},
    {"opacity", "Opacity of the others", NULL},
    {"dark", "Dark theme", NULL},
    {"roots", "GC roots", NULL},
    {"show_incoming", "References in", NULL},
    {"show_outgoing", "References out", NULL},
    {"most_references", "Strongest references", "all"},
    {"arcs", "References as arcs", NULL},
    {"most_streets", "Strongest streets", "all"},
    {"tree_sort", "Order", NULL},
    {"tree_color", "Colour by", NULL},
    {"tree_levels", "Levels", "all"},
    {"tree_scaled", "Area as the total", NULL},
    {"tree_pruned", "What is small as Others", NULL},
    {"tree_prune_most", "Largest that are no Others", NULL},
    {"tree_prune_share", "Share that is no Others", NULL},
    {"tree_steps", "Small trees of steps", NULL},
    {"tree_steps_scaled", "Small trees' areas as the total", NULL},
    {"step_duration", "Seconds a step", NULL},
};

static size_t find_words(const char *name) {
    size_t i = 0, count = sizeof words / sizeof *words;
    while (i < count && strcmp(words[i].name, name) != 0)
        i++;
    return i < count ? i : SIZE_MAX;
}

static void append_title(mc_text *out, const char *name) {
    size_t known = find_words(name);
    if (known != SIZE_MAX) {
        mc_text_append_string(out, words[known].title);
        return;
    }
    for (size_t i = 0; name[i]; i++) {
        char small = name[i] == '_' ? ' ' : name[i];
        bool is_letter = small >= 'a' && small <= 'z';
        char shown = i == 0 && is_letter ? (char)(small - 'a' + 'A') : small;
        mc_text_append(out, &shown, 1);
    }
}

static void append_value(mc_text *out, const mc_form_field *field, const char *name,
                         const void *value) {
    const uint32_t *numbers = value;
    const mc_form_steps *steps = value;
    size_t known = find_words(name);
    const char *zero = known == SIZE_MAX ? NULL : words[known].zero;
    switch (field->kind) {
    case MC_FORM_BOOL: mc_text_append_string(out, *(const bool *)value ? "on" : "off"); break;
    case MC_FORM_SWITCH: mc_text_append_string(out, *numbers ? "on" : "off"); break;
    case MC_FORM_CHOICE: mc_text_append_string(out, field->choices[*numbers]); break;
    case MC_FORM_UINT:
        if (*numbers == 0 && zero)
            mc_text_append_string(out, zero);
        else
            mc_text_format(out, "%" PRIu32, *numbers);
        break;
    case MC_FORM_RANGE: mc_text_format(out, "%" PRIu32 "–%" PRIu32, numbers[0], numbers[1]); break;
    case MC_FORM_FLOAT:
        if (field->most == 1)
            mc_text_format(out, "%.0f %%", (double)*(const float *)value * 100);
        else
            mc_text_format(out, "%.3g", (double)*(const float *)value);
        break;
    case MC_FORM_DOUBLE: mc_text_format(out, "%.3g", *(const double *)value); break;
    case MC_FORM_NAME:
        for (const char *at = *(const char *)value ? value : "none"; *at; at++)
            mc_text_append_string(out, *at == '\n' ? "; " : (const char[]){*at, '\0'});
        break;
    case MC_FORM_STEPS:
        for (uint32_t i = 0; i < steps->count; i++)
            mc_text_format(out, "%s%" PRIu32, i > 0 ? ", " : "", steps->items[i]);
        if (steps->count == 0) mc_text_append_string(out, "none");
        break;
    default: break; // no setting has any
    }
}

static void append_fields(const mc_form_field *fields, uint32_t count, const void *before,
                          const void *after, mc_text *out) {
    for (uint32_t i = 0; i < count; i++) {
        const mc_form_field *field = &fields[i];
        const char *value = (const char *)after + field->offset;
        if (field->kind == MC_FORM_PART) {
            append_fields(field->fields, field->count, (const char *)before + field->offset, value,
                          out);
            continue;
        }
        // Files have the time window beside the settings; of other fields without a name, another
        // row says the same.
        const char *name = field->kind == MC_FORM_RANGE ? field->option : field->name;
        if (!name || !mc_form_differs(field, 1, UINT32_MAX, before, after)) continue;
        size_t known = find_words(name);
        if (known != SIZE_MAX && !words[known].title[0]) continue;
        if (out->size > 0) mc_text_append_string(out, " · ");
        append_title(out, name);
        mc_text_append_string(out, field->kind == MC_FORM_RANGE ? " " : ": ");
        append_value(out, field, name, value);
    }
}

void mc_session_append_changes(const mc_settings *before, const mc_settings *after, mc_text *out) {
    append_fields(mc_settings_fields, MC_SETTINGS_FIELD_COUNT, before, after, out);
}

// ---- saying it

static void put(mc_session *session, const char *text, double seconds) {
    session->status.text.size = 0;
    mc_printable_append(&session->status.text, text, strlen(text));
    session->status.count++;
    session->status.end_ns = session->turn.now_ns + (uint64_t)(seconds * 1e9);
    mc_session_redraw(session);
}

void mc_session_set_status(mc_session *session, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(session, text, LONG_SAID_S);
}

void mc_session_set_status_of_changes(mc_session *session, const char *prefix,
                                      const mc_settings *before, const mc_settings *after) {
    mc_text changes = {0}, text = {0};
    mc_session_append_changes(before, after, &changes);
    if (changes.size > 0) mc_text_format(&text, "%s%s", prefix, changes.data);
    if (text.size > 0 && !changes.failed && !text.failed) put(session, text.data, SAID_S);
    mc_text_deinit(&changes);
    mc_text_deinit(&text);
}

void mc_session_end_status(mc_session *session) {
    if (session->status.text.size == 0 || session->turn.now_ns < session->status.end_ns) return;
    mc_text_clear(&session->status.text);
    mc_session_redraw(session);
}

double mc_session_get_next(mc_session *session, const double *values, size_t count, double value,
                           bool larger) {
    for (size_t i = 0; i < count; i++) {
        double candidate = values[larger ? i : count - 1 - i];
        if (larger ? candidate > value + 1e-9 : candidate < value - 1e-9) return candidate;
    }
    mc_session_set_status(session, "It goes no further.");
    return value;
}
