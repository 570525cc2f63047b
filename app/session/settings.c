#include "app/session/settings.h"

#include "app/answers/references.h"

#include "engine/city/frustum.h"
#include "engine/city/style.h"
#include "engine/scene/flat_color.h"
#include "engine/scene/playback.h"
#include "engine/trace/regroup/sliding_window.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    VIEW = MC_USE_VIEW,
    PREFERENCE = MC_USE_PREFERENCE,
    COLOR = MC_USE_COLOR_OPTION,
    PICTURE = MC_USE_PICTURE_OPTION,
};

const char *const mc_view_names[] = {"city", "sunburst", "icicle", NULL};

static const char *const opacity_names[] = {"glass", "paper", NULL};
static const char *const theme_names[] = {"light", "dark", NULL};
static const char *const palette_names[] = {"heat", "color-blind-safe", NULL};
static const char *const moving_names[] = {"auto", "full", "half", NULL};
static const char *const unit_names[] = {"binary", "decimal", NULL};
static const char *const arc_names[] = {"none", "needed", "all", NULL};

#define LOOK(member_name, field_kind, field_uses) \
    .kind = (field_kind), .offset = offsetof(mc_look, member_name), .uses = (field_uses)

// A second row of a member is another option for it.
static const mc_form_field look_fields[] = {
    {.name = "color_by_growth",
     LOOK(color_by_growth, MC_FORM_BOOL, VIEW | COLOR),
     .option = "no-color",
     .help = "draw without growth colours"},
    {.name = "color_by",
     LOOK(color_mode, MC_FORM_CHOICE, VIEW | COLOR),
     .choices = mc_color_mode_names,
     .option = "color-by",
     .argument = "C",
     .help = "colour by growth since the first step with all that is kept alive (owner; growth "
             "where nobody knows owners), by the group's own growth since the first step or since "
             "the step before, steady growth, or classes: level, role, package or outermost "
             "district (owner)"},
    {.name = "height_by",
     LOOK(height_mode, MC_FORM_CHOICE, VIEW | COLOR),
     .choices = mc_height_mode_names,
     .option = "height-by",
     .argument = "H",
     .help = "height by the shown metric, or by a second one in five classes (metric)"},
    {.name = "color_metric", LOOK(color_metric, MC_FORM_NAME, VIEW), .count = MC_METRIC_NAME_SIZE},
    {.name = "height_metric",
     LOOK(height_metric, MC_FORM_NAME, VIEW),
     .count = MC_METRIC_NAME_SIZE},
    {.name = "opacity_by_growth",
     LOOK(opacity_by_growth, MC_FORM_BOOL, VIEW | COLOR),
     .option = "no-opacity",
     .help = "draw every building opaque"},
    {.name = "opacity_mode", LOOK(opacity_mode, MC_FORM_CHOICE, VIEW), .choices = opacity_names},
    {.name = "opaque_count",
     LOOK(opaque_count, MC_FORM_UINT, VIEW | COLOR),
     .most = UINT32_MAX,
     .option = "opaque",
     .argument = "N",
     .help = "let the N buildings that grew the most stand out (10)"},
    {.name = "opacity",
     LOOK(opacity, MC_FORM_FLOAT, VIEW | COLOR),
     .most = 1,
     .choices = opacity_names,
     .choice_offset = offsetof(mc_look, opacity_mode),
     .option = "opacity",
     .argument = "MODE",
     .help = "glass: solid buildings but for what stands before those that grew the most; paper: "
             "all others translucent; a number from 0 to 1: paper with this opacity, instead of "
             "0.4 (glass)"},
    {.name = "dark",
     LOOK(dark, MC_FORM_BOOL, VIEW | PREFERENCE | PICTURE),
     .option = "dark",
     .help = "use the dark theme"},
    {LOOK(dark, MC_FORM_BOOL, PICTURE), .choices = theme_names, .option = "theme", .argument = "T",
     .help = "theme (light)"},
    {.name = "palette",
     LOOK(palette, MC_FORM_CHOICE, VIEW | PREFERENCE | PICTURE),
     .choices = palette_names,
     .option = "palette",
     .argument = "P",
     .help = "colour palette of growth"},
    {.name = "edges",
     LOOK(edges, MC_FORM_BOOL, VIEW | PREFERENCE | PICTURE),
     .option = "no-edges",
     .help = "draw no edges"},
    {.name = "light",
     LOOK(light, MC_FORM_BOOL, VIEW | PREFERENCE | PICTURE),
     .option = "no-light",
     .help = "draw no shadows of the sun and of the sky"},
    {.name = "names",
     LOOK(names, MC_FORM_BOOL, VIEW | PREFERENCE | PICTURE),
     .option = "labels",
     .help = "draw names of highlighted buildings and of districts"},
    {.name = "roots",
     LOOK(roots, MC_FORM_BOOL, VIEW | PREFERENCE | PICTURE),
     .option = "roots",
     .help = "draw GC roots as markers at the city's edge, and their references to the selection"},
    {.name = "show_incoming", LOOK(show_incoming, MC_FORM_BOOL, VIEW)},
    {.name = "show_outgoing", LOOK(show_outgoing, MC_FORM_BOOL, VIEW)},
    {.name = "most_references",
     LOOK(most_references, MC_FORM_UINT, VIEW | PICTURE),
     .most = UINT32_MAX,
     .option = "refs-most",
     .argument = "N",
     .help = "draw only the N strongest references (25)"},
    {.name = "arcs", LOOK(arcs, MC_FORM_SWITCH, VIEW | PREFERENCE)},
    {.name = "streets",
     LOOK(streets, MC_FORM_BOOL, VIEW | PREFERENCE | PICTURE),
     .option = "streets",
     .help = "draw the paths from GC roots to the selection as streets; needs a trace imported "
             "with --paths"},
    {.name = "most_streets",
     LOOK(most_streets, MC_FORM_UINT, VIEW | PICTURE),
     .most = UINT32_MAX,
     .option = "streets-most",
     .argument = "N",
     .help = "draw only the N strongest streets (10; 0: all)"},
    {LOOK(arcs, MC_FORM_CHOICE, PICTURE), .choices = arc_names, .option = "arcs", .argument = "A",
     .help = "draw references as arcs where straight lines would cut through buildings, or all of "
             "them (none)"},
};

#define FIELD(member_name, field_kind, field_uses) \
    .kind = (field_kind), .offset = offsetof(mc_settings, member_name), .uses = (field_uses)

const mc_form_field mc_settings_fields[MC_SETTINGS_FIELD_COUNT] = {
    {.name = "view",
     FIELD(view, MC_FORM_CHOICE, VIEW | PREFERENCE | MC_USE_LAYOUT | MC_USE_WINDOW_OPTION),
     .choices = mc_view_names,
     .option = "as",
     .argument = "V",
     .help = "visualization (city)"},
    {.name = "group_by",
     FIELD(group_by, MC_FORM_NAME, VIEW | MC_USE_LAYOUT),
     .count = MC_SETTINGS_GROUP_SIZE},
    {.name = "frame",
     FIELD(frame_s, MC_FORM_DOUBLE, VIEW | PREFERENCE | MC_USE_LAYOUT),
     .least = MC_SLIDING_WINDOW_LEAST_MS / 1000,
     .most = MC_FRAME_WHOLE_MS / 1000},
    {FIELD(layout, MC_FORM_PART, 0), .fields = mc_layout_fields, .count = MC_LAYOUT_FIELD_COUNT},
    {FIELD(look, MC_FORM_PART, 0), .fields = look_fields,
     .count = sizeof look_fields / sizeof *look_fields},
    {.name = "tree_sort",
     FIELD(tree_sort, MC_FORM_CHOICE, VIEW | PREFERENCE | MC_USE_LAYOUT),
     .choices = mc_tree_sort_names},
    {.name = "tree_color",
     FIELD(tree_color, MC_FORM_CHOICE, VIEW | PREFERENCE),
     .choices = mc_flat_color_mode_names},
    {.name = "tree_levels", FIELD(tree_levels, MC_FORM_UINT, VIEW | PREFERENCE), .most = 10000},
    {.name = "tree_scaled", FIELD(tree_scaled, MC_FORM_BOOL, VIEW | PREFERENCE)},
    {.name = "tree_pruned", FIELD(tree_pruned, MC_FORM_BOOL, VIEW | PREFERENCE)},
    {.name = "tree_prune_most",
     FIELD(tree_prune_most, MC_FORM_UINT, VIEW | PREFERENCE),
     .least = 1,
     .most = UINT32_MAX},
    {.name = "tree_prune_share",
     FIELD(tree_prune_share, MC_FORM_DOUBLE, VIEW | PREFERENCE),
     .most = 1},
    {.name = "tree_steps",
     FIELD(tree_steps, MC_FORM_STEPS, VIEW | MC_USE_WINDOW_OPTION),
     .option = "trees",
     .argument = "A,B,C",
     .help = "steps to show as small trees above the time chart, beside a sunburst or icicle"},
    {.name = "tree_steps_scaled", FIELD(tree_steps_scaled, MC_FORM_BOOL, VIEW | PREFERENCE)},
    {.name = "pinned",
     FIELD(pinned, MC_FORM_STEPS, VIEW | PICTURE),
     .option = "pin",
     .argument = "K",
     .help = "colour by growth and shrinkage since step K"},
    {.name = "notes", FIELD(notes, MC_FORM_NAME, VIEW), .count = MC_SETTINGS_NOTES_SIZE},
    {.name = "loop",
     FIELD(loop, MC_FORM_BOOL, VIEW | PREFERENCE | MC_USE_WINDOW_OPTION),
     .option = "loop",
     .help = "start again after the last step"},
    {.name = "step_duration",
     FIELD(step_duration_s, MC_FORM_DOUBLE, VIEW | PREFERENCE | MC_USE_WINDOW_OPTION),
     .least = MC_PLAYBACK_MIN_DURATION_S,
     .most = MC_PLAYBACK_MAX_DURATION_S,
     .option = "step-duration",
     .argument = "S",
     .help = "seconds per step (0.5)"},
    {.name = "motion", FIELD(motion, MC_FORM_BOOL, PREFERENCE)},
    {.name = "moving",
     FIELD(moving, MC_FORM_CHOICE, PREFERENCE | MC_USE_WINDOW_OPTION),
     .choices = moving_names,
     .option = "moving",
     .argument = "M",
     .help =
         "resolution while the camera moves: full, half, or half where frames take long (auto)"},
    {.name = "samples", FIELD(samples, MC_FORM_UINT, PREFERENCE), .most = MC_SETTINGS_SAMPLES_MOST},
    {.name = "byte_units", FIELD(byte_units, MC_FORM_CHOICE, PREFERENCE), .choices = unit_names},
    {.name = "device", FIELD(device, MC_FORM_NAME, PREFERENCE), .count = MC_SETTINGS_DEVICE_SIZE},
    {.name = "usual_group_by",
     FIELD(usual_group_by, MC_FORM_NAME, PREFERENCE),
     .count = MC_SETTINGS_GROUP_SIZE},
    {.name = "panels", FIELD(panels, MC_FORM_BOOL, PREFERENCE)},
    {.name = "selection_open", FIELD(selection_open, MC_FORM_BOOL, PREFERENCE)},
    {.name = "suspects_open", FIELD(suspects_open, MC_FORM_BOOL, PREFERENCE)},
    {.name = "references_open", FIELD(references_open, MC_FORM_BOOL, PREFERENCE)},
    {.name = "contents_open", FIELD(contents_open, MC_FORM_BOOL, PREFERENCE)},
    {.name = "walk_open", FIELD(walk_open, MC_FORM_BOOL, PREFERENCE)},
    {.name = "why_open", FIELD(why_open, MC_FORM_BOOL, PREFERENCE)},
    {.name = "roots_open", FIELD(roots_open, MC_FORM_BOOL, PREFERENCE)},
    {.name = "differences_open", FIELD(differences_open, MC_FORM_BOOL, PREFERENCE)},
    {.name = "linked_open", FIELD(linked_open, MC_FORM_BOOL, PREFERENCE)},
    {.name = "view_open", FIELD(view_open, MC_FORM_BOOL, PREFERENCE)},
    {.name = "text_scale", FIELD(text_scale, MC_FORM_FLOAT, PREFERENCE), .least = 0.5, .most = 4},
    {.name = "panel_width",
     FIELD(panel_width, MC_FORM_FLOAT, PREFERENCE),
     .most = MC_PANEL_WIDTH_MOST},
};

mc_settings mc_settings_default(void) {
    return (mc_settings){
        .layout = {.metric = "bytes",
                   .scaling = MC_SCALING_LINEAR,
                   .tiling = MC_TILING_SQUARIFY,
                   .window = {MC_NONE, MC_NONE}},
        .frame_s = MC_SLIDING_WINDOW_USUAL_MS / 1000,
        .is_home = true,
        .look = {.color_by_growth = true,
                 .color_mode = MC_COLOR_MODE_OWNER,
                 .opacity_by_growth = true,
                 .opaque_count = 10,
                 .opacity = 0.4f,
                 .edges = true,
                 .names = true,
                 .light = true,
                 .roots = true,
                 .show_incoming = true,
                 .show_outgoing = true,
                 .arcs = MC_FRUSTUM_ARCS_NEEDED,
                 .most_references = 20,
                 .streets = true,
                 .most_streets = 10},
        .tree_color = MC_FLAT_COLOR_OWNER,
        .tree_prune_most = 9,
        .tree_prune_share = 0.9,
        .tree_steps_scaled = true,
        .step_duration_s = 0.5,
        .motion = true,
        .sort_column = MC_REFERENCE_SHARE,
        .panels = true,
        .selection_open = true,
        .suspects_open = true,
        .references_open = true,
        .differences_open = true,
        .linked_open = true,
        .text_scale = 1,
    };
}

bool mc_settings_differs(const mc_settings *a, const mc_settings *b, uint32_t uses) {
    return mc_form_differs(mc_settings_fields, MC_SETTINGS_FIELD_COUNT, uses, a, b);
}

void mc_settings_move(mc_settings *settings, const mc_settings *from, const mc_settings *to,
                      uint32_t uses) {
    mc_form_move(mc_settings_fields, MC_SETTINGS_FIELD_COUNT, uses, settings, from, to);
}

mc_result mc_settings_set(mc_settings *settings, const char *text, mc_error *error) {
    const char *space = strchr(text, ' ');
    size_t size = space ? (size_t)(space - text) : strlen(text), offset = 0;
    char name[64] = "";
    if (size < sizeof name) snprintf(name, sizeof name, "%.*s", (int)size, text);
    const mc_form_field *field = mc_form_find(mc_settings_fields, MC_SETTINGS_FIELD_COUNT,
                                              MC_USE_VIEW | MC_USE_PREFERENCE, name, &offset);
    if (!field)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "expected a setting of saved views and its value, found \"%.200s\"", text);
    return mc_form_set_text(field, offset, settings, space ? space + 1 : "", error);
}
