#include "app/flat/flat_figure.h"

#include "app/flat/flat_svg.h"
#include "app/format.h"
#include "app/node_text.h"
#include "engine/base/memory.h"
#include "engine/tree/tree_labels.h"
#include <math.h>
#include <string.h>

#define LEAST_ROOM 24.0 // for a name
#define MARK_WIDTH 3.0
#define OVERVIEW_SHARE 0.24 // of the width

enum { LABEL_CAPACITY = 3000 };

static void append_name(const mc_flat_figure *figure, uint32_t entry, mc_text *out) {
    const mc_tree *tree = figure->pane->tree;
    char number[MC_FORMAT_SIZE];
    if (mc_tree_is_other(tree, entry))
        mc_text_format(
            out, "Other (%s)",
            mc_format_counted(number, tree->other_group_count[tree->other[entry]], "group"));
    else
        mc_node_append_name_line(figure->trace, tree->node[entry], out);
}

static void put_names(mc_flat_sheet *sheet, const mc_flat_figure *figure,
                      const mc_flat_plane *plane) {
    const mc_flat_pane *pane = figure->pane;
    mc_tree_label *labels = mc_alloc(LABEL_CAPACITY, sizeof *labels);
    mc_text name = {0};
    if (!labels) {
        sheet->failed = true;
        return;
    }
    mc_tree_label_desc desc = {.tree = pane->tree,
                               .plane = plane,
                               .root = pane->now.root,
                               .level_count = (uint32_t)pane->now.row_count,
                               .intervals = pane->now.intervals,
                               .font_size = MC_FLAT_NAME_SIZE * (double)sheet->scale,
                               .least_room = LEAST_ROOM * (double)sheet->scale};
    uint32_t count = mc_tree_labels_place(&desc, labels, LABEL_CAPACITY);
    for (uint32_t i = 0; i < count; i++) {
        const mc_tree_label *label = &labels[i];
        bool is_dark = mc_flat_color_wants_dark_text(&sheet->theme, pane->now.colors[label->entry]);
        mc_text_clear(&name);
        append_name(figure, label->entry, &name);
        if (name.failed || name.size == 0) continue;
        mc_drawn_text text = {.text = name.data,
                              .x = (float)label->x,
                              .y = (float)label->y,
                              .angle_rad = (float)label->angle_rad,
                              .radius = (float)label->radius,
                              .room = (float)label->room,
                              .color = is_dark ? 0xe6201810 : 0xf2ffffff,
                              .font = MC_DRAWN_SMALL,
                              .is_name = !mc_tree_is_other(pane->tree, label->entry)};
        mc_flat_sheet_put_text(sheet, &text);
    }
    sheet->failed |= name.failed;
    mc_text_deinit(&name);
    mc_free(labels);
}

static void put_marks(mc_flat_sheet *sheet, const mc_flat_figure *figure,
                      const mc_flat_plane *plane) {
    double width = MARK_WIDTH * fmax((double)sheet->scale, 0.7);
    for (uint32_t i = 0; i < figure->selected_count; i++)
        mc_flat_sheet_put_mark(sheet, figure->pane, plane, figure->selected[i],
                               sheet->theme.selection_outline, width);
}

static mc_flat_plane get_plane(const mc_flat_figure *figure, const mc_strips *strips) {
    mc_flat_plane planes[MC_FLAT_ICICLE + 1];
    bool is_bent = figure->form == MC_FLAT_BENT;
    uint32_t first = is_bent ? MC_FLAT_SUNBURST : figure->form;
    for (uint32_t i = 0; i < (is_bent ? 2 : 1); i++)
        planes[i] = mc_flat_pane_get_plane(figure->pane, figure->blend, first + i, figure->rect,
                                           figure->share, strips);
    return is_bent ? mc_flat_plane_bend(&planes[MC_FLAT_ICICLE], &planes[MC_FLAT_SUNBURST],
                                        figure->bend)
                   : planes[0];
}

void mc_flat_figure_put(mc_flat_sheet *sheet, const mc_flat_figure *figure) {
    const mc_flat_pane *pane = figure->pane;
    mc_flat_plane plane = get_plane(figure, NULL);
    double length = mc_flat_plane_get_most_length(&plane);
    if (!(length >= 0.5 && plane.row_size > 0)) return; // nothing to be seen
    if (sheet->is_vector) {
        mc_flat_svg_append_tree(sheet, figure, &plane);
    } else {
        bool is_round = figure->form == MC_FLAT_SUNBURST || figure->form == MC_FLAT_BENT;
        uint32_t texels = mc_strips_choose_texels(length, is_round);
        if (mc_flat_pane_build(pane, figure->blend, figure->form, texels, &sheet->strips, NULL) !=
            MC_OK) {
            sheet->failed = true;
            return;
        }
        plane = get_plane(figure, &sheet->strips);
        mc_flat_sheet_put_strips(sheet, &sheet->strips, &plane);
        put_marks(sheet, figure, &plane);
    }
    bool is_moving = (pane->has_before && figure->blend < 1) || figure->form == MC_FLAT_BENT;
    if (figure->has_names && !is_moving && sheet->strips.levels_per_row <= 1)
        put_names(sheet, figure, &plane);
}

void mc_flat_figure_split(mc_flat_rect *rect, mc_flat_rect *overview) {
    double width = floor((rect->x1 - rect->x0) * OVERVIEW_SHARE);
    double height = fmin(width, rect->y1 - rect->y0);
    *overview = (mc_flat_rect){rect->x1 - width, rect->y1 - height, rect->x1, rect->y1};
    rect->x1 -= width + floor(width / 12);
}
