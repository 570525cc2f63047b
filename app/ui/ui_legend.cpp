#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>

// What the picture's colours and heights mean, at its lower left. It is part of the picture: the
// pointer goes through it.

namespace {

struct block {
    ImVec2 size;
    bool has_colors, has_heights;
};

const char *const joins_title = "References";
const char *const roots_title = "GC roots, at the edge";
constexpr float swatch = 10, row = 18, gap = 8, ramp_width = 148, ramp_height = 8, row_height = 30;
constexpr float highest_share = 0.5f; // of the picture's height
constexpr float narrow_width = 560;   // of a picture whose corner is of the city

float get_text_width(const char *text) {
    return ImGui::CalcTextSize(text).x;
}

const char *get_low(const mc_fact_legend *legend) {
    return legend->low[0] ? legend->low : "0";
}

// Height of the colours' part; `width` grows to what it needs.
float measure_colors(mc_ui *ui, const mc_fact_legend *legend, float *width) {
    float line = ImGui::GetFontSize();
    *width = std::max(*width, get_text_width(legend->title));
    float more = ui->px(row) * static_cast<float>(legend->apart_count);
    for (uint32_t i = 0; i < legend->apart_count; i++) {
        *width = std::max(*width, get_text_width(legend->apart_texts[i]) + ui->px(swatch + gap));
    }
    if (legend->is_gradient) {
        float ends =
            get_text_width(get_low(legend)) + ui->px(2 * gap) + get_text_width(legend->full);
        *width = std::max({*width, ui->px(ramp_width), ends});
        return line + ui->px(6 + ramp_height + 3) + line + more;
    }
    for (uint32_t i = 0; i < legend->count; i++) {
        *width = std::max(*width, get_text_width(legend->texts[i]) + ui->px(swatch + gap));
    }
    return line + ui->px(4) + ui->px(row) * static_cast<float>(legend->count) + more;
}

float measure_heights(mc_ui *ui, const mc_fact_legend *legend, float *width) {
    *width = std::max(*width, get_text_width(legend->height_title));
    for (int i = 0; i < MC_FACT_HEIGHT_COUNT; i++) {
        *width = std::max(*width, get_text_width(legend->height_texts[i]) + ui->px(swatch + gap));
    }
    return ImGui::GetFontSize() + ui->px(4 + row * MC_FACT_HEIGHT_COUNT);
}

// Colours with their texts, under a title.
struct key {
    const char *title;
    uint32_t count;
    const uint32_t *colors;
    const char *const *texts;
};

key get_joins(const mc_fact_legend *legend) {
    return {joins_title, legend->join_count, legend->join_colors, legend->join_texts};
}

key get_roots(const mc_fact_legend *legend) {
    return {roots_title, legend->root_count, legend->root_colors, legend->root_texts};
}

float measure_key(mc_ui *ui, const key &key, float *width) {
    *width = std::max(*width, get_text_width(key.title));
    for (uint32_t i = 0; i < key.count; i++) {
        *width = std::max(*width, get_text_width(key.texts[i]) + ui->px(swatch + gap));
    }
    return ImGui::GetFontSize() + ui->px(4) + ui->px(row) * static_cast<float>(key.count);
}

void draw_swatch(mc_ui *ui, ImDrawList *list, ImVec2 at, uint32_t color, const char *text) {
    float y = std::floor(at.y + (ui->px(row) - ui->px(swatch)) / 2);
    list->AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + ui->px(swatch), y + ui->px(swatch)), color,
                        ui->px(2));
    list->AddText(ImVec2(at.x + ui->px(swatch + gap),
                         std::floor(at.y + (ui->px(row) - ImGui::GetFontSize()) / 2)),
                  ui->colors.text, text);
}

float draw_key(mc_ui *ui, ImDrawList *list, const key &key, ImVec2 at) {
    list->AddText(at, ui->colors.muted, key.title);
    at.y += ImGui::GetFontSize() + ui->px(4);
    for (uint32_t i = 0; i < key.count; i++, at.y += ui->px(row))
        draw_swatch(ui, list, at, key.colors[i], key.texts[i]);
    return at.y;
}

void draw_ramp(mc_ui *ui, ImDrawList *list, const mc_fact_legend *legend, ImVec2 at, float width) {
    float height = ui->px(ramp_height);
    const uint32_t *c = legend->colors;
    uint32_t parts = legend->count > 1 ? legend->count - 1 : 0;
    for (uint32_t i = 0; i < parts; i++) {
        float from = std::floor(width * static_cast<float>(i) / static_cast<float>(parts));
        float to = std::floor(width * static_cast<float>(i + 1) / static_cast<float>(parts));
        list->AddRectFilledMultiColor(ImVec2(at.x + from, at.y), ImVec2(at.x + to, at.y + height),
                                      c[i], c[i + 1], c[i + 1], c[i]);
    }
}

float draw_gradient(mc_ui *ui, ImDrawList *list, const mc_fact_legend *legend, ImVec2 at,
                    float width) {
    float y = at.y + ui->px(6);
    draw_ramp(ui, list, legend, ImVec2(at.x, y), width);
    y += ui->px(ramp_height + 3);
    list->AddText(ImVec2(at.x, y), ui->colors.text, get_low(legend));
    float x = at.x + width - get_text_width(legend->full);
    list->AddText(ImVec2(std::floor(x), y), ui->colors.text, legend->full);
    return y + ImGui::GetFontSize();
}

// A row above a sunburst or icicle, which have no ground that it could cover, and above a city that
// has no corner to spare. False: it is nothing for a row, or there is no room.
bool draw_row(mc_ui *ui, const mc_fact_legend *legend) {
    if (!legend->title || !legend->is_gradient) return false;
    ImGui::PushFont(ui->small);
    float left = std::max(ui->answer->left, 0.0f) + ui->px(12), space = ui->px(8);
    float title = get_text_width(legend->title), full = get_text_width(legend->full);
    float zero = get_text_width(get_low(legend)), bar = ui->px(ramp_width);
    float width = title + 2 * space + zero + space + bar + space + full;
    for (uint32_t i = 0; i < legend->apart_count; i++) {
        width += 2 * space + ui->px(swatch + gap) + get_text_width(legend->apart_texts[i]);
    }
    bool fits = left + width + space < ui->width - ui->answer->right;
    if (fits) {
        ImDrawList *list = ImGui::GetBackgroundDrawList();
        float top = ui->answer->top, height = ui->px(row_height);
        float y = std::floor(top + (height - ImGui::GetFontSize()) / 2 + ui->px(2));
        list->AddText(ImVec2(left, y), ui->colors.muted, legend->title);
        float x = left + title + 2 * space;
        list->AddText(ImVec2(std::floor(x), y), ui->colors.text, get_low(legend));
        draw_ramp(ui, list, legend, ImVec2(std::floor(x + zero + space), y + ui->px(3)), bar);
        list->AddText(ImVec2(std::floor(x + zero + bar + 2 * space), y), ui->colors.text,
                      legend->full);
        x += zero + bar + 3 * space + full;
        for (uint32_t i = 0; i < legend->apart_count; i++) {
            draw_swatch(ui, list, ImVec2(std::floor(x + space), std::floor(y - ui->px(2))),
                        legend->apart_colors[i], legend->apart_texts[i]);
            x += 2 * space + ui->px(swatch + gap) + get_text_width(legend->apart_texts[i]);
        }
        ui::place(ui, "legend", ImVec2(left, top), ImVec2(left + width, top + height));
        ui->answer->top += height;
    }
    ImGui::PopFont();
    return fits;
}

// Below that row. The picture keeps clear of it, also while nothing is selected: it would move
// whenever something is.
void draw_joins_row(mc_ui *ui, const mc_fact_legend *legend) {
    if (!legend->can_have_joins) return;
    key joins = get_joins(legend);
    ImGui::PushFont(ui->small);
    float width = 0, step = ui->px(swatch + 2 * gap), pad = ui->px(6);
    for (uint32_t i = 0; i < joins.count; i++) {
        width += step + get_text_width(joins.texts[i]);
    }
    float left = std::max(ui->answer->left, 0.0f) + ui->px(12), top = ui->answer->top;
    if (width > 0 && left + width < ui->width - ui->answer->right) {
        ImDrawList *list = ImGui::GetBackgroundDrawList();
        list->AddRectFilled(ImVec2(left - pad, top),
                            ImVec2(left + width - ui->px(gap) + pad, top + ui->px(row)),
                            ui->colors.plate, ui->px(6));
        ui::place(ui, "legend_joins", ImVec2(left - pad, top),
                  ImVec2(left + width, top + ui->px(row)));
        for (uint32_t i = 0; i < joins.count; i++) {
            draw_swatch(ui, list, ImVec2(std::floor(left), std::floor(top)), joins.colors[i],
                        joins.texts[i]);
            left += step + get_text_width(joins.texts[i]);
        }
    }
    ImGui::PopFont();
    ui->answer->top += ui->px(row);
}

ImVec2 measure(mc_ui *ui, const mc_fact_legend *legend, const key keys[2], float between) {
    float width = 0, height = 0;
    if (legend->area_title) {
        width = get_text_width(legend->area_title);
        height = ImGui::GetFontSize();
    }
    if (legend->area_title && legend->title) height += between;
    if (legend->title) height += measure_colors(ui, legend, &width);
    if (height > 0 && legend->height_title) height += between;
    if (legend->height_title) height += measure_heights(ui, legend, &width);
    for (int i = 0; i < 2; i++) {
        if (height > 0 && keys[i].count > 0) height += between;
        if (keys[i].count > 0) height += measure_key(ui, keys[i], &width);
    }
    return ImVec2(width, height);
}

} // namespace

void ui::draw_legend(mc_ui *ui, const mc_fact_legend *legend, bool is_flat) {
    ui->legend = ImVec2(0, 0);
    if (is_flat) {
        (void)draw_row(ui, legend);
        return;
    }
    key keys[] = {get_joins(legend), get_roots(legend)};
    float free = ui->width - ui->answer->right - std::max(ui->answer->left, 0.0f);
    bool is_narrow = free < ui->px(narrow_width) && !legend->height_title && !legend->area_title;
    // A picture that is saved has its title at the top.
    if (is_narrow && ui->answer->top > 0 && draw_row(ui, legend)) {
        draw_joins_row(ui, legend);
        return;
    }
    if (!legend->title && !legend->height_title && !legend->area_title && keys[0].count == 0 &&
        keys[1].count == 0)
        return;
    ImGui::PushFont(ui->small);
    float padding = ui->px(10), between = ui->px(8);
    ImVec2 size = measure(ui, legend, keys, between);
    // In a low window the picture comes first: what GC roots there are their panel says, too.
    float room = ui->height - ui->answer->bottom - ui->answer->top;
    if (keys[1].count > 0 && size.y + 2 * padding > room * highest_share) {
        keys[1].count = 0;
        size = measure(ui, legend, keys, between);
    }
    float width = std::ceil(size.x), height = size.y;
    float left = ui->answer->left > 0 ? ui->answer->left : 0, margin = ui->px(8);
    float bottom = ui->height - ui->answer->bottom - margin;
    ImVec2 low(left + margin, std::floor(bottom - height - 2 * padding));
    ImVec2 high(low.x + width + 2 * padding, bottom);
    bool fits = low.y > ui->answer->top + ui->px(60) &&
                high.x < ui->width - ui->answer->right - ui->px(240);
    if (!fits) {
        ImGui::PopFont();
        return;
    }
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->AddRectFilled(low, high, ui->colors.plate, ui->px(6));
    place(ui, "legend", low, high);
    ui->legend = ImVec2(high.x, low.y);
    ImVec2 at(low.x + padding, low.y + padding);
    float line = ImGui::GetFontSize();
    if (legend->area_title) {
        list->AddText(at, ui->colors.muted, legend->area_title);
        at.y += line + between;
    }
    if (legend->title) {
        list->AddText(at, ui->colors.muted, legend->title);
        at.y += line;
        if (legend->is_gradient) {
            at.y = draw_gradient(ui, list, legend, at, width);
        } else {
            at.y += ui->px(4);
            for (uint32_t i = 0; i < legend->count; i++, at.y += ui->px(row))
                draw_swatch(ui, list, at, legend->colors[i], legend->texts[i]);
        }
        for (uint32_t i = 0; i < legend->apart_count; i++, at.y += ui->px(row))
            draw_swatch(ui, list, at, legend->apart_colors[i], legend->apart_texts[i]);
        at.y += between;
    }
    if (legend->height_title) {
        list->AddText(at, ui->colors.muted, legend->height_title);
        at.y += line + ui->px(4);
        for (int i = 0; i < MC_FACT_HEIGHT_COUNT; i++, at.y += ui->px(row)) {
            float base = std::floor(at.y + ui->px(row) - ui->px(3));
            float tall = ui->px(3 + 2.5f * static_cast<float>(i));
            list->AddRectFilled(ImVec2(at.x + ui->px(2), base - tall),
                                ImVec2(at.x + ui->px(8), base), ui->colors.muted);
            list->AddText(
                ImVec2(at.x + ui->px(swatch + gap), std::floor(at.y + (ui->px(row) - line) / 2)),
                ui->colors.text, legend->height_texts[i]);
        }
        at.y += between;
    }
    for (const key &key : keys) {
        if (key.count > 0) at.y = draw_key(ui, list, key, at) + between;
    }
    ImGui::PopFont();
}
