#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

// Names give way to more important ones. That must not flicker while the camera moves: among
// equally important names those of the last frame come first, and what was not there needs a
// little more room to come than to stay.

namespace {

constexpr int most_rise = 4; // places on a building's line, one above the other
// Where there is no room above: at the building itself; and the number without the name.
constexpr int hanging = most_rise, bare = most_rise + 1;
constexpr int grounded = most_rise + 2; // on the ground, in perspective
constexpr int ground_parts = 8; // of a text on the ground, each with the place that it takes

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
    bool is_bare;   // without its name
    bool is_first;  // of its rank
    bool is_ground; // it lies on the ground

    bool has_text() const { return !is_bare && label->text[0]; }
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
    if (c.has_text()) return width + ui->px(5) - ui->px(6);
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

// A name on the ground is whole, or shortened between its words.
bool fit_ground(const mc_ui *ui, candidate *c) {
    const mc_ground_text &ground = c->label->ground;
    if (!(ground.room > 0) || c->label->number > 0) return false;
    candidate lying = *c;
    lying.font = ui->strong;
    float room = ground.room / ui::get_ground_scale(ui, ground);
    if (!ui::fit_name(lying.font, c->label->text, room, &lying.part) || lying.part.is_torn)
        return false;
    lying.is_ground = lying.flat = true;
    *c = lying;
    return true;
}

bool fit_anywhere(const mc_ui *ui, candidate *c) {
    return fit_ground(ui, c) || (fit(c) && is_worth_it(*c));
}

// Where the ground is taken, it is as if there was none.
bool lift(const mc_ui *ui, candidate *c) {
    candidate lifted = *c;
    lifted.font = c->label->strong ? ui->strong : ui->small;
    lifted.is_ground = false;
    lifted.flat = c->label->flat;
    if (!fit(&lifted) || !is_worth_it(lifted)) return false;
    *c = lifted;
    return true;
}

bool is_cut(const candidate &c) {
    return c.part.is_cut_before || c.part.is_cut_after || c.part.gap_end > c.part.gap_begin;
}

std::string get_shown(const candidate &c) {
    const char *name = c.label->text;
    const mc_name_part &part = c.part;
    if (part.gap_end == part.gap_begin) return std::string(name + part.begin, name + part.end);
    return std::string(name + part.begin, name + part.gap_begin) + MC_ELLIPSIS +
           std::string(name + part.gap_end, name + part.end);
}

// What is shortened until it reads as another name does would say that it is that.
void drop_alike(std::vector<candidate> *chosen) {
    std::vector<std::string> shown;
    auto is_like_another = [&](const candidate &c) {
        std::string words = get_shown(c);
        bool is_known = std::find(shown.begin(), shown.end(), words) != shown.end();
        if (!is_known) shown.push_back(words);
        return is_known && is_cut(c);
    };
    chosen->erase(std::remove_if(chosen->begin(), chosen->end(), is_like_another), chosen->end());
}

std::vector<candidate> choose(mc_ui *ui, const mc_fact_label *labels, uint32_t count) {
    std::vector<candidate> chosen;
    for (uint32_t i = 0; i < count; i++) {
        const mc_fact_label *label = &labels[i];
        if (label->number == 0 && !label->text[0]) continue;
        ImFont *font = label->strong ? ui->strong : ui->small;
        candidate c = {label, font, {}, -1, 0, label->flat, label->rank, false, false, false};
        if (!fit_anywhere(ui, &c)) continue;
        c.rise = find_rise(ui, label->node);
        c.number = get_number_width(ui, c);
        c.is_first = std::none_of(chosen.begin(), chosen.end(),
                                  [&](const candidate &other) { return other.rank == c.rank; });
        chosen.push_back(c);
    }
    std::stable_sort(chosen.begin(), chosen.end(), [](const candidate &a, const candidate &b) {
        if (a.rank != b.rank) return a.rank < b.rank;
        if (a.is_first != b.is_first) return a.is_first;
        return a.rise >= 0 && b.rise < 0;
    });
    drop_alike(&chosen);
    return chosen;
}

rect get_plate(const mc_ui *ui, const candidate &c, int rise) {
    float padding_x = ui->px(6), height = get_height(ui, c);
    float text = (c.has_text() ? c.part.width : 0) + c.number;
    float bottom = c.flat ? c.label->y + height / 2 : c.label->y - ui->px(6);
    if (rise == hanging) {
        bottom = c.label->y + ui->px(2) + height;
        rise = 0;
    }
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

bool is_free(const mc_ui *ui, const candidate &c, const taken_places &taken, int rise,
             rect *plate) {
    bool has_line = !c.flat && rise < hanging;
    *plate = get_plate(ui, c, rise);
    rect line = {c.label->x, plate->y1, c.label->x + 1, has_line ? c.label->y : plate->y1};
    bool stays = c.is_bare || c.rise == rise;
    return taken.are_free(*plate, line, stays ? 0 : ui->px(5));
}

// Whether the place at the building may be taken: it does not hide all of it, or that is what is
// looked for first.
bool can_hang(const mc_ui *ui, const candidate &c) {
    if (c.flat || c.rank > MC_FACT_LABEL_OUTSTANDING) return false;
    return c.is_first || c.label->number > 0 || c.label->height > 2 * get_height(ui, c);
}

// Of the places on its line the lowest that is free, or the one that it has; if there is none, the
// one at the building.
int find_place(const mc_ui *ui, const candidate &c, const taken_places &taken, rect *plate) {
    int count = c.flat ? 1 : most_rise;
    for (int rise = 0; rise < count; rise++) {
        if (rise > 0 && get_plate(ui, c, rise).y0 < ui->px(44)) break;
        if (is_free(ui, c, taken, rise, plate)) return rise;
    }
    return can_hang(ui, c) && is_free(ui, c, taken, hanging, plate) ? hanging : -1;
}

// The places that a text on the ground takes, part by part: it may lie askew.
std::vector<rect> get_parts(const mc_ui *ui, const candidate &c) {
    std::vector<rect> parts;
    const mc_ground_text &ground = c.label->ground;
    float width = c.part.width * ui::get_ground_scale(ui, ground), half = ground.em / 2;
    for (int i = 0; i < ground_parts; i++) {
        rect r = {FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX};
        for (int k = 0; k < 4; k++) {
            float share = static_cast<float>(i + (k & 1)) / ground_parts - 0.5f;
            ImVec2 at = ui::project_ground(ground, share * width, k & 2 ? half : -half);
            r = {std::min(r.x0, at.x), std::min(r.y0, at.y), std::max(r.x1, at.x),
                 std::max(r.y1, at.y)};
        }
        parts.push_back(r);
    }
    return parts;
}

// Inside of what no panel covers, and clear of all that has its place.
bool is_ground_free(const mc_ui *ui, const candidate &c, const std::vector<rect> &parts,
                    const taken_places &taken) {
    float left = ui->answer->left, right = ui->width - ui->answer->right;
    return std::all_of(parts.begin(), parts.end(), [&](const rect &part) {
        return part.x0 >= left && part.x1 <= right && part.y1 <= ui->height &&
               taken.are_free(part, part, c.rise == grounded ? 0 : ui->px(5));
    });
}

void set_bare(mc_ui *ui, candidate *c, bool is_bare) {
    c->is_bare = is_bare;
    c->number = get_number_width(ui, *c);
}

// A name that has its place.
struct placed {
    candidate c;
    rect plate;
    int rise;
};

// Stops of the walk: the numbers of all come before the name of one. They are the first in
// `taken`.
std::vector<placed> place_stops(mc_ui *ui, const std::vector<candidate> &chosen,
                                taken_places *taken) {
    std::vector<placed> stops;
    size_t first = taken->rects.size();
    for (const candidate &c : chosen) {
        if (c.label->number == 0) continue;
        placed stop = {c, {}, -1};
        set_bare(ui, &stop.c, true);
        stop.rise = find_place(ui, stop.c, *taken, &stop.plate);
        if (stop.rise < 0) continue;
        stops.push_back(stop);
        taken->rects.push_back(stop.plate);
    }
    for (size_t i = 0; i < stops.size(); i++) {
        if (!stops[i].c.label->text[0]) continue;
        candidate c = stops[i].c;
        rect plate = {}, own = taken->rects[first + i];
        set_bare(ui, &c, false);
        taken->rects[first + i] = {};
        int rise = find_place(ui, c, *taken, &plate);
        taken->rects[first + i] = rise < 0 ? own : plate;
        if (rise >= 0) stops[i] = {c, plate, rise};
    }
    return stops;
}

std::vector<placed> place_all(mc_ui *ui, const std::vector<candidate> &chosen,
                              taken_places *taken) {
    std::vector<placed> all = place_stops(ui, chosen, taken);
    for (const candidate &c : chosen) {
        if (c.label->number > 0) continue;
        rect plate = {};
        candidate placed = c;
        if (c.is_ground) {
            std::vector<rect> parts = get_parts(ui, c);
            if (is_ground_free(ui, c, parts, *taken)) {
                taken->rects.insert(taken->rects.end(), parts.begin(), parts.end());
                all.push_back({c, parts[ground_parts / 2], grounded});
                continue;
            }
            if (!lift(ui, &placed)) continue;
        }
        int rise = find_place(ui, placed, *taken, &plate);
        if (rise < 0) continue;
        taken->rects.push_back(plate);
        all.push_back({placed, plate, rise});
    }
    return all;
}

// A name that lies on the ground or on its roof has no plate: around its letters is what it lies
// on, so that it is read where they come close to something else.
void draw_haloed(ImDrawList *list, const candidate &c, ImVec2 at, float reach) {
    static const float ways[][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const mc_fact_label *label = c.label;
    ImU32 halo = ui::with_alpha(label->halo, label->opacity);
    for (const float *way : ways) {
        ui::draw_name(list, c.font, ImVec2(at.x + way[0] * reach, at.y + way[1] * reach), halo,
                      label->text, &c.part);
    }
    ui::draw_name(list, c.font, at, ui::with_alpha(label->ink, label->opacity), label->text,
                  &c.part);
}

bool lies_on_roof(const candidate &c, int rise) {
    const mc_fact_label *label = c.label;
    bool is_there = c.flat ? label->flat : rise == 0;
    return label->ink && label->number == 0 && is_there && c.part.width <= label->ink_width;
}

void draw(mc_ui *ui, ImDrawList *list, const candidate &c, const rect &plate, int rise) {
    const mc_fact_label *label = c.label;
    float alpha = label->opacity;
    if (lies_on_roof(c, rise)) {
        draw_haloed(list, c, ImVec2(plate.x0 + ui->px(6), plate.y0 + ui->px(2)), ui->px(1));
        return;
    }
    list->AddRectFilled(ImVec2(plate.x0, plate.y0), ImVec2(plate.x1, plate.y1),
                        ui::with_alpha(ui->colors.plate, alpha),
                        c.has_text() ? ui->px(4) : (plate.y1 - plate.y0) / 2);
    if (!c.flat && plate.y1 < label->y)
        list->AddLine(ImVec2(label->x, plate.y1), ImVec2(label->x, label->y),
                      ui::with_alpha(ui->colors.muted, alpha * 0.6f), ui->px(1));
    float inset = label->number > 0 ? get_number_inset(ui, c) : 0;
    if (label->number > 0)
        ui::draw_number(ui, list, ImVec2(plate.x0 + inset, plate.y0 + inset), label->number, alpha);
    if (!c.has_text()) return;
    ui::draw_name(list, c.font, ImVec2(plate.x0 + ui->px(6) + c.number, plate.y0 + ui->px(2)),
                  ui::with_alpha(ui->colors.text, alpha), label->text, &c.part);
}

void note_stop(mc_ui *ui, const candidate &c, const rect &plate) {
    static const char *const names[] = {"number_1", "number_2", "number_3", "number_4", "number_5"};
    if (c.label->number == 0 || c.label->number > sizeof names / sizeof *names) return;
    ui::place(ui, names[c.label->number - 1], ImVec2(plate.x0, plate.y0),
              ImVec2(plate.x1, plate.y1));
}

} // namespace

void ui::draw_labels(mc_ui *ui, const mc_fact_label *labels, uint32_t count, const ImVec4 *covered,
                     uint32_t covered_count) {
    taken_places taken;
    std::vector<ui_shown_label> shown;
    for (uint32_t i = 0; i < covered_count; i++)
        taken.rects.push_back({covered[i].x, covered[i].y, covered[i].z, covered[i].w});
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    for (const placed &name : place_all(ui, choose(ui, labels, count), &taken)) {
        shown.push_back({name.c.label->node, name.c.is_bare ? bare : name.rise});
        if (name.c.rank == MC_FACT_LABEL_SELECTED)
            place(ui, "selection_label", ImVec2(name.plate.x0, name.plate.y0),
                  ImVec2(name.plate.x1, name.plate.y1));
        if (name.rise == grounded) {
            draw_ground_name(ui, list, name.c.font, name.c.label->ground, name.c.label->opacity,
                             name.c.label->text, &name.c.part);
            continue;
        }
        draw(ui, list, name.c, name.plate, name.rise);
        note_stop(ui, name.c, name.plate);
    }
    ui->shown_labels = std::move(shown);
}
