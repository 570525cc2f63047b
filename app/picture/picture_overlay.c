#include "app/picture/picture_overlay.h"

#include "app/caption_text.h"
#include "app/format.h"
#include "app/node_text.h"
#include "app/pair.h"
#include "app/ui/ui.h"
#include "app/walk_text.h"
#include "engine/base/memory.h"
#include "engine/scene/labels.h"
#include "engine/scene/legend.h"
#include "engine/scene/theme.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABEL_CAPACITY 120
#define WIDER 1.5f          // names are in a picture that nobody can point at
#define PLAIN_HEIGHT 900.0f // of a picture whose text has a scale of 1

struct mc_picture_overlay {
    mc_picture_overlay_desc desc;
    mc_ui *ui;
    float scale;
    mc_text name, subtitle, note, gradient_low, gradient_full;
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
    mc_ui_destroy(overlay->ui);
    mc_text_deinit(&overlay->name);
    mc_text_deinit(&overlay->subtitle);
    mc_text_deinit(&overlay->note);
    mc_text_deinit(&overlay->gradient_low);
    mc_text_deinit(&overlay->gradient_full);
    for (uint32_t i = 0; i < LABEL_CAPACITY; i++)
        mc_text_deinit(&overlay->texts[i]);
    mc_free(overlay);
}

// ---- names

static uint32_t place_labels(mc_picture_overlay *self, const mc_label_scene *scene) {
    uint32_t count =
        mc_label_fill(scene, &self->desc.names->settings, self->labels, LABEL_CAPACITY);
    for (uint32_t i = 0; i < count; i++) {
        const mc_label *label = &self->labels[i];
        mc_text *text = &self->texts[i];
        float widen = label->flat ? 1 : WIDER; // what lies on something has its room
        mc_text_clear(text);
        if (self->desc.picture->settings.look.names && label->is_whole)
            mc_text_append_string(text, label->half == 1 ? "A" : "B");
        else if (self->desc.picture->settings.look.names)
            mc_pair_append_name(self->desc.highlights->trace,
                                self->desc.highlights->city->desc.metric, label->node, text);
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
                                             .flat = label->flat};
    }
    return count;
}

// ---- the caption

// What is shown, or, where that does not add up, what the input says of the whole.
static uint64_t get_total(const mc_picture_highlights *highlights, uint32_t step,
                          const uint64_t *counts) {
    const mc_city_desc *city = &highlights->city->desc;
    const mc_metric_info *info = mc_trace_get_metric(highlights->trace, city->metric);
    uint64_t total = 0;
    if (!info->is_additive)
        return mc_trace_read_value(highlights->trace, step, city->metric, city->root_node, &total,
                                   NULL) == MC_OK
                   ? total
                   : MC_COUNT_UNKNOWN;
    for (uint32_t i = 0; i < highlights->city->building_count; i++)
        total += counts[i];
    return mc_metric_get_word(info, total);
}

static void write_subtitle(mc_picture_overlay *self, uint32_t step, const uint64_t *to) {
    const mc_picture_highlights *highlights = self->desc.highlights;
    const mc_city_desc *city = &highlights->city->desc;
    mc_text mapping = {0};
    mc_text_append_string(&mapping, "");
    if (city->scaling == MC_SCALING_UNIFORM)
        mc_text_append_string(&mapping, MC_CAPTION_SEPARATOR "area: the same for all");
    if (highlights->picture->height_key && highlights->styles) {
        const mc_styles *styles = mc_style_source_get(highlights->styles);
        if (styles->height_metric) {
            mc_text_append_string(&mapping, MC_CAPTION_SEPARATOR "height: ");
            mc_format_append_line(&mapping, styles->height_metric->title,
                                  styles->height_metric->title_size);
        }
    }
    if (highlights->styles &&
        mc_style_source_get(highlights->styles)->color_mode == MC_COLOR_MODE_PIN)
        mc_text_format(&mapping, MC_CAPTION_SEPARATOR "compared with step %" PRIu32,
                       mc_settings_get_pin(&highlights->picture->settings));
    mc_caption_moment moment = {.trace = highlights->trace,
                                .metric = city->metric,
                                .total = get_total(highlights, step, to),
                                .step = step,
                                .window = city->window,
                                .mapping = mapping.failed ? "" : mapping.data};
    mc_text_clear(&self->subtitle);
    if (mc_trace_is_versus(highlights->trace))
        mc_pair_append_moment(highlights->trace, city->metric, city->root_node, step,
                              &self->subtitle);
    else
        mc_caption_append_moment(&moment, &self->subtitle);
    mc_text_deinit(&mapping);
}

// The walk in words, what the search found, what falls at the step, or how ends of two differ.
static void write_note(mc_picture_overlay *self, uint32_t step) {
    const mc_picture_highlights *highlights = self->desc.highlights;
    mc_text_clear(&self->note);
    if (highlights->walk.count > 0) {
        mc_walk_append_summary(&highlights->walk, highlights->trace, &self->note);
    } else if (highlights->picture->search) {
        char number[MC_FORMAT_SIZE];
        mc_text_append_string(&self->note, "“");
        mc_format_append_line(&self->note, highlights->picture->search,
                              strlen(highlights->picture->search));
        mc_text_format(&self->note, "”: %s",
                       mc_format_counted(number, highlights->hit_count, "hit"));
    } else if (highlights->demolisher) {
        mc_what_if_append_summary(&highlights->demolition, highlights->trace,
                                  highlights->demolished, highlights->demolished_count,
                                  &self->note);
    } else if (self->desc.note) {
        mc_text_append_string(&self->note, self->desc.note);
    } else if (highlights->selection.nodes.count > 0) {
        mc_caption_append_selection(highlights->trace, highlights->selection.nodes.nodes,
                                    highlights->selection.nodes.count, &self->note);
    } else {
        mc_pair_append_end_note(highlights->trace, step, &self->note);
    }
}

static void write_gradient(mc_picture_overlay *self, mc_ui_caption *caption) {
    const mc_legend *legend = &self->legend;
    mc_text *full = &self->gradient_full;
    mc_text_clear(full);
    mc_caption_append_full(legend, self->desc.highlights->trace,
                           self->desc.highlights->city->desc.window, full);
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

static void add_color(mc_picture_overlay *self, mc_ui_caption *caption, const float color[3],
                      const char *text, bool is_line) {
    if (caption->color_count == MC_UI_CAPTION_COLOR_COUNT) return;
    self->colors[caption->color_count++] =
        (mc_ui_caption_color){.color = mc_theme_pack(color, 255), .text = text, .is_line = is_line};
}

static void write_colors(mc_picture_overlay *self, const mc_update_params *params,
                         mc_ui_caption *caption) {
    const mc_picture_highlights *highlights = self->desc.highlights;
    mc_styles *styles = highlights->styles ? mc_style_source_get(highlights->styles) : NULL;
    mc_legend *legend = &self->legend;
    mc_legend_get(legend, styles, highlights->city, highlights->trace, params);
    caption->color_title = legend->title;
    if (legend->title && legend->is_gradient && legend->full > 0)
        write_gradient(self, caption);
    else if (legend->is_gradient && legend->apart_count == 0)
        caption->color_title = NULL; // nothing grew
    for (uint32_t i = 0; legend->title && !legend->is_gradient && i < legend->entry_count; i++)
        add_color(self, caption, legend->entries[i].color, legend->entries[i].text, false);
    for (uint32_t i = 0; caption->color_title && i < legend->apart_count; i++)
        add_color(self, caption, legend->apart[i].color, legend->apart[i].text, false);
    if (legend->title && legend->has_unknown)
        add_color(self, caption, legend->unknown.color, legend->unknown.text, false);
    mc_theme theme = mc_theme_get(highlights->picture->settings.look.dark,
                                  (mc_palette)highlights->picture->settings.look.palette);
    bool is_shown[MC_FRUSTUM_KIND_COUNT];
    mc_legend_find_joins(&highlights->frustums, is_shown);
    for (uint32_t kind = 0; kind < MC_FRUSTUM_KIND_COUNT; kind++)
        if (is_shown[kind])
            add_color(self, caption, theme.frustums[kind], mc_legend_joins[kind], true);
    bool is_there[MC_ROOT_CLASS_COUNT] = {false};
    for (uint32_t i = 0; i < highlights->roots.count && i < highlights->markers.count; i++)
        is_there[mc_root_class_get(highlights->roots.items[i].kind)] = true;
    for (uint32_t i = 0; i < MC_ROOT_CLASS_COUNT; i++)
        if (is_there[i])
            add_color(self, caption, mc_root_class_get_color((mc_root_class)i, &theme),
                      mc_root_class_names[i], false);
}

// ----

mc_result mc_picture_overlay_create(const mc_picture_overlay_desc *desc, mc_renderer *renderer,
                                    mc_picture_overlay **overlay, mc_error *error) {
    mc_picture_overlay *self = mc_alloc_zero(1, sizeof *self);
    *overlay = self;
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    self->scale = mc_picture_get_text_scale(desc->height);
    mc_text_append_string(&self->name, desc->name ? desc->name : "memcity");
    mc_result result = mc_ui_create(self->scale, &self->ui, error);
    if (result == MC_OK) {
        uint32_t width, height;
        const uint8_t *texture = mc_ui_get_texture(self->ui, &width, &height);
        result = mc_renderer_set_ui_texture(renderer, texture, width, height, error);
    }
    if (result == MC_OK) {
        write_note(self, MC_NONE);
        if (self->note.failed || self->name.failed) result = mc_error_out_of_memory(error);
    }
    if (result == MC_OK) return MC_OK;
    mc_picture_overlay_destroy(self);
    *overlay = NULL;
    return result;
}

void mc_picture_overlay_draw(mc_picture_overlay *overlay, const mc_update_params *params,
                             const mc_camera *camera, uint32_t step, const uint64_t *from,
                             const uint64_t *to, mc_ui_draw *draw) {
    const mc_picture_overlay_desc *desc = &overlay->desc;
    mc_ui_caption caption = {.labels = overlay->ui_labels, .colors = overlay->colors};
    mc_label_scene scene = {.city = desc->highlights->city,
                            .params = params,
                            .from = from,
                            .to = to,
                            .camera = camera,
                            .scale = overlay->scale};
    bool has_numbers = desc->highlights->walk.count > 0;
    if (desc->picture->settings.look.names || has_numbers)
        caption.label_count = place_labels(overlay, &scene);
    if (desc->picture->legend) {
        write_subtitle(overlay, step, to);
        if (desc->highlights->demolisher || mc_trace_is_versus(desc->highlights->trace))
            write_note(overlay, step);
        caption.title = overlay->name.data;
        caption.subtitle = overlay->subtitle.failed ? "" : overlay->subtitle.data;
        caption.note = overlay->note.size > 0 ? overlay->note.data : NULL;
        write_colors(overlay, params, &caption);
    }
    mc_ui_draw_caption(overlay->ui, &caption, desc->picture->settings.look.dark, (float)desc->width,
                       (float)desc->height, draw);
}
