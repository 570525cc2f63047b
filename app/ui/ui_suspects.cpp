#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

constexpr float row_height = 38, more_height = 22, below = 2, toggles_height = 22;
constexpr float least_charted = 270; // of the list's width: in a narrower one names come first

// How many are shown in `room` pixels, with the line for more. What is open is always one of them.
uint32_t count_few(const mc_ui *ui, const mc_facts *model, float room, float row) {
    uint32_t all = model->finding_count;
    float fit = std::floor((room - ui->px(more_height)) / row);
    return std::min(fit < 1 ? 1 : static_cast<uint32_t>(fit), all);
}

// What the last row has, usually `row`: the finding that is open is never among those left out, nor
// a suspect that is selected and belongs to none.
uint32_t get_last(const mc_facts *model, uint32_t row) {
    if (model->open_finding != MC_NONE) return std::max(model->open_finding, row);
    for (uint32_t i = row; i < model->suspect_count; i++)
        if (model->suspects[i].selected) return i;
    return row;
}

// Of a row, its toggles and the line for more, down to the card's end.
float get_rows_height(const mc_ui *ui, bool has_toggles) {
    float gap = ImGui::GetStyle().ItemSpacing.y;
    float rows = ui->px(row_height + more_height + below) + 2 * gap;
    if (has_toggles) rows += ui->px(toggles_height) + 2 * gap;
    return rows + ImGui::GetStyle().WindowPadding.y;
}

// How high the card is with these; its next frame has it.
void note_least(mc_ui *ui, float rows) {
    float least = std::ceil(ImGui::GetCursorPosY() + ImGui::GetScrollY() + rows);
    if (least != ui->suspects_least) ui->answer->wants_frame = true;
    ui->suspects_least = least;
}

void draw_more_suspects(mc_ui *ui, const mc_facts *model, uint32_t count) {
    char text[80];
    const char *rest = count == model->finding_count ? model->findings_rest : nullptr;
    if (ui->all_suspects)
        snprintf(text, sizeof text, "Fewer");
    else if (rest)
        snprintf(text, sizeof text, "%s", rest);
    else
        snprintf(text, sizeof text, "%u more", static_cast<unsigned>(model->suspect_count - count));
    ImGui::PushFont(ui->small);
    ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(text);
    float indent = ui->px(16), height = ui->px(more_height);
    if (ui::pressable(ui, "more_suspects", ImVec2(indent + size.x + ui->px(8), height)))
        ui->all_suspects = !ui->all_suspects;
    ui::place_item(ui, "more_suspects");
    ImVec2 from(at.x + indent, std::floor(at.y + (height - size.y) / 2));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddText(from, ui->colors.accent, text);
    if (ImGui::IsItemHovered()) {
        float line = std::floor(from.y + size.y) + 0.5f;
        list->AddLine(ImVec2(from.x, line), ImVec2(from.x + size.x, line), ui->colors.accent,
                      ui->px(1));
    }
    ImGui::PopFont();
}

// A small window has room for names and little else.
bool is_low(const mc_ui *ui) {
    return ui->height < ui->px(600);
}

bool is_said(const mc_facts *model, const char *sentence) {
    return model->verdict && strcmp(sentence, model->verdict) == 0;
}

// A word in a line of its own, with a mark that says whether what it names is shown below.
void draw_toggle(mc_ui *ui, const char *label, bool *open) {
    ImGui::PushFont(ui->small);
    ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(label);
    float height = ui->px(toggles_height), mark = ui->px(12), s = ui->px(3);
    if (ui::pressable(ui, label, ImVec2(mark + size.x, height))) *open = !*open;
    ui::place_item(ui, label);
    ImU32 color = ImGui::IsItemHovered() ? ui->colors.text : ui->colors.muted;
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 c(at.x + s, std::floor(at.y + height / 2));
    ImVec2 closed[3] = {{c.x - s / 2, c.y - s}, {c.x + s / 2, c.y}, {c.x - s / 2, c.y + s}};
    ImVec2 opened[3] = {{c.x - s, c.y - s / 2}, {c.x, c.y + s / 2}, {c.x + s, c.y - s / 2}};
    list->AddPolyline(*open ? opened : closed, 3, color, 0, ui->px(1.5f));
    list->AddText(ImVec2(at.x + mark, std::floor(at.y + (height - size.y) / 2)), color, label);
    ImGui::PopFont();
}

// What shows a finding: its sentence, facts, and the walk to who holds it.
void draw_evidence(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    const mc_fact_why *why = &model->lists.why;
    const mc_fact_walk *walk = &model->lists.walk;
    float indent = ui->px(16);
    ImGui::Indent(indent);
    if (why->sentence && !is_said(model, why->sentence)) {
        ImGui::PushFont(ui->small);
        ui::wrapped_text(why->sentence);
        ImGui::PopFont();
    }
    bool has_facts = why->fact_count > 0;
    if (has_facts) draw_toggle(ui, "Evidence", &settings->why_open);
    if (has_facts && walk->can_walk) ImGui::SameLine(0, ui->px(16));
    if (walk->can_walk) draw_toggle(ui, "Who holds it", &settings->walk_open);
    if (has_facts && settings->why_open) ui::draw_why(ui, model);
    if (walk->can_walk && walk->wants_view) ImGui::SetScrollHereY(0);
    if (walk->can_walk && settings->walk_open) ui::draw_walk(ui, model);
    ImGui::Unindent(indent);
}

// Where the card has no room for all of it, its first lines; a click or its evidence shows the
// rest.
void draw_headline(mc_ui *ui, const mc_facts *model, float rows) {
    constexpr float least_lines = 3;
    ImVec2 from = ImGui::GetCursorScreenPos();
    if (model->growth_note) ui::muted_text(ui, model->growth_note, true);
    if (!model->verdict) return;
    if (is_low(ui)) ImGui::PushFont(ui->small);
    float room = ui->suspects_bottom - rows - ui->px(4) - ImGui::GetCursorScreenPos().y;
    float lines = std::fmax(std::floor(room / ImGui::GetFontSize()), least_lines);
    ImGui::BeginGroup();
    bool is_cut = ui::markable_text(ui, model->verdict,
                                    ui->whole_headline ? UINT32_MAX : static_cast<uint32_t>(lines));
    ImGui::EndGroup();
    if (is_low(ui)) ImGui::PopFont();
    if (is_cut) ui::hint(ui, model->verdict);
    // Where some was marked, what was dragged over stays as it is.
    bool is_click = ImGui::IsItemDeactivated() && ui->marked.part.empty();
    if (is_click && (is_cut || ui->whole_headline)) ui->whole_headline = is_cut;
    if (model->early_note) ui::muted_text(ui, model->early_note, true);
    ui::place(ui, "verdict", from,
              ImVec2(from.x + ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y));
    ImGui::Dummy(ImVec2(0, ui->px(4)));
}

// A suspect's row.
void draw_row(mc_ui *ui, const mc_facts *model, uint32_t i, float value_width, bool is_first) {
    float width = ImGui::GetContentRegionAvail().x, height = ui->px(row_height);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const mc_fact_suspect *suspect = &model->suspects[i];
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(i));
    bool clicked = ui::pressable(ui, "suspect", ImVec2(width, height));
    ImGui::PopID();
    if (is_first) ui::place_item(ui, "suspect");
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) clicked = ui->answer->wants_menu = true;
    if (clicked) ui::act(ui, MC_ACTION_SHOW_NODE, suspect->node);
    bool hovered = ImGui::IsItemHovered();
    float out = ui->px(6);
    if (hovered || suspect->selected) {
        list->AddRectFilled(ImVec2(at.x - out, at.y), ImVec2(at.x + width + out, at.y + height),
                            suspect->selected ? ui->colors.active : ui->colors.hover, ui->px(4));
    }
    if (hovered) {
        char text[1024];
        snprintf(text, sizeof text, "%s\n%s", suspect->path, suspect->exact);
        ui::hint(ui, text);
    }
    float line = ImGui::GetFontSize(), y = at.y + ui->px(3), dot = ui->px(8);
    float dot_y = std::floor(y + (line - dot) / 2);
    list->AddRectFilled(ImVec2(at.x, dot_y), ImVec2(at.x + dot, dot_y + dot), suspect->color,
                        ui->px(2));
    float spark = width < ui->px(least_charted) ? 0 : ui->px(44);
    float spark_x = at.x + width - value_width - ui->px(8) - spark;
    float name_x = at.x + dot + ui->px(8);
    ui::clipped_name(ui, list, ImVec2(name_x, y), spark_x - (spark > 0 ? ui->px(8) : 0) - name_x,
                     ui->colors.text, suspect->name);
    ui::area_chart(ui, ImVec2(spark_x, at.y + ui->px(5)),
                   ImVec2(spark_x + spark, at.y + ui->px(20)), suspect->values, model->step_places,
                   model->step_count, MC_NONE);
    float growth_x = at.x + width - ImGui::CalcTextSize(suspect->growth).x;
    list->AddText(ImVec2(std::floor(growth_x), std::floor(y)), ui->colors.text, suspect->growth);
    ImGui::PushFont(ui->small);
    ui::clipped_text(list, ImVec2(name_x, y + line), at.x + width - name_x, ui->colors.muted,
                     suspect->detail);
    float detail = ImGui::CalcTextSize(suspect->detail).x;
    if (suspect->cause)
        ui::clipped_name(ui, list, ImVec2(name_x + detail, y + line),
                         at.x + width - name_x - detail, ui->colors.muted, suspect->cause);
    ImGui::PopFont();
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

} // namespace

void ui::draw_suspects(mc_ui *ui, const mc_facts *model, mc_settings *settings, float bottom) {
    bool is_alone = model->open_finding == MC_NONE; // what is selected belongs to none of them
    bool is_closed =
        is_low(ui) && settings->selection.count == 0 && !settings->why_open && !settings->walk_open;
    float rows = get_rows_height(ui, !is_alone && !is_closed && !model->has_methods);
    draw_headline(ui, model, rows);
    if (is_alone && model->lists.why.sentence) draw_evidence(ui, model, settings);
    if (model->suspect_count == 0) return;
    float value_width = 0;
    uint32_t few = count_few(ui, model, bottom - ImGui::GetCursorScreenPos().y, ui->px(row_height));
    bool has_more = model->suspect_count > few;
    note_least(ui, rows);
    uint32_t count = has_more && !ui->all_suspects ? few : model->suspect_count;
    for (uint32_t i = 0; i < model->suspect_count; i++)
        value_width = std::fmax(value_width, ImGui::CalcTextSize(model->suspects[i].growth).x);
    for (uint32_t row = 0; row < count; row++) {
        uint32_t i = row + 1 == count ? get_last(model, row) : row;
        draw_row(ui, model, i, value_width, row == 0);
        if (i == model->open_finding && !is_closed) draw_evidence(ui, model, settings);
    }
    if (has_more) draw_more_suspects(ui, model, few);
    ImGui::Dummy(ImVec2(0, ui->px(below)));
}
