#include "app/session/name_cache.h"

#include "app/format.h"
#include "app/pair.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"

#define TEXT_COUNT 2048 // more than are on a screen

struct mc_name_cache {
    mc_text texts[TEXT_COUNT]; // in turn
    size_t next;
};

mc_name_cache *mc_name_cache_create(void) {
    return mc_alloc_zero(1, sizeof(mc_name_cache));
}

void mc_name_cache_destroy(mc_name_cache *words) {
    if (!words) return;
    for (size_t i = 0; i < TEXT_COUNT; i++)
        mc_text_deinit(&words->texts[i]);
    mc_free(words);
}

mc_text *mc_session_get_text(const mc_session *session) {
    mc_name_cache *words = session->names;
    mc_text *text = &words->texts[words->next++ % TEXT_COUNT];
    mc_text_clear(text);
    return text;
}

static const char *show(const mc_session *session, const char *name, size_t size) {
    if (mc_printable_measure(name, size) == size) return name;
    mc_text *text = mc_session_get_text(session);
    mc_format_append_line(text, name, size);
    return mc_text_get(text);
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
    mc_text *text = mc_session_get_text(session);
    mc_pair_append_name(session->trace, session->shown->metric, node, text);
    return mc_text_get(text);
}

const char *mc_session_get_role(const mc_session *session, uint32_t classifier) {
    size_t size;
    const char *name = mc_trace_get_classifier(session->trace, classifier, &size);
    return show(session, name, size);
}
