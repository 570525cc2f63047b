#include "engine/scene/legend.h"

#include "engine/base/printable.h"
#include "engine/city/evaluate.h"
#include "engine/trace/versus/versus.h"
#include <stdio.h>
#include <string.h>

// Few levels are spread over the whole range, a single one lies in its middle.
static uint32_t spread(uint32_t index, uint32_t count) {
    if (count < 2) return MC_CLASS_COUNT / 2 - 1;
    uint32_t at = index * ((MC_CLASS_COUNT - 1) / (count - 1));
    return at < MC_CLASS_COUNT ? at : MC_CLASS_COUNT - 1;
}

void mc_legend_apply(const mc_styles *styles, const mc_theme *theme, mc_update_params *params) {
    params->flags &= ~MC_UPDATE_STYLE_FLAGS;
    if (!styles) return;
    if (styles->is_marking) params->flags |= MC_UPDATE_DIM_UNMARKED;
    if (styles->is_fading) params->flags |= MC_UPDATE_FADE_FALLEN;
    if (styles->unknown_bits) params->flags |= MC_UPDATE_UNKNOWN;
    if (styles->height_mode != MC_HEIGHT_MODE_METRIC) params->flags |= MC_UPDATE_HEIGHT_BY_CLASS;
    for (uint32_t i = 0; i < MC_CLASS_COUNT; i++) {
        const float *color = theme->categories[i];
        if (styles->color_mode == MC_COLOR_MODE_DIFFERENCE)
            color = i == MC_STYLE_NEW - 1 ? theme->new_color : theme->gone_color;
        if (styles->color_mode == MC_COLOR_MODE_LEVEL)
            color = theme->levels[spread(i, styles->class_count)];
        params->class_colors[i] = (mc_color){color[0], color[1], color[2], 1.0f};
    }
    // What grew since the first step is no news of two other ones.
    if (styles->color_mode == MC_COLOR_MODE_PIN || styles->color_mode == MC_COLOR_MODE_DIFFERENCE)
        params->flags =
            (params->flags | MC_UPDATE_COLOR_BY_GROWTH) & ~(uint32_t)MC_UPDATE_OPACITY_BY_GROWTH;
    if (!(params->flags & MC_UPDATE_COLOR_BY_GROWTH)) return;
    switch (styles->color_mode) {
    case MC_COLOR_MODE_STEP:
    case MC_COLOR_MODE_TREND:
    case MC_COLOR_MODE_VALUE:
    case MC_COLOR_MODE_PIN:
    case MC_COLOR_MODE_DIFFERENCE:
    case MC_COLOR_MODE_OWNER:
    case MC_COLOR_MODE_FIRST: params->flags |= MC_UPDATE_COLOR_BY_SHARE; break;
    case MC_COLOR_MODE_LEVEL:
    case MC_COLOR_MODE_PACKAGE:
    case MC_COLOR_MODE_ROLE: params->flags |= MC_UPDATE_COLOR_BY_CLASS; break;
    default: break;
    }
}

static void set_color(mc_legend_entry *entry, mc_color color) {
    entry->color[0] = color.r;
    entry->color[1] = color.g;
    entry->color[2] = color.b;
}

static void add_step(mc_legend *legend, mc_color color, const char *text) {
    mc_legend_entry *entry = &legend->entries[legend->entry_count++];
    set_color(entry, color);
    snprintf(entry->text, sizeof entry->text, "%s", text);
}

static void add_gradient(mc_legend *legend, const mc_update_params *params) {
    static const char *const texts[] = {"0", "medium", "most"};
    legend->is_gradient = true;
    if (legend->is_diverging) {
        add_step(legend, params->shrinking[1], "shrank the most");
        add_step(legend, params->shrinking[0], "shrank");
    }
    for (int i = 0; i < 3; i++)
        add_step(legend, params->gradient[i], texts[i]);
}

static void add_apart(mc_legend *legend, mc_color color, const char *text) {
    mc_legend_entry *entry = &legend->apart[legend->apart_count++];
    set_color(entry, color);
    snprintf(entry->text, sizeof entry->text, "%s", text);
}

// `size` is set by the call that gives the name.
static void set_name(mc_legend_entry *entry, const char *name, const size_t *size) {
    mc_printable_copy(entry->text, sizeof entry->text, name, *size);
}

static void name_class(mc_legend_entry *entry, const mc_styles *styles, const mc_trace *trace,
                       uint32_t index) {
    bool is_other = styles->has_other_classes && index + 1 == styles->class_count;
    uint32_t value = styles->classes[index];
    size_t size;
    if (styles->color_mode == MC_COLOR_MODE_LEVEL)
        snprintf(entry->text, sizeof entry->text, is_other ? "Level %u and deeper" : "Level %u",
                 value);
    else if (is_other)
        snprintf(entry->text, sizeof entry->text, "Others");
    else if (styles->color_mode == MC_COLOR_MODE_PACKAGE)
        set_name(entry, mc_trace_get_name(trace, value, &size), &size);
    else if (value == MC_NONE)
        snprintf(entry->text, sizeof entry->text, "No role");
    else
        set_name(entry, mc_trace_get_classifier(trace, value, &size), &size);
}

static const char *name_metric(char text[96], const char *what, const mc_metric_info *metric) {
    size_t size = strlen(what);
    memcpy(text, what, size + 1);
    mc_printable_copy(text + size, 96 - size, metric->title, metric->title_size);
    return text;
}

static void add_heights(mc_legend *legend, mc_height_mode mode, const mc_metric_info *metric) {
    static const struct {
        const char *title, *texts[MC_HEIGHT_CLASS_COUNT];
    } heights[MC_HEIGHT_MODE_ALL] = {
        [MC_HEIGHT_MODE_OBJECTS] = {"Height: objects",
                                    {"up to 10", "up to 1 k", "up to 100 k", "up to 10 M", "more"}},
        [MC_HEIGHT_MODE_BYTES] = {"Height: bytes",
                                  {"up to 1 KiB", "up to 32 KiB", "up to 1 MiB", "up to 32 MiB",
                                   "more"}},
        [MC_HEIGHT_MODE_OBJECT_SIZE] = {"Height: bytes per object",
                                        {"up to 24 B", "up to 64 B", "up to 256 B", "up to 4 KiB",
                                         "more"}},
        [MC_HEIGHT_MODE_RETAINED] = {"Height: retained size",
                                     {"up to 1 KiB", "up to 32 KiB", "up to 1 MiB", "up to 32 MiB",
                                      "more"}},
        [MC_HEIGHT_MODE_TIME] = {"Height: time",
                                 {"up to 1 ms", "up to 100 ms", "up to 10 s", "up to 10 min",
                                  "more"}},
        [MC_HEIGHT_MODE_RATIO] = {"Height: ratio",
                                  {"up to 20 %", "up to 40 %", "up to 60 %", "up to 80 %", "more"}},
    };
    legend->height_title = heights[mode].title;
    if (metric) legend->height_title = name_metric(legend->height_text, "Height: ", metric);
    memcpy(legend->height_texts, heights[mode].texts, sizeof legend->height_texts);
}

// What a heap shows anyway needs no words.
static void add_area(mc_legend *legend, const mc_city *city, mc_metric shown,
                     const mc_metric_info *metric) {
    bool is_retained = strcmp(metric->key, mc_metric_retained) == 0;
    if (city->desc.scaling == MC_SCALING_ELEVATION)
        legend->area_title = name_metric(legend->area_text, "Height (poles: 100 %): ", metric);
    else if (city->desc.scaling == MC_SCALING_UNIFORM)
        legend->area_title = "Area: the same for all";
    else if (shown >= MC_METRIC_FIRST_OWN)
        legend->area_title = name_metric(
            legend->area_text, is_retained ? "Area (groups overlap): " : "Area: ", metric);
}

const char *mc_legend_get_title(mc_color_mode mode) {
    static const char *const titles[MC_COLOR_MODE_ALL] = {
        [MC_COLOR_MODE_GROWTH] = "Growth since the first step",
        [MC_COLOR_MODE_STEP] = "Growth since the step before",
        [MC_COLOR_MODE_TREND] = "Steady growth over the window",
        [MC_COLOR_MODE_LEVEL] = "Level",
        [MC_COLOR_MODE_ROLE] = "Role",
        [MC_COLOR_MODE_VALUE] = "Colour: ",
        [MC_COLOR_MODE_FIRST] = "First seen",
        [MC_COLOR_MODE_PIN] = "Change since step ",
        [MC_COLOR_MODE_DIFFERENCE] = "Change from A to B",
        [MC_COLOR_MODE_PACKAGE] = "Package or outermost district",
        [MC_COLOR_MODE_OWNER] = "Growth with all that it keeps"};
    return titles[mode];
}

static bool is_growth_unknown(const mc_city *city, const mc_metric_info *metric) {
    for (uint32_t i = 0; !metric->is_additive && i < city->building_count; i++)
        if (city->building_first[i] == MC_COUNT_UNKNOWN) return true;
    return false;
}

static void add_unknown(mc_legend *legend, const mc_styles *styles, const mc_city *city,
                        const mc_metric_info *metric, const mc_update_params *params) {
    bool by_growth = !styles || styles->color_mode == MC_COLOR_MODE_GROWTH;
    uint32_t bits = styles ? styles->unknown_bits : 0;
    legend->has_unknown = bits != 0 || (by_growth && is_growth_unknown(city, metric));
    bool is_flat_alone = bits == MC_STYLE_UNKNOWN_HEIGHT; // its colour says what it says
    snprintf(legend->unknown.text, sizeof legend->unknown.text,
             is_flat_alone ? "Flat: height not known" : "not known");
    set_color(&legend->unknown, is_flat_alone
                                    ? params->gradient[0]
                                    : (mc_color){params->unknown_red, params->unknown_green,
                                                 params->unknown_blue, 1.0f});
}

void mc_legend_get(mc_legend *legend, const mc_styles *styles, const mc_city *city,
                   const mc_trace *trace, const mc_update_params *params) {
    mc_metric shown = city->desc.metric;
    // One metric, whichever of two traces has it.
    if (mc_trace_is_versus(trace)) shown = mc_versus_get_metric(trace, shown, MC_VERSUS_AFTER);
    const mc_metric_info *info = mc_trace_get_metric(trace, shown);
    mc_color_mode mode = styles ? styles->color_mode : MC_COLOR_MODE_GROWTH;
    *legend = (mc_legend){.title = mc_legend_get_title(mode),
                          .full_unit = info->title,
                          .metric = info,
                          .full = city->largest_growth > 0 ? (double)city->largest_growth : 0};
    add_area(legend, city, shown, info);
    if (styles && styles->height_mode != MC_HEIGHT_MODE_METRIC)
        add_heights(legend, styles->height_mode, styles->height_metric);
    if (!(params->flags & MC_UPDATE_COLOR_BY_GROWTH)) {
        legend->title = NULL; // everything is gray
        return;
    }
    add_unknown(legend, styles, city, info, params);
    switch (mode) {
    case MC_COLOR_MODE_STEP: legend->full = styles->full_share; break;
    case MC_COLOR_MODE_PIN:
        legend->full = styles->full_share;
        legend->is_diverging = true;
        snprintf(legend->title_text, sizeof legend->title_text, "%s%u", legend->title, styles->pin);
        legend->title = legend->title_text;
        break;
    case MC_COLOR_MODE_DIFFERENCE:
        legend->full = styles->full_share;
        legend->is_diverging = true;
        add_apart(legend, params->class_colors[MC_STYLE_NEW - 1], "new: B alone has it");
        add_apart(legend, params->class_colors[MC_STYLE_GONE - 1], "gone: A alone has it");
        break;
    case MC_COLOR_MODE_TREND:
        legend->full = styles->full_share;
        legend->is_rate = true;
        if (shown == MC_METRIC_BYTES) legend->full_unit = "bytes/s";
        if (shown == MC_METRIC_OBJECTS) legend->full_unit = "objects/s";
        break;
    case MC_COLOR_MODE_VALUE:
        legend->title = name_metric(legend->title_text, legend->title, styles->color_metric);
        legend->metric = styles->color_metric;
        legend->full_unit = styles->color_metric->title;
        legend->full = styles->full_share;
        legend->is_value = true;
        break;
    case MC_COLOR_MODE_OWNER:
        legend->metric = mc_trace_get_metric(trace, MC_METRIC_BYTES);
        legend->full_unit = legend->metric->title;
        legend->full = styles->full_share;
        add_apart(legend, mc_gradient_get(params, MC_STYLE_OWNED_TINT), "pale: its own growth");
        break;
    case MC_COLOR_MODE_FIRST:
        legend->full = styles->full_share;
        legend->full_unit = "step";
        legend->metric = NULL;
        break;
    case MC_COLOR_MODE_GROWTH:
        if (city->desc.scaling != MC_SCALING_ELEVATION) break;
        legend->title = name_metric(legend->title_text, "Colour: ", info);
        legend->is_value = true;
        break;
    default: break;
    }
    if (!styles || !mc_color_mode_has_classes(mode)) {
        add_gradient(legend, params);
        return;
    }
    legend->full = 0;
    legend->entry_count = styles->class_count;
    for (uint32_t i = 0; i < styles->class_count; i++) {
        set_color(&legend->entries[i], params->class_colors[i]);
        name_class(&legend->entries[i], styles, trace, i);
    }
}

const char *const mc_legend_joins[MC_FRUSTUM_KIND_COUNT] = {
    [MC_FRUSTUM_INCOMING] = "keeps the selection alive",
    [MC_FRUSTUM_OUTGOING] = "is kept alive by it",
    [MC_FRUSTUM_CHAIN] = "keeps alive, up to the cause",
    [MC_FRUSTUM_ROOT] = "a GC root holds",
    [MC_FRUSTUM_STREET] = "how roots hold it",
    [MC_FRUSTUM_NEW_STREET] = "the same, new",
};

void mc_legend_find_joins(const mc_frustums *frustums, bool is_shown[MC_FRUSTUM_KIND_COUNT]) {
    memset(is_shown, 0, MC_FRUSTUM_KIND_COUNT * sizeof *is_shown);
    for (uint32_t i = 0; i < frustums->count; i++)
        is_shown[frustums->items[i].kind] = true;
}
