#include "app/picture/picture_overlay.h"

#include "app/caption_text.h"
#include "app/format.h"
#include "app/pair.h"
#include "app/picture/session_caption.h"
#include "app/views/city/city_frustums.h"
#include "app/views/city/city_labels.h"
#include "app/views/city/city_roots.h"
#include "app/views/city/city_styles.h"
#include "app/walk_text.h"
#include "engine/base/memory.h"
#include "engine/scene/legend.h"
#include "engine/scene/theme.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define LABEL_CAPACITY 120
#define WIDER 1.5f          // names are in a picture that nobody can point at
#define PLAIN_HEIGHT 900.0f // of a picture whose text has a scale of 1

struct mc_picture_overlay {
    mc_picture_overlay_desc desc;
    mc_text subtitle, note, gradient_low, gradient_full;
    mc_label labels[LABEL_CAPACITY];
    mc_text texts[LABEL_CAPACITY];
    mc_fact_label ui_labels[LABEL_CAPACITY];
    mc_legend legend;
    mc_ui_caption_color gradient[MC_LEGEND_CAPACITY], colors[MC_UI_CAPTION_COLOR_COUNT];
};

float mc_picture_get_text_scale(uint32_t height) {
    return fminf(fmaxf((float)height / PLAIN_HEIGHT, 0.75f), 6);
}

float mc_picture_get_pixel_scale(uint32_t height) {
    return fmaxf(mc_picture_get_text_scale(height), 1);
}

void mc_picture_overlay_destroy(mc_picture_overlay *overlay) {
    if (!overlay) return;
    mc_text_deinit(&overlay->subtitle);
    mc_text_deinit(&overlay->note);
    mc_text_deinit(&overlay->gradient_low);
    mc_text_deinit(&overlay->gradient_full);
    for (uint32_t i = 0; i < LABEL_CAPACITY; i++)
        mc_text_deinit(&overlay->texts[i]);
    mc_free(overlay);
}

// ---- names

static bool is_pin(const mc_session *session, const mc_label *label) {
    const mc_walk *walk = mc_session_get_walk(session);
    return label->number > 0 && label->number == walk->count && mc_walk_knows_way(walk);
}

static uint32_t place_labels(mc_picture_overlay *self) {
    const mc_session *session = self->desc.view->base.session;
    uint32_t count = mc_city_view_fill_labels(self->desc.view, self->labels, LABEL_CAPACITY);
    for (uint32_t i = 0; i < count; i++) {
        const mc_label *label = &self->labels[i];
        mc_text *text = &self->texts[i];
        float widen = label->flat ? 1 : WIDER; // what lies on something has its room
        mc_text_clear(text);
        if (session->settings.look.names && label->is_whole)
            mc_text_append_string(text, label->half == 1 ? "A" : "B");
        else if (session->settings.look.names && is_pin(session, label))
            mc_walk_append_pin(mc_session_get_walk(session), session->trace, text);
        else if (session->settings.look.names)
            mc_pair_append_name(session->trace, session->shown->metric, label->node, text);
        self->ui_labels[i] = (mc_fact_label){.text = mc_text_get(text),
                                             .node = label->node,
                                             .rank = label->rank,
                                             .number = label->number,
                                             .x = label->x,
                                             .y = label->y,
                                             .most_width = label->most_width * widen,
                                             .over_width = label->over_width * WIDER,
                                             .height = label->height,
                                             .opacity = label->opacity,
                                             .strong = label->strong,
                                             .flat = label->flat,
                                             .ink = label->ink,
                                             .halo = label->halo,
                                             .ink_width = label->ink_width,
                                             .ground = label->ground};
    }
    return count;
}

// ---- the caption

// What is shown, or, where that does not add up, what the input says of the whole.
static uint64_t get_total(const mc_city_view *view) {
    const mc_session *session = view->base.session;
    const mc_metric_info *info = mc_trace_get_metric(session->trace, session->shown->metric);
    uint64_t total = 0;
    if (!info->is_additive)
        return mc_trace_read_value(session->trace, session->counts.step, session->shown->metric,
                                   session->shown->root_node, &total, NULL) == MC_OK
                   ? total
                   : MC_COUNT_UNKNOWN;
    for (uint32_t i = 0; i < view->city->building_count; i++)
        total += session->counts.to[i];
    return mc_metric_get_word(info, total);
}

static void append_mapping(const mc_picture_overlay *self, mc_text *out) {
    const mc_city_view *view = self->desc.view;
    const mc_styles *styles = view->styles.source ? mc_style_source_get(view->styles.source) : NULL;
    mc_text_append_string(out, "");
    if (view->city->desc.scaling == MC_SCALING_UNIFORM)
        mc_text_append_string(out, MC_CAPTION_SEPARATOR "area: the same for all");
    if (self->desc.picture->height_key && styles && styles->height_metric) {
        mc_text_append_string(out, MC_CAPTION_SEPARATOR "height: ");
        mc_format_append_line(out, styles->height_metric->title, styles->height_metric->title_size);
    }
    if (styles && styles->color_mode == MC_COLOR_MODE_PIN)
        mc_text_format(out, MC_CAPTION_SEPARATOR "compared with step %" PRIu32,
                       mc_session_get_pin(view->base.session));
}

static void write_gradient(mc_picture_overlay *self, mc_ui_caption *caption) {
    const mc_session *session = self->desc.view->base.session;
    const mc_legend *legend = &self->legend;
    mc_text *full = &self->gradient_full;
    mc_text_clear(full);
    mc_caption_append_full(legend, session->trace, session->shown->window, full);
    for (uint32_t i = 0; i < legend->entry_count; i++)
        self->gradient[i] =
            (mc_ui_caption_color){.color = mc_theme_pack(legend->entries[i].color, 255)};
    mc_text_clear(&self->gradient_low);
    mc_caption_append_low(legend, &self->gradient_low);
    self->gradient[0].text = self->gradient_low.failed ? "" : self->gradient_low.data;
    self->gradient[legend->entry_count - 1].text = full->failed ? "" : full->data;
    caption->gradient = self->gradient;
    caption->gradient_count = legend->entry_count;
}

static void add_color(mc_picture_overlay *self, mc_ui_caption *caption, uint32_t color,
                      const char *text, bool is_line) {
    if (caption->color_count == MC_UI_CAPTION_COLOR_COUNT) return;
    self->colors[caption->color_count++] =
        (mc_ui_caption_color){.color = color, .text = text, .is_line = is_line};
}

static void add_entry(mc_picture_overlay *self, mc_ui_caption *caption,
                      const mc_legend_entry *entry) {
    add_color(self, caption, mc_theme_pack(entry->color, 255), entry->text, false);
}

static void write_colors(mc_picture_overlay *self, mc_ui_caption *caption) {
    const mc_city_view *view = self->desc.view;
    mc_legend *legend = &self->legend;
    mc_fact_legend joined = {0};
    mc_city_view_get_legend(view, legend);
    caption->color_title = legend->title;
    if (legend->title && legend->is_gradient && legend->full > 0)
        write_gradient(self, caption);
    else if (legend->is_gradient && legend->apart_count == 0)
        caption->color_title = NULL; // nothing grew
    for (uint32_t i = 0; legend->title && !legend->is_gradient && i < legend->entry_count; i++)
        add_entry(self, caption, &legend->entries[i]);
    for (uint32_t i = 0; caption->color_title && i < legend->apart_count; i++)
        add_entry(self, caption, &legend->apart[i]);
    if (legend->title && legend->has_unknown) add_entry(self, caption, &legend->unknown);
    mc_city_view_fill_unit_legend(view, &joined);
    for (uint32_t i = 0; i < joined.apart_count; i++)
        add_color(self, caption, joined.apart_colors[i], joined.apart_texts[i], true);
    mc_city_view_fill_join_legend(view, &joined);
    mc_city_view_fill_root_legend(view, &joined);
    for (uint32_t i = 0; i < joined.join_count; i++)
        add_color(self, caption, joined.join_colors[i], joined.join_texts[i], true);
    for (uint32_t i = 0; i < joined.root_count; i++)
        add_color(self, caption, joined.root_colors[i], joined.root_texts[i], false);
}

// ----

mc_result mc_picture_overlay_create(const mc_picture_overlay_desc *desc,
                                    mc_picture_overlay **overlay, mc_error *error) {
    *overlay = mc_alloc_zero(1, sizeof **overlay);
    if (!*overlay) return mc_error_out_of_memory(error);
    (*overlay)->desc = *desc;
    return MC_OK;
}

void mc_picture_overlay_draw(mc_picture_overlay *overlay, mc_ui *ui, mc_ui_draw *draw) {
    const char *name = mc_session_get_trace_name(overlay->desc.view->base.session);
    const mc_picture_overlay_desc *desc = &overlay->desc;
    const mc_session *session = desc->view->base.session;
    mc_ui_caption caption = {.labels = overlay->ui_labels, .colors = overlay->colors};
    if (session->settings.look.names || session->walk.is_shown) // which has numbers
        caption.label_count = place_labels(overlay);
    if (desc->picture->legend) {
        mc_text mapping = {0};
        append_mapping(overlay, &mapping);
        mc_text_clear(&overlay->subtitle);
        mc_session_append_moment(session, get_total(desc->view), mc_text_get(&mapping),
                                 &overlay->subtitle);
        mc_text_deinit(&mapping);
        mc_text_clear(&overlay->note);
        mc_session_append_note(session, desc->note, &overlay->note);
        caption.title = name ? name : "memcity";
        caption.subtitle = overlay->subtitle.failed ? "" : overlay->subtitle.data;
        bool has_note = overlay->note.size > 0 && !overlay->note.failed;
        caption.note = has_note ? overlay->note.data : NULL;
        write_colors(overlay, &caption);
    }
    mc_ui_draw_caption(ui, &caption, session->settings.look.dark, (float)desc->width,
                       (float)desc->height, draw);
}
