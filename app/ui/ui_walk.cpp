#include "app/ui/ui_internal.h"

#include <cmath>
#include <cstring>

namespace {

const char *const places[] = {"stop", "stop_2", "stop_3"};

// Text of several lines in `width` pixels, each wrapped.
void write_lines(const char *text) {
    for (const char *from = text; *from;) {
        const char *end = strchr(from, '\n');
        std::string line(from, end ? static_cast<size_t>(end - from) : strlen(from));
        ui::wrapped_text(line.c_str());
        if (!end) return;
        from = end + 1;
    }
}

// A stop with the number that it has in the picture: its name, what it is, and what holds it.
// Nothing of it is cut. Returns whether it was clicked.
bool draw_stop(mc_ui *ui, const mc_fact_list *stops, uint32_t index) {
    mc_fact_list_row row = {};
    stops->describe(stops->user, index, &row);
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 at = ImGui::GetCursorScreenPos(), badge = ui::measure_number(ui, index + 1);
    float width = ImGui::GetContentRegionAvail().x, out = ui->px(6), inset = ui->px(3);
    // What lies below the text is known once it is written.
    list->ChannelsSplit(2);
    list->ChannelsSetCurrent(1);
    ui::draw_number(ui, list, ImVec2(at.x, at.y + inset), index + 1, 1);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + inset));
    ImGui::Indent(badge.x + ui->px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    if (row.strong) ImGui::PushFont(ui->strong);
    ui::wrapped_text(row.name);
    if (row.strong) ImGui::PopFont();
    ImGui::PushFont(ui->small);
    ImGui::PushStyleColor(ImGuiCol_Text, ui->colors.muted);
    if (row.detail) write_lines(row.detail);
    ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::PopStyleVar();
    ImGui::Unindent(badge.x + ui->px(8));
    ImVec2 end = ImGui::GetCursorScreenPos();
    float height = std::floor(end.y + inset - at.y);
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(static_cast<int>(index));
    bool clicked = ui::pressable(ui, "stop", ImVec2(width, height));
    ImGui::PopID();
    if (index < 3) ui::place_item(ui, places[index]);
    bool hovered = ImGui::IsItemHovered();
    list->ChannelsSetCurrent(0);
    if (hovered || row.selected)
        list->AddRectFilled(ImVec2(at.x - out, at.y), ImVec2(at.x + width + out, at.y + height),
                            row.selected ? ui->colors.active : ui->colors.hover, ui->px(4));
    list->ChannelsMerge();
    if (hovered) ui::hint_row(ui, stops, index);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
    return clicked;
}

void draw_buttons(mc_ui *ui, const mc_fact_walk *walk) {
    float width = ImGui::GetContentRegionAvail().x, gap = ui->px(8);
    float half = std::floor((width - gap) / 2);
    const char *start = walk->is_of_one_step ? "From the largest" : "From the first";
    if (ui::button(ui, "walk", walk->is_walking ? "Looking\xe2\x80\xa6" : start, half,
                   walk->is_of_one_step ? "The way from what is largest  (0)"
                                        : "The way that shows the first finding  (0)",
                   true)) {
        ui::act(ui, MC_ACTION_WALK);
    }
    ImGui::SameLine(0, gap);
    if (ui::button(ui, "walk_selection", "From selection", half,
                   "The way from the selection  (Alt+0)", walk->has_selection)) {
        ui::act(ui, MC_ACTION_WALK_FROM);
    }
}

} // namespace

// How a finding is known, stop by stop, then what else one can ask for.
void ui::draw_walk(mc_ui *ui, const mc_facts *model) {
    const mc_fact_walk *walk = &model->lists.walk;
    const char *said = model->lists.why.sentence;
    if (walk->note) muted_text(ui, walk->note, true);
    bool is_new = walk->summary &&
                  !(model->verdict && strcmp(walk->summary, model->verdict) == 0) &&
                  !(said && strcmp(walk->summary, said) == 0);
    if (is_new) {
        wrapped_text(walk->summary);
        ImGui::Dummy(ImVec2(0, ui->px(2)));
    }
    for (uint32_t i = 0; i < walk->stops.count; i++)
        if (draw_stop(ui, &walk->stops, i)) act(ui, MC_ACTION_SHOW_STOP, i);
    ImGui::Dummy(ImVec2(0, ui->px(2)));
    draw_buttons(ui, walk);
}
