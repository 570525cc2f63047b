#include "app/session/name_cache.h"

#include "app/format.h"
#include "app/pair.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"

#define NAME_COUNT 128 // more than are on a screen

struct mc_name_cache {
    mc_text names[NAME_COUNT]; // those that can't be shown as they are, in turn
    size_t next_name;
};

mc_name_cache *mc_name_cache_create(void) {
    return mc_alloc_zero(1, sizeof(mc_name_cache));
}

void mc_name_cache_destroy(mc_name_cache *words) {
    if (!words) return;
    for (size_t i = 0; i < NAME_COUNT; i++)
        mc_text_deinit(&words->names[i]);
    mc_free(words);
}

static const char *show(const mc_session *session, const char *name, size_t size) {
    if (mc_printable_measure(name, size) == size) return name;
    mc_name_cache *words = session->names;
    mc_text *text = &words->names[words->next_name++ % NAME_COUNT];
    mc_text_clear(text);
    mc_format_append_line(text, name, size);
    return text->data && !text->failed ? text->data : "";
}

const char *mc_session_get_name(const mc_session *session, uint32_t node) {
    size_t size;
    const char *name = mc_trace_get_name(session->trace, node, &size);
    return show(session, name, size);
}

const char *mc_session_get_label(const mc_session *session, uint32_t node) {
    bool is_moved =
        mc_trace_is_versus(session->trace) && mc_versus_find_move(session->trace, node, NULL);
    if (!is_moved || !session->shown) return mc_session_get_name(session, node);
    mc_name_cache *words = session->names;
    mc_text *text = &words->names[words->next_name++ % NAME_COUNT];
    mc_text_clear(text);
    mc_pair_append_name(session->trace, session->shown->metric, node, text);
    return text->data && !text->failed ? text->data : "";
}

const char *mc_session_get_role(const mc_session *session, uint32_t classifier) {
    size_t size;
    const char *name = mc_trace_get_classifier(session->trace, classifier, &size);
    return show(session, name, size);
}
