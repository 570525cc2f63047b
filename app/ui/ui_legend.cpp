#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>
#include <vector>

// What the picture's colours and heights mean, at its lower left. It is part of the picture: the
// pointer goes through it.

namespace {

struct block {
    ImVec2 size;
    bool has_colors, has_heights;
};

const char *const joins_title = "References";
const char *const roots_title = "GC roots, at the edge";
constexpr float swatch = 10, row = 18, gap = 8, ramp_width = 148, ramp_height = 8;
constexpr float short_ramp = 80;
constexpr float rows_above = 8, rows_below = 4;
constexpr float most_rows_share = 0.3f; // of the picture's height
constexpr float narrow_joins = 300;     // two of references don't fit into one row
constexpr float highest_share = 0.5f;   // of the picture's height
constexpr float narrow_width = 560;     // of a picture whose corner is of the city

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

// One of the heights that there are.
void draw_bar(mc_ui *ui, ImDrawList *list, ImVec2 at, int step, const char *text) {
    float base = std::floor(at.y + ui->px(row) - ui->px(3));
    float tall = ui->px(3 + 2.5f * static_cast<float>(step));
    list->AddRectFilled(ImVec2(at.x + ui->px(2), base - tall), ImVec2(at.x + ui->px(8), base),
                        ui->colors.muted);
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

// ---- in rows, above the picture

// What a row does not break.
struct piece {
    enum { TITLE, RAMP, SWATCH, BAR } kind;
    const char *text;
    uint32_t color; // of a swatch
    int step;       // of a bar
};

std::vector<piece> get_pieces(const mc_fact_legend *legend) {
    std::vector<piece> all;
    if (legend->area_title) all.push_back({piece::TITLE, legend->area_title, 0, 0});
    if (legend->title) {
        all.push_back({piece::TITLE, legend->title, 0, 0});
        if (legend->is_gradient) all.push_back({piece::RAMP, legend->full, 0, 0});
        for (uint32_t i = 0; i < legend->count && !legend->is_gradient; i++)
            all.push_back({piece::SWATCH, legend->texts[i], legend->colors[i], 0});
    }
    for (uint32_t i = 0; legend->title && i < legend->apart_count; i++)
        all.push_back({piece::SWATCH, legend->apart_texts[i], legend->apart_colors[i], 0});
    if (legend->height_title) {
        all.push_back({piece::TITLE, legend->height_title, 0, 0});
        for (int i = 0; i < MC_FACT_HEIGHT_COUNT; i++)
            all.push_back({piece::BAR, legend->height_texts[i], 0, i});
    }
    return all;
}

std::vector<piece> get_pieces(const key &key) {
    std::vector<piece> all;
    for (uint32_t i = 0; i < key.count; i++)
        all.push_back({piece::SWATCH, key.texts[i], key.colors[i], 0});
    return all;
}

// What rows are laid out for; pixels.
struct page {
    mc_ui *ui;
    const mc_fact_legend *legend;
    float room, ramp; // widths: of a row; of the gradient

    // The gradient is `wished` wide, or as wide as its ends leave it.
    page(mc_ui *u, const mc_fact_legend *l, float width, float wished)
        : ui(u), legend(l), room(width) {
        float ends = get_text_width(get_low(l)) + get_text_width(l->full);
        ramp = std::min(ui->px(wished), std::floor(room - ends - 2 * ui->px(gap)));
    }
};

float get_width(const page &page, const piece &piece) {
    float text = get_text_width(piece.text);
    if (piece.kind == piece::TITLE) return text;
    if (piece.kind != piece::RAMP) return text + page.ui->px(swatch + gap);
    return get_text_width(get_low(page.legend)) + page.ramp + 2 * page.ui->px(gap) + text;
}

void draw_piece(const page &page, ImDrawList *list, const piece &piece, ImVec2 at) {
    mc_ui *ui = page.ui;
    ImVec2 text(at.x, std::floor(at.y + (ui->px(row) - ImGui::GetFontSize()) / 2));
    if (piece.kind == piece::TITLE) list->AddText(text, ui->colors.muted, piece.text);
    if (piece.kind == piece::SWATCH) draw_swatch(ui, list, at, piece.color, piece.text);
    if (piece.kind == piece::BAR) draw_bar(ui, list, at, piece.step, piece.text);
    if (piece.kind != piece::RAMP) return;
    float ramp_y = std::floor(at.y + (ui->px(row) - ui->px(ramp_height)) / 2);
    list->AddText(text, ui->colors.text, get_low(page.legend));
    text.x = std::floor(text.x + get_text_width(get_low(page.legend)) + ui->px(gap));
    draw_ramp(ui, list, page.legend, ImVec2(text.x, ramp_y), page.ramp);
    text.x = std::floor(text.x + page.ramp + ui->px(gap));
    list->AddText(text, ui->colors.text, piece.text);
}

// Where each piece is, and how much they take.
struct flow {
    std::vector<ImVec2> places; // in pixels to the right, in rows downwards
    float width, rows;
    bool fits;
};

flow flow_pieces(const page &page, const std::vector<piece> &pieces) {
    flow all = {{}, 0, 0, true};
    float x = 0, y = 0, apart = 2 * page.ui->px(gap), room = page.room;
    for (size_t i = 0; i < pieces.size(); i++) {
        float width = get_width(page, pieces[i]), needed = width;
        // A title begins what comes after it.
        if (pieces[i].kind == piece::TITLE && i + 1 < pieces.size())
            needed += apart + get_width(page, pieces[i + 1]);
        if (x > 0 && x + std::min(needed, room) > room) {
            x = 0;
            y++;
        }
        if (width > room) all.fits = false;
        all.places.push_back(ImVec2(std::floor(x), y));
        x += width + apart;
        all.width = std::max(all.width, x - apart);
    }
    all.rows = pieces.empty() ? 0 : y + 1;
    return all;
}

void draw_flow(const page &page, const std::vector<piece> &pieces, const flow &flow, ImVec2 at) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    for (size_t i = 0; i < pieces.size(); i++) {
        const ImVec2 &place = flow.places[i];
        draw_piece(
            page, list, pieces[i],
            ImVec2(std::floor(at.x + place.x), std::floor(at.y + place.y * page.ui->px(row))));
    }
}

// How far the picture is free at the left, and how much room there is for a row of the legend.
float get_left(const mc_ui *ui) {
    return std::max(ui->answer->left, 0.0f) + ui->px(12);
}

float get_room(const mc_ui *ui) {
    float right = ui->panels_left > 0 ? ui->panels_left : ui->width;
    return right - ui->px(8) - get_left(ui);
}

// Above a sunburst or icicle, which have no ground that it could cover, and above a city that has
// no corner to spare. False: it is nothing for rows, or there is no room.
bool draw_rows(mc_ui *ui, const mc_fact_legend *legend) {
    std::vector<piece> pieces = get_pieces(legend);
    float left = get_left(ui), room = get_room(ui), top = ui->answer->top;
    if (pieces.empty()) return false;
    ImGui::PushFont(ui->small);
    page page(ui, legend, room, ramp_width);
    flow all = flow_pieces(page, pieces);
    // A shorter gradient may spare a row.
    struct page closer(ui, legend, room, short_ramp);
    flow fewer = flow_pieces(closer, pieces);
    if (fewer.rows < all.rows) {
        page = closer;
        all = fewer;
    }
    float height = ui->px(rows_above + rows_below) + all.rows * ui->px(row);
    float picture = ui->height - ui->answer->bottom - top;
    bool fits = all.fits && height <= picture * most_rows_share;
    if (fits && !ui->is_covered)
        draw_flow(page, pieces, all, ImVec2(left, top + ui->px(rows_above)));
    ImGui::PopFont();
    if (!fits) return false;
    if (!ui->is_covered)
        ui::place(ui, "legend", ImVec2(left, top), ImVec2(left + all.width, top + height));
    ui->answer->top += height;
    return true;
}

// Below those. The picture keeps clear of them, also while nothing is selected: it would move
// whenever something is.
void draw_joins_rows(mc_ui *ui, const mc_fact_legend *legend) {
    if (!legend->can_have_joins) return;
    std::vector<piece> pieces = get_pieces(get_joins(legend));
    float left = get_left(ui), room = get_room(ui), top = ui->answer->top, pad = ui->px(6);
    float kept = room < ui->px(narrow_joins) ? 2 : 1;
    ImGui::PushFont(ui->small);
    page page(ui, legend, room, ramp_width);
    flow all = flow_pieces(page, pieces);
    if (!pieces.empty() && all.fits && !ui->is_covered) {
        ImVec2 from(left - pad, top), to(left + all.width + pad, top + all.rows * ui->px(row));
        ImGui::GetBackgroundDrawList()->AddRectFilled(from, to, ui->colors.plate, ui->px(6));
        ui::place(ui, "legend_joins", from, to);
        draw_flow(page, pieces, all, ImVec2(left, top));
    }
    ImGui::PopFont();
    ui->answer->top += kept * ui->px(row);
}

// ---- in the corner

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
        (void)draw_rows(ui, legend);
        return;
    }
    key keys[] = {get_joins(legend), get_roots(legend)};
    float free = ui->width - ui->answer->right - std::max(ui->answer->left, 0.0f);
    // A picture that is saved has its title at the top.
    if (free < ui->px(narrow_width) && ui->answer->top > 0 && draw_rows(ui, legend)) {
        draw_joins_rows(ui, legend);
        return;
    }
    if (ui->is_covered) return;
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
        for (int i = 0; i < MC_FACT_HEIGHT_COUNT; i++, at.y += ui->px(row))
            draw_bar(ui, list, at, i, legend->height_texts[i]);
        at.y += between;
    }
    for (const key &key : keys) {
        if (key.count > 0) at.y = draw_key(ui, list, key, at) + between;
    }
    ImGui::PopFont();
}
