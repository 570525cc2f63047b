#include "app/flat/flat_sheet.h"

#include "engine/base/memory.h"
#include <math.h>
#include <string.h>

#define PLAIN_HEIGHT 720.0f // of a picture whose text has a scale of 1

float mc_flat_sheet_get_scale(uint32_t height) {
    return fminf(fmaxf((float)height / PLAIN_HEIGHT, 0.75f), 6);
}

void mc_flat_sheet_begin(mc_flat_sheet *sheet, uint32_t width, uint32_t height, bool is_vector,
                         const mc_theme *theme) {
    sheet->width = width;
    sheet->height = height;
    sheet->scale = mc_flat_sheet_get_scale(height);
    sheet->is_vector = is_vector;
    sheet->theme = *theme;
    sheet->failed = false;
    sheet->text_count = sheet->shape_count = sheet->plane_count = sheet->mark_count = 0;
    sheet->point_count = sheet->sum_count = sheet->span_count = 0;
    mc_text_clear(&sheet->strings);
    mc_text_clear(&sheet->svg);
}

void mc_flat_sheet_deinit(mc_flat_sheet *sheet) {
    void *arrays[] = {sheet->texts,        sheet->shapes, sheet->text_places,
                      sheet->point_places, sheet->points, sheet->planes,
                      sheet->marks,        sheet->sums,   sheet->spans};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        mc_free(arrays[i]);
    mc_text_deinit(&sheet->strings);
    mc_text_deinit(&sheet->svg);
    mc_strips_deinit(&sheet->strips);
    memset(sheet, 0, sizeof *sheet);
}

uint32_t mc_flat_sheet_get_ink(const mc_flat_sheet *sheet, mc_flat_ink ink) {
    // As the panels have them (ui_theme.cpp), R in the lowest byte.
    static const uint32_t light[MC_INK_COUNT] = {0xff30231a, 0xff746256, 0x442d1b0f, 0xffd9641c,
                                                 0x26d9641c};
    static const uint32_t dark[MC_INK_COUNT] = {0xfff2ebe6, 0xffb9a89b, 0x44f5e8df, 0xffffa36a,
                                                0x2effa36a};
    return sheet->theme.dark ? dark[ink] : light[ink];
}

void mc_flat_sheet_put_text(mc_flat_sheet *sheet, const mc_drawn_text *text) {
    uint32_t count = sheet->text_count;
    if (!mc_reserve(&sheet->texts, &sheet->text_capacity, count + 1, sizeof *sheet->texts) ||
        !mc_reserve(&sheet->text_places, &sheet->text_place_capacity, count + 1,
                    sizeof *sheet->text_places)) {
        sheet->failed = true;
        return;
    }
    sheet->texts[count] = *text;
    sheet->text_places[count] = sheet->strings.size;
    mc_text_append(&sheet->strings, text->text, strlen(text->text) + 1);
    sheet->text_count++;
}

void mc_flat_sheet_put_shape(mc_flat_sheet *sheet, const mc_drawn_shape *shape) {
    uint32_t count = sheet->shape_count;
    if (!mc_reserve(&sheet->shapes, &sheet->shape_capacity, count + 1, sizeof *sheet->shapes) ||
        !mc_reserve(&sheet->point_places, &sheet->point_place_capacity, count + 1,
                    sizeof *sheet->point_places) ||
        !mc_reserve(&sheet->points, &sheet->point_capacity,
                    sheet->point_count + (size_t)shape->count * 2, sizeof *sheet->points)) {
        sheet->failed = true;
        return;
    }
    sheet->shapes[count] = *shape;
    sheet->point_places[count] = sheet->point_count;
    memcpy(sheet->points + sheet->point_count, shape->points,
           (size_t)shape->count * 2 * sizeof *shape->points);
    sheet->point_count += (size_t)shape->count * 2;
    sheet->shape_count++;
}

// ---- trees

static float decode(float c) {
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

// Behind those of the trees before.
void mc_flat_sheet_put_strips(mc_flat_sheet *sheet, const mc_strips *strips, mc_flat_plane *plane) {
    size_t sum_count = mc_strips_get_sum_count(strips);
    size_t span_count = mc_strips_get_span_count(strips);
    if (!mc_reserve(&sheet->planes, &sheet->plane_capacity, sheet->plane_count + 1,
                    sizeof *sheet->planes) ||
        !mc_reserve(&sheet->sums, &sheet->sum_capacity, (sheet->sum_count + sum_count) * 4,
                    sizeof *sheet->sums) ||
        !mc_reserve(&sheet->spans, &sheet->span_capacity, (sheet->span_count + span_count) * 2,
                    sizeof *sheet->spans)) {
        sheet->failed = true;
        return;
    }
    plane->first_sum = (uint32_t)sheet->sum_count;
    plane->first_span = (uint32_t)sheet->span_count;
    plane->line_r = decode(sheet->theme.background_top[0]);
    plane->line_g = decode(sheet->theme.background_top[1]);
    plane->line_b = decode(sheet->theme.background_top[2]);
    memcpy(sheet->sums + sheet->sum_count * 4, strips->sums, sum_count * 4 * sizeof *sheet->sums);
    memcpy(sheet->spans + sheet->span_count * 2, strips->spans,
           span_count * 2 * sizeof *sheet->spans);
    sheet->sum_count += sum_count;
    sheet->span_count += span_count;
    sheet->planes[sheet->plane_count++] = *plane;
}

void mc_flat_sheet_add_mark(mc_flat_sheet *sheet, const mc_flat_mark *mark) {
    if (!mc_reserve(&sheet->marks, &sheet->mark_capacity, sheet->mark_count + 1,
                    sizeof *sheet->marks))
        sheet->failed = true;
    else
        sheet->marks[sheet->mark_count++] = *mark;
}

void mc_flat_sheet_put_mark(mc_flat_sheet *sheet, const mc_flat_pane *pane,
                            const mc_flat_plane *plane, uint32_t entry, const float color[3],
                            double width) {
    mc_flat_mark mark;
    if (mc_flat_pane_get_mark(pane, plane, entry, color, width, &mark))
        mc_flat_sheet_add_mark(sheet, &mark);
}

// ---- the whole

mc_result mc_flat_sheet_finish(mc_flat_sheet *sheet, mc_error *error) {
    if (sheet->failed || sheet->strings.failed || sheet->svg.failed)
        return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < sheet->text_count; i++)
        sheet->texts[i].text = sheet->strings.data + sheet->text_places[i];
    for (uint32_t i = 0; i < sheet->shape_count; i++)
        sheet->shapes[i].points = sheet->points + sheet->point_places[i];
    return MC_OK;
}

mc_drawing mc_flat_sheet_get_drawing(const mc_flat_sheet *sheet) {
    return (mc_drawing){.shapes = sheet->shapes,
                        .texts = sheet->texts,
                        .shape_count = sheet->shape_count,
                        .text_count = sheet->text_count};
}

mc_flat_scene mc_flat_sheet_get_scene(const mc_flat_sheet *sheet, uint64_t version) {
    return (mc_flat_scene){.planes = sheet->planes,
                           .marks = sheet->marks,
                           .plane_count = sheet->plane_count,
                           .mark_count = sheet->mark_count,
                           .sums = sheet->sums,
                           .spans = sheet->spans,
                           .sum_count = (uint32_t)sheet->sum_count,
                           .span_count = (uint32_t)sheet->span_count,
                           .version = version};
}
