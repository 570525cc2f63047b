#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

// Names give way to more important ones. That must not flicker while the camera moves: among
// equally important names those of the last frame come first, and what was not there needs a
// little more room to come than to stay.

namespace {

constexpr int most_rise = 4; // places on a building's line, one above the other

struct rect {
    float x0, y0, x1, y1;
    bool overlaps(const rect &other, float margin) const {
        return x0 - margin < other.x1 && other.x0 < x1 + margin && y0 - margin < other.y1 &&
               other.y0 < y1 + margin;
    }
};

// A name that may be drawn, and how.
struct candidate {
    const mc_fact_label *label;
    ImFont *font;
    mc_name_part part;
    int rise;     // in the last frame; -1: it was not there
    float number; // width that its number takes beside the name
    bool flat;    // on what it names
    uint32_t rank;
};

struct taken_places {
    std::vector<rect> rects;
    bool are_free(const rect &plate, const rect &line, float margin) const {
        return std::none_of(rects.begin(), rects.end(), [&](const rect &other) {
            return plate.overlaps(other, margin) || line.overlaps(other, 0);
        });
    }
};

int find_rise(const mc_ui *ui, uint32_t node) {
    for (const ui_shown_label &shown : ui->shown_labels)
        if (shown.node == node) return shown.rise;
    return -1;
}

// What is shortened so far that its last word is gone says nothing of what is only near.
bool is_worth_it(const candidate &c) {
    return !c.part.is_torn || c.label->rank != MC_FACT_LABEL_NEAR;
}

float get_height(const mc_ui *ui, const candidate &c) {
    return c.font->FontSize + 2 * ui->px(2);
}

float get_number_inset(mc_ui *ui, const candidate &c) {
    return std::floor((get_height(ui, c) - ui::measure_number(ui, c.label->number).y) / 2);
}

// The number stands in the plate's round end; without a name it is all of it.
float get_number_width(mc_ui *ui, const candidate &c) {
    if (c.label->number == 0) return 0;
    float width = get_number_inset(ui, c) + ui::measure_number(ui, c.label->number).x;
    if (c.label->text[0]) return width + ui->px(5) - ui->px(6);
    return width + get_number_inset(ui, c) - 2 * ui->px(6);
}

bool fit(candidate *c) {
    const mc_fact_label *label = c->label;
    bool fits = ui::fit_name(c->font, label->text, label->most_width, &c->part);
    if (label->over_width <= label->most_width || (fits && !c->part.is_torn)) return fits;
    c->flat = false;
    c->rank = MC_FACT_LABEL_SMALL;
    return ui::fit_name(c->font, label->text, label->over_width, &c->part);
}

std::vector<candidate> choose(mc_ui *ui, const mc_fact_label *labels, uint32_t count) {
    std::vector<candidate> chosen;
    for (uint32_t i = 0; i < count; i++) {
        const mc_fact_label *label = &labels[i];
        if (label->number == 0 && !label->text[0]) continue;
        candidate c = {label,      label->strong ? ui->strong : ui->small, {}, -1, 0, label->flat,
                       label->rank};
        bool fits = fit(&c);
        if (!fits || !is_worth_it(c)) continue;
        c.rise = find_rise(ui, label->node);
        c.number = get_number_width(ui, c);
        chosen.push_back(c);
    }
    std::stable_sort(chosen.begin(), chosen.end(), [](const candidate &a, const candidate &b) {
        if (a.rank != b.rank) return a.rank < b.rank;
        return a.rise >= 0 && b.rise < 0;
    });
    return chosen;
}

rect get_plate(const mc_ui *ui, const candidate &c, int rise) {
    float padding_x = ui->px(6), height = get_height(ui, c), text = c.part.width + c.number;
    float bottom = c.flat ? c.label->y + height / 2 : c.label->y - ui->px(6);
    rect r = {std::floor(c.label->x - text / 2 - padding_x), 0, 0, 0};
    float width = text + 2 * padding_x, edge = ui->px(4);
    // Beside the panels, where its place is as well.
    float most = ui->width - ui->answer->right - edge - width;
    r.x0 = std::max(ui->answer->left + edge, std::min(r.x0, most));
    r.x1 = r.x0 + width;
    r.y0 = std::floor(bottom - height - static_cast<float>(rise) * (height + ui->px(2)));
    r.y1 = r.y0 + height;
    return r;
}

// Of the places on its line the lowest that is free, or the one that it has.
int find_place(const mc_ui *ui, const candidate &c, const taken_places &taken, rect *plate) {
    int count = c.flat ? 1 : most_rise;
    for (int rise = 0; rise < count; rise++) {
        *plate = get_plate(ui, c, rise);
        if (plate->y0 < ui->px(44) && rise > 0) break;
        rect line = {c.label->x, plate->y1, c.label->x + 1, c.flat ? plate->y1 : c.label->y};
        if (taken.are_free(*plate, line, rise == c.rise ? 0 : ui->px(5))) return rise;
    }
    return -1;
}

void draw(mc_ui *ui, ImDrawList *list, const candidate &c, const rect &plate) {
    const mc_fact_label *label = c.label;
    float alpha = label->opacity;
    list->AddRectFilled(ImVec2(plate.x0, plate.y0), ImVec2(plate.x1, plate.y1),
                        ui::with_alpha(ui->colors.plate, alpha),
                        label->text[0] ? ui->px(4) : (plate.y1 - plate.y0) / 2);
    if (!c.flat)
        list->AddLine(ImVec2(label->x, plate.y1), ImVec2(label->x, label->y),
                      ui::with_alpha(ui->colors.muted, alpha * 0.6f), ui->px(1));
    float inset = label->number > 0 ? get_number_inset(ui, c) : 0;
    if (label->number > 0)
        ui::draw_number(ui, list, ImVec2(plate.x0 + inset, plate.y0 + inset), label->number, alpha);
    ui::draw_name(list, c.font, ImVec2(plate.x0 + ui->px(6) + c.number, plate.y0 + ui->px(2)),
                  ui::with_alpha(ui->colors.text, alpha), label->text, &c.part);
}

} // namespace

void ui::draw_labels(mc_ui *ui, const mc_fact_label *labels, uint32_t count, const ImVec4 *covered,
                     uint32_t covered_count) {
    taken_places taken;
    std::vector<ui_shown_label> shown;
    for (uint32_t i = 0; i < covered_count; i++)
        taken.rects.push_back({covered[i].x, covered[i].y, covered[i].z, covered[i].w});
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    for (const candidate &c : choose(ui, labels, count)) {
        rect plate = {};
        int rise = find_place(ui, c, taken, &plate);
        if (rise < 0) continue;
        taken.rects.push_back(plate);
        if (c.rank == MC_FACT_LABEL_SELECTED)
            place(ui, "selection_label", ImVec2(plate.x0, plate.y0), ImVec2(plate.x1, plate.y1));
        shown.push_back({c.label->node, rise});
        draw(ui, list, c, plate);
    }
    ui->shown_labels = std::move(shown);
}
