#include "app/ui/ui_internal.h"

#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

constexpr float arrow_room = 22;     // at the right end of a list that is closed
constexpr float highest_button = 60; // what is higher has its hint at the pointer

const ImGuiWindowFlags panel_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                     ImGuiWindowFlags_NoFocusOnAppearing |
                                     ImGuiWindowFlags_NoBringToFrontOnFocus;

// Where a control at the right end of a row of `width` pixels begins.
float get_control_x(float width) {
    return ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width;
}

// Text at the left of a row, centred on the controls' height.
void row_label(const char *label) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    ImGui::SameLine();
}

// Beside the column, or above or below a button: not over what one is about to read or press next.
void place_hint(const mc_ui *ui) {
    ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (ui->hint_right > 0) {
        ImGui::SetNextWindowPos(ImVec2(ui->hint_right, low.y), 0, ImVec2(1, 0));
    } else if (high.y - low.y < ui->px(highest_button)) {
        bool is_right = low.x + high.x > ui->width, is_below = low.y + high.y < ui->height;
        float gap = ui->px(5);
        if (is_below)
            ImGui::SetNextWindowPos(ImVec2(is_right ? high.x : low.x, high.y + gap), 0,
                                    ImVec2(is_right ? 1 : 0, 0));
        else if (is_right) // where they stand one above the other
            ImGui::SetNextWindowPos(ImVec2(low.x - gap, (low.y + high.y) / 2), 0, ImVec2(1, 0.5f));
        else
            ImGui::SetNextWindowPos(ImVec2(low.x, low.y - gap), 0, ImVec2(0, 1));
    }
}

} // namespace

ImU32 ui::with_alpha(ImU32 color, float alpha) {
    ImU32 a = static_cast<ImU32>(static_cast<float>(color >> IM_COL32_A_SHIFT) * alpha + 0.5f);
    return (color & ~IM_COL32_A_MASK) | a << IM_COL32_A_SHIFT;
}

bool ui::begin_panel(mc_ui *ui, const char *name, ImVec2 position, ImVec2 size) {
    (void)ui;
    ImGui::SetNextWindowPos(position);
    ImGui::SetNextWindowSize(size);
    ImGuiWindowFlags flags = panel_flags | ImGuiWindowFlags_NoScrollWithMouse;
    if (size.y == 0) flags |= ImGuiWindowFlags_AlwaysAutoResize;
    return ImGui::Begin(name, nullptr, flags);
}

void ui::end_panel() {
    ImGui::End();
}

void ui::place(mc_ui *ui, const char *name, ImVec2 from, ImVec2 to) {
    mc_ui_answer *answer = ui->answer;
    if (answer->place_count == MC_UI_PLACE_CAPACITY) return;
    mc_ui_place *place = &answer->places[answer->place_count++];
    place->name = name;
    place->x0 = from.x;
    place->y0 = from.y;
    place->x1 = to.x;
    place->y1 = to.y;
}

void ui::place_item(mc_ui *ui, const char *name) {
    place(ui, name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void ui::act(mc_ui *ui, mc_action_id action, uint32_t argument) {
    ui->answer->action = action;
    ui->answer->argument = argument;
}

void ui::hint(mc_ui *ui, const char *text) {
    if (!text[0] || !ImGui::IsItemHovered()) return;
    place_hint(ui);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui->px(8), ui->px(5)));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ui->px(420));
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void ui::hint_row(mc_ui *ui, const mc_fact_list *list, uint32_t row) {
    mc_text text = {};
    list->describe_more(list->user, row, &text);
    hint(ui, mc_text_get(&text));
    mc_text_deinit(&text);
}

void ui::muted_text(mc_ui *ui, const char *text, bool wrapped) {
    ImGui::PushFont(ui->small);
    ImGui::PushStyleColor(ImGuiCol_Text, ui->colors.muted);
    if (wrapped)
        wrapped_text(text);
    else
        ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void ui::line(mc_ui *ui) {
    ImGui::Dummy(ImVec2(0, ui->px(1)));
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = ImGui::GetContentRegionAvail().x, y = std::floor(at.y) + 0.5f;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, y), ImVec2(at.x + width, y),
                                        ui->colors.border);
    ImGui::Dummy(ImVec2(0, ui->px(2)));
}

void ui::clipped_text(ImDrawList *list, ImVec2 at, float width, ImU32 color, const char *text) {
    ImFont *font = ImGui::GetFont();
    float size = ImGui::GetFontSize();
    at = ImVec2(std::floor(at.x), std::floor(at.y));
    if (ImGui::CalcTextSize(text).x <= width) {
        list->AddText(at, color, text);
        return;
    }
    static const char ellipsis[] = "\xe2\x80\xa6";
    float left = width - ImGui::CalcTextSize(ellipsis).x;
    if (left <= 0) return;
    const char *end = text;
    ImVec2 fits = font->CalcTextSizeA(size, left, 0, text, nullptr, &end);
    list->AddText(at, color, text, end);
    list->AddText(ImVec2(at.x + fits.x, at.y), color, ellipsis);
}

namespace {

struct text_font {
    ImFont *font;
    float size;
};

float measure_text(void *user, const char *begin, const char *end) {
    auto *text = static_cast<text_font *>(user);
    return begin == end ? 0 : text->font->CalcTextSizeA(text->size, FLT_MAX, 0, begin, end).x;
}

} // namespace

bool ui::fit_name(ImFont *font, const char *name, float width, mc_name_part *part) {
    text_font text = {font, font->FontSize};
    return mc_name_fit(name, width, measure_text, &text, part);
}

void ui::draw_name(ImDrawList *list, ImFont *font, ImVec2 at, ImU32 color, const char *name,
                   const mc_name_part *part) {
    text_font text = {font, font->FontSize};
    mc_name_piece pieces[MC_NAME_PIECES_MOST];
    unsigned count = mc_name_part_get_pieces(part, name, pieces);
    at = ImVec2(std::floor(at.x), std::floor(at.y));
    for (unsigned i = 0; i < count; i++) {
        list->AddText(font, font->FontSize, at, color, pieces[i].begin, pieces[i].end);
        if (i + 1 < count) at.x += measure_text(&text, pieces[i].begin, pieces[i].end);
    }
}

void ui::clipped_name(mc_ui *ui, ImDrawList *list, ImVec2 at, float width, ImU32 color,
                      const char *name) {
    mc_name_part part;
    (void)ui;
    if (width > 0 && fit_name(ImGui::GetFont(), name, width, &part))
        draw_name(list, ImGui::GetFont(), at, color, name, &part);
}

void ui::fade_out(mc_ui *ui, ImDrawList *list, ImVec2 from, ImVec2 to) {
    ImU32 card = ui->colors.panel | IM_COL32_A_MASK, clear = card & ~IM_COL32_A_MASK;
    list->AddRectFilledMultiColor(from, to, clear, clear, card, card);
}

void ui::fade_cut_off(mc_ui *ui) {
    if (ImGui::GetScrollY() + 1 >= ImGui::GetScrollMaxY()) return;
    ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    float end = at.y + size.y, right = at.x + size.x - ImGui::GetStyle().ScrollbarSize;
    fade_out(ui, ImGui::GetWindowDrawList(), ImVec2(at.x, end - ui->px(20)), ImVec2(right, end));
}

namespace {

// A word of a control that has too little room is counted.
void note_room(mc_ui *ui, float needed, float room) {
    if (needed > room) ui->answer->cut_words++;
}

// How wide the parts of a segmented control are: the same for all where their words fit, else each
// by its word. False: there is no room for that either.
bool measure_segments(const mc_ui *ui, const char *const *items, uint32_t count, float width,
                      std::vector<float> &widths) {
    float longest = 0, all = 0, n = static_cast<float>(count), least = ui->px(5);
    for (uint32_t i = 0; i < count; i++) {
        widths.push_back(ImGui::CalcTextSize(items[i]).x);
        longest = std::fmax(longest, widths[i]);
        all += widths[i];
    }
    float each = std::floor(width > 0 ? width / n : longest + 2 * ui->px(10));
    float air = (width - all) / n;
    bool is_even = longest + 2 * least <= each;
    for (float &part : widths)
        part = is_even ? each : std::floor(part + air);
    return is_even || air >= 2 * least;
}

} // namespace

bool ui::segmented(mc_ui *ui, const char *id, const char *const *items, uint32_t count, float width,
                   uint32_t *value) {
    std::vector<float> widths;
    if (!measure_segments(ui, items, count, width, widths)) {
        const char *shown = *value < count ? items[*value] : "";
        bool is_changed = drop_down(ui, id, width, shown, items, count, value);
        return is_changed;
    }
    float height = ImGui::GetFrameHeight(), total = 0;
    for (float part : widths)
        total += part;
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    float rounding = ui->px(5);
    list->AddRectFilled(at, ImVec2(at.x + total, at.y + height), ui->colors.hover, rounding);
    bool changed = false;
    ImGui::PushID(id);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ImGui::GetStyle().ItemSpacing.y));
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) ImGui::SameLine();
        ImGui::PushID(static_cast<int>(i));
        bool clicked = ui::pressable(ui, "item", ImVec2(widths[i], height));
        bool hovered = ImGui::IsItemHovered(), lit = i == *value;
        ImGui::PopID();
        ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
        place(ui, items[i], from, to);
        if (clicked && !lit) {
            *value = i;
            changed = true;
        }
        float inset = ui->px(2);
        if (lit) {
            list->AddRectFilled(ImVec2(from.x + inset, from.y + inset),
                                ImVec2(to.x - inset, to.y - inset), ui->colors.accent,
                                rounding - inset / 2);
        }
        ImVec2 size = ImGui::CalcTextSize(items[i]);
        note_room(ui, size.x, widths[i]);
        ImU32 color = lit ? ui->colors.accent_text : hovered ? ui->colors.text : ui->colors.muted;
        list->AddText(ImVec2(std::floor((from.x + to.x - size.x) / 2),
                             std::floor((from.y + to.y - size.y) / 2)),
                      color, items[i]);
    }
    ImGui::PopStyleVar();
    ImGui::PopID();
    return changed;
}

bool ui::toggle(mc_ui *ui, const char *label, bool *value) {
    float height = ImGui::GetFrameHeight(), width = ImGui::GetContentRegionAvail().x;
    ImVec2 at = ImGui::GetCursorScreenPos();
    bool clicked = ui::pressable(ui, label, ImVec2(width, height));
    bool hovered = ImGui::IsItemHovered();
    if (clicked) *value = !*value;
    ImDrawList *list = ImGui::GetWindowDrawList();
    float text_y = std::floor(at.y + (height - ImGui::GetFontSize()) / 2);
    list->AddText(ImVec2(at.x, text_y), ui->colors.text, label);
    float switch_width = ui->px(28), switch_height = ui->px(16), radius = switch_height / 2;
    float x = at.x + width - switch_width, y = at.y + (height - switch_height) / 2;
    ImU32 track = *value    ? ui->colors.accent
                  : hovered ? with_alpha(ui->colors.muted, 0.75f)
                            : with_alpha(ui->colors.muted, 0.55f);
    list->AddRectFilled(ImVec2(x, y), ImVec2(x + switch_width, y + switch_height), track, radius);
    float knob = *value ? x + switch_width - radius : x + radius;
    list->AddCircleFilled(ImVec2(knob, y + radius), radius - ui->px(2.5f),
                          ui->dark && *value ? ui->colors.accent_text : IM_COL32_WHITE);
    return clicked;
}

bool ui::fold(mc_ui *ui, const char *label, bool *open) {
    float height = ui->px(22), width = ImGui::GetContentRegionAvail().x;
    ImVec2 at = ImGui::GetCursorScreenPos();
    bool clicked = ui::pressable(ui, label, ImVec2(width, height));
    bool hovered = ImGui::IsItemHovered();
    ImGui::SetItemAllowOverlap();
    if (clicked) *open = !*open;
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImU32 mark = hovered ? ui->colors.text : ui->colors.muted;
    ImGui::PushFont(ui->strong);
    list->AddText(ImVec2(at.x, std::floor(at.y + (height - ImGui::GetFontSize()) / 2)),
                  ui->colors.text, label);
    ImGui::PopFont();
    float s = ui->px(3.5f);
    ImVec2 c(at.x + width - ui->px(6), at.y + height / 2);
    ImVec2 closed[3] = {{c.x - s / 2, c.y - s}, {c.x + s / 2, c.y}, {c.x - s / 2, c.y + s}};
    ImVec2 opened[3] = {{c.x - s, c.y - s / 2}, {c.x, c.y + s / 2}, {c.x + s, c.y - s / 2}};
    list->AddPolyline(*open ? opened : closed, 3, mark, 0, ui->px(1.5f));
    return *open;
}

bool ui::choice(mc_ui *ui, const char *label, const char *const *items, uint32_t count,
                uint32_t *value) {
    // As wide as what it says needs, where its label leaves so much.
    const char *shown = *value < count ? items[*value] : "";
    float left = ImGui::CalcTextSize(label).x + ui->px(10);
    float room = ImGui::GetContentRegionAvail().x - left;
    float wanted = std::ceil(ImGui::CalcTextSize(shown).x) + ui->px(arrow_room + 8);
    float width = std::fmin(std::fmax(ui->px(144), wanted), std::fmax(room, ui->px(96)));
    row_label(label);
    ImGui::SetCursorPosX(get_control_x(width));
    return drop_down(ui, label, width, shown, items, count, value);
}

bool ui::drop_down(mc_ui *ui, const char *id, float width, const char *shown,
                   const char *const *items, uint32_t count, uint32_t *value) {
    ImGui::SetNextItemWidth(width);
    bool changed = false;
    ImGui::PushID(id);
    ImVec2 corner = ImGui::GetCursorScreenPos();
    bool open = ImGui::BeginCombo("##list", "",
                                  ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton);
    ImVec2 from = open ? corner : ImGui::GetItemRectMin();
    ImVec2 to(from.x + width, from.y + ImGui::GetFrameHeight());
    // By keys it goes on to the next.
    if (!open && take_focus(ui, ImGui::GetID("##list")) && count > 0) {
        *value = (*value + 1) % count;
        changed = true;
    }
    if (open) {
        ui->list_is_open = true;
        if (ui->close_list) ImGui::CloseCurrentPopup();
        for (uint32_t i = 0; i < count; i++) {
            if (ImGui::Selectable(items[i], i == *value) && i != *value) {
                *value = i;
                changed = true;
            }
        }
        ImGui::EndCombo();
    }
    ImGui::PopID();
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 padding = ImGui::GetStyle().FramePadding;
    float room = to.x - from.x - padding.x - ui->px(arrow_room);
    note_room(ui, ImGui::CalcTextSize(shown).x, room);
    clipped_text(list, ImVec2(from.x + padding.x, from.y + padding.y), room,
                 ImGui::GetColorU32(ImGuiCol_Text), shown);
    float s = ui->px(3);
    ImVec2 c(to.x - ui->px(11), (from.y + to.y) / 2);
    ImVec2 mark[3] = {{c.x - s, c.y - s / 2}, {c.x, c.y + s / 2}, {c.x + s, c.y - s / 2}};
    list->AddPolyline(mark, 3, ui->colors.muted, 0, ui->px(1.5f));
    return changed;
}

ui::metric_list::metric_list(const mc_facts *model) {
    for (uint32_t i = 0; i < model->metric_count; i++) {
        if (!model->metrics[i].key[0]) continue;
        keys[count] = model->metrics[i].key;
        titles[count++] = model->metrics[i].title;
    }
}

uint32_t ui::metric_list::find(const char *key) const {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(keys[i], key) == 0) return i;
    }
    return MC_NONE;
}

void ui::metric_list::put(uint32_t index, char key[MC_METRIC_NAME_SIZE]) const {
    mc_form_set_name(key, MC_METRIC_NAME_SIZE, keys[index]);
}

bool ui::button(mc_ui *ui, const char *id, const char *label, float width, const char *text,
                bool enabled) {
    float height = ui->px(28);
    bool clicked = ui::pressable(ui, id, ImVec2(width, height));
    place_item(ui, id);
    ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    ImDrawList *list = ImGui::GetWindowDrawList();
    bool lit = ImGui::IsItemHovered() && enabled;
    list->AddRectFilled(from, to, lit ? ui->colors.active : ui->colors.hover, ui->px(5));
    ImVec2 size = ImGui::CalcTextSize(label);
    list->AddText(
        ImVec2(std::floor((from.x + to.x - size.x) / 2), std::floor((from.y + to.y - size.y) / 2)),
        enabled ? ui->colors.text : with_alpha(ui->colors.muted, 0.6f), label);
    hint(ui, text);
    return clicked && enabled;
}

bool ui::slider(mc_ui *ui, const char *label, float *value, float low, float high,
                const char *format) {
    row_label(label);
    float width = ui->px(136), height = ImGui::GetFrameHeight();
    ImGui::SetCursorPosX(get_control_x(width));
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(label, ImVec2(width, height));
    float track = width - ui->px(48), radius = ui->px(6), before = *value;
    if (ImGui::IsItemActive()) {
        float share = (ImGui::GetIO().MousePos.x - at.x - radius) / (track - 2 * radius);
        *value = low + (high - low) * std::fmin(std::fmax(share, 0.0f), 1.0f);
    }
    bool lit = ImGui::IsItemActive() || ImGui::IsItemHovered();
    float share = high > low ? (*value - low) / (high - low) : 0, y = at.y + height / 2;
    float x = at.x + radius + (track - 2 * radius) * std::fmin(share, 1.0f), half = ui->px(1.5f);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(at.x, y - half), ImVec2(at.x + track, y + half), ui->colors.active,
                        half);
    list->AddRectFilled(ImVec2(at.x, y - half), ImVec2(x, y + half), ui->colors.accent, half);
    list->AddCircleFilled(ImVec2(x, y), lit ? radius : radius - ui->px(1), ui->colors.accent);
    char text[32];
    snprintf(text, sizeof text, format, static_cast<double>(*value));
    float text_width = ImGui::CalcTextSize(text).x;
    list->AddText(ImVec2(std::floor(at.x + width - text_width),
                         std::floor(at.y + (height - ImGui::GetFontSize()) / 2)),
                  ui->colors.text, text);
    return *value != before;
}

static void draw_icon(mc_ui *ui, ImDrawList *list, ImVec2 c, ui::icon which, ImU32 color) {
    using ui::icon;
    float s = ui->px(5), t = ui->px(1.6f);
    auto triangle = [&](float x, float width) { // pointing right if width > 0
        ImVec2 a(x - width, c.y - s), b(x + width, c.y), d(x - width, c.y + s);
        list->AddTriangleFilled(a, b, d, color);
    };
    auto bar = [&](float x) {
        list->AddRectFilled(ImVec2(x - t / 2, c.y - s), ImVec2(x + t / 2, c.y + s), color);
    };
    switch (which) {
    case icon::first:
        bar(c.x - s);
        triangle(c.x + ui->px(1), -s * 0.8f);
        break;
    case icon::previous: triangle(c.x, -s * 0.8f); break;
    case icon::play: triangle(c.x + ui->px(1), s * 0.9f); break;
    case icon::pause:
        list->AddRectFilled(ImVec2(c.x - s * 0.8f, c.y - s), ImVec2(c.x - s * 0.2f, c.y + s),
                            color);
        list->AddRectFilled(ImVec2(c.x + s * 0.2f, c.y - s), ImVec2(c.x + s * 0.8f, c.y + s),
                            color);
        break;
    case icon::next: triangle(c.x, s * 0.8f); break;
    case icon::last:
        triangle(c.x - ui->px(1), s * 0.8f);
        bar(c.x + s);
        break;
    case icon::loop: {
        float r = s * 1.05f;
        list->PathArcTo(c, r, 0.5f, 5.6f, 24);
        list->PathStroke(color, 0, t);
        ImVec2 tip(c.x + r * std::cos(5.75f), c.y + r * std::sin(5.75f));
        float h = ui->px(3);
        list->AddTriangleFilled(ImVec2(tip.x - h * 1.1f, tip.y - h * 0.2f),
                                ImVec2(tip.x + h * 0.7f, tip.y + h * 0.9f),
                                ImVec2(tip.x + h * 0.8f, tip.y - h * 1.1f), color);
        break;
    }
    case icon::close:
        list->AddLine(ImVec2(c.x - s * 0.8f, c.y - s * 0.8f),
                      ImVec2(c.x + s * 0.8f, c.y + s * 0.8f), color, t);
        list->AddLine(ImVec2(c.x + s * 0.8f, c.y - s * 0.8f),
                      ImVec2(c.x - s * 0.8f, c.y + s * 0.8f), color, t);
        break;
    case icon::back:
    case icon::forward: {
        float way = which == icon::back ? -1.0f : 1.0f;
        ImVec2 tip(c.x + way * s, c.y);
        list->AddLine(ImVec2(c.x - way * s, c.y), tip, color, t);
        ImVec2 head[3] = {{tip.x - way * s * 0.8f, tip.y - s * 0.8f},
                          tip,
                          {tip.x - way * s * 0.8f, tip.y + s * 0.8f}};
        list->AddPolyline(head, 3, color, 0, t);
        break;
    }
    case icon::up:
    case icon::down: {
        float way = which == icon::up ? -1.0f : 1.0f;
        ImVec2 mark[3] = {{c.x - s * 0.8f, c.y - way * s * 0.4f},
                          {c.x, c.y + way * s * 0.4f},
                          {c.x + s * 0.8f, c.y - way * s * 0.4f}};
        list->AddPolyline(mark, 3, color, 0, t);
        break;
    }
    case icon::menu:
        for (int i = -1; i <= 1; i++) {
            float y = std::floor(c.y + static_cast<float>(i) * s * 0.8f) + 0.5f;
            list->AddLine(ImVec2(c.x - s, y), ImVec2(c.x + s, y), color, t);
        }
        break;
    case icon::search: {
        ImVec2 eye(c.x - s * 0.25f, c.y - s * 0.25f);
        float r = s * 0.75f, d = r * 0.707f;
        list->AddCircle(eye, r, color, 24, t);
        list->AddLine(ImVec2(eye.x + d, eye.y + d), ImVec2(c.x + s, c.y + s), color, t);
        break;
    }
    case icon::help: {
        ImGui::PushFont(ui->strong);
        ImVec2 size = ImGui::CalcTextSize("?");
        list->AddText(ImVec2(std::floor(c.x - size.x / 2), std::floor(c.y - size.y / 2)), color,
                      "?");
        ImGui::PopFont();
        break;
    }
    }
}

bool ui::icon_button(mc_ui *ui, const char *id, icon which, const char *text, bool lit,
                     bool enabled) {
    float side = ui->px(28);
    bool clicked = ui::pressable(ui, id, ImVec2(side, side));
    place_item(ui, id);
    ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    ImDrawList *list = ImGui::GetWindowDrawList();
    if ((ImGui::IsItemHovered() && enabled) || lit) {
        ImU32 color = ImGui::IsItemActive() ? ui->colors.active : ui->colors.hover;
        list->AddRectFilled(from, to, color, ui->px(5));
    }
    ImVec2 center(std::floor((from.x + to.x) / 2), std::floor((from.y + to.y) / 2));
    ImU32 color = lit ? ui->colors.accent : ui->colors.text;
    draw_icon(ui, list, center, which, enabled ? color : with_alpha(ui->colors.muted, 0.5f));
    hint(ui, text);
    return clicked && enabled;
}

void ui::area_chart(mc_ui *ui, ImVec2 from, ImVec2 to, const float *values, const float *places,
                    uint32_t count, uint32_t current) {
    if (!values || count == 0 || to.x <= from.x) return;
    ImDrawList *list = ImGui::GetWindowDrawList();
    float height = to.y - from.y, width = to.x - from.x;
    auto get = [&](uint32_t i) {
        return ImVec2(from.x + width * places[i], to.y - height * values[i]);
    };
    // Neighbours share their edges; smoothing each would show the seams.
    ImDrawListFlags flags = list->Flags;
    list->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    static std::vector<ImVec2> points;
    points.clear();
    for (uint32_t i = 0; i < count; i++) {
        points.push_back(get(i));
    }
    if (count == 1) points = {ImVec2(from.x, points[0].y), ImVec2(to.x, points[0].y)};
    for (size_t i = 0; i + 1 < points.size(); i++) {
        ImVec2 a = points[i], b = points[i + 1];
        list->AddQuadFilled(a, b, ImVec2(b.x, to.y), ImVec2(a.x, to.y), ui->colors.chart_fill);
    }
    list->Flags = flags;
    list->AddPolyline(points.data(), static_cast<int>(points.size()), ui->colors.chart_line, 0,
                      ui->px(1.25f));
    if (current >= count) return;
    ImVec2 at = get(current);
    list->AddLine(ImVec2(at.x, from.y), ImVec2(at.x, to.y), ui->colors.faint);
    list->AddCircleFilled(at, ui->px(3), ui->colors.accent);
}

void ui::line_chart(mc_ui *ui, ImVec2 from, ImVec2 to, const float *values, const float *places,
                    uint32_t count, ImU32 color) {
    if (!values || count < 2 || to.x <= from.x) return;
    static std::vector<ImVec2> points;
    points.clear();
    for (uint32_t i = 0; i < count; i++) {
        points.push_back(
            ImVec2(from.x + (to.x - from.x) * places[i], to.y - (to.y - from.y) * values[i]));
    }
    ImGui::GetWindowDrawList()->AddPolyline(points.data(), static_cast<int>(points.size()), color,
                                            0, ui->px(1));
}
