#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr float row_height = 30, heading_height = 34, most_width = 640;
constexpr float card_padding = 8;
constexpr float top_share = 0.14f; // of the window's height, above all: rows that come move nothing

constexpr const char *titles[] = {
    "See what fills a program's memory over time, and what keeps it there",
    ("Drop a trace here: heap dumps and snapshots, class histograms, allocation profiles, "
     "folders of them, .mct files, views")};

// Of the window's height. In a lower one rows matter more.
constexpr float least_titled = 320;

// Where programs will stand.
constexpr const char *without_programs =
    "A program of yours in Java or Node that runs is offered here, to be recorded.";
constexpr const char *others =
    "Programs of Go, Ruby and Python write their heaps themselves: memcity record --pid PID says "
    "how.";

// In the middle. Returns where the next line is.
float draw_line(mc_ui *ui, float y, const char *text, ImU32 color) {
    float wrap = ui->width - ui->px(32);
    ImVec2 size = ImGui::CalcTextSize(text, nullptr, false, wrap);
    ImGui::GetBackgroundDrawList()->AddText(
        ImGui::GetFont(), ImGui::GetFontSize(),
        ImVec2(std::floor((ui->width - size.x) / 2), std::floor(y)), color, text, nullptr, wrap);
    return y + size.y + ui->px(6);
}

float draw_title(mc_ui *ui, float y) {
    ImGui::PushFont(ui->title);
    y = draw_line(ui, y, titles[0], ui->colors.text);
    ImGui::PopFont();
    ImGui::PushFont(ui->small);
    y = draw_line(ui, y, titles[1], ui->colors.muted);
    ImGui::PopFont();
    return y;
}

void draw_row(mc_ui *ui, const mc_ui_start *start, uint32_t index, float width) {
    const mc_ui_start_row &row = start->rows[index];
    float height = ui->px(row_height), padding = ui->px(8);
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(index));
    if (ui->focus.item == ImGui::GetID("row")) ui->answer->start_row = index;
    bool clicked = ui::pressable(ui, "row", ImVec2(width, height));
    if (clicked && !row.is_disabled) ui::act(ui, MC_ACTION_TAKE_START_ROW, index);
    ImGui::PopID();
    static char names[24][16]; // which the places refer to
    if (index < sizeof names / sizeof *names) {
        snprintf(names[index], sizeof names[index], "start_%u", static_cast<unsigned>(index));
        ui::place_item(ui, names[index]);
    }
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (!row.is_disabled && (ImGui::IsItemHovered() || start->chosen == index))
        list->AddRectFilled(at, ImVec2(at.x + width, at.y + height),
                            start->chosen == index ? ui->colors.active : ui->colors.hover,
                            ui->px(4));
    float y = std::floor(at.y + (height - ImGui::GetFontSize()) / 2);
    float label = std::min(ImGui::CalcTextSize(row.label).x, width - 2 * padding);
    ui::clipped_name(ui, list, ImVec2(at.x + padding, y), label + 1,
                     row.is_disabled ? ui->colors.muted : ui->colors.text, row.label);
    ImGui::PushFont(ui->small);
    float room = width - label - 3 * padding;
    float detail = std::min(ImGui::CalcTextSize(row.detail).x, room);
    if (detail > ui->px(24))
        ui::clipped_name(ui, list, ImVec2(at.x + width - padding - detail, y + ui->px(1)),
                         detail + 1, ui->colors.muted, row.detail);
    ImGui::PopFont();
}

// Below the rows.
void draw_card(mc_ui *ui, ImVec2 from, ImVec2 to) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float padding = ui->px(card_padding);
    const ImVec2 low(from.x - padding, from.y - padding), high(to.x + padding, to.y + padding);
    list->AddRectFilled(low, high, ui->colors.panel, ui->px(6));
    list->AddRect(low, high, ui->colors.border, ui->px(6));
}

} // namespace

void ui::draw_start(mc_ui *ui, const mc_ui_start *start) {
    float height = 0, width = std::min(ui->px(most_width), ui->width - ui->px(32));
    for (uint32_t i = 0; i < start->row_count; i++)
        height += ui->px(row_height + (start->rows[i].heading ? heading_height : 0));
    float y = std::max(ui->answer->top + ui->px(14), std::floor(ui->height * top_share));
    if (ui->height >= ui->px(least_titled)) y = draw_title(ui, y) + ui->px(20);
    const float most = ui->height - ui->px(24);
    float below = y + height + ui->px(22);
    ImGui::PushFont(ui->small);
    if (!start->has_programs)
        below = draw_line(ui, std::min(below, most), without_programs, ui->colors.muted);
    if (below <= most) (void)draw_line(ui, below, others, ui->colors.muted);
    ImGui::PopFont();
    if (start->row_count == 0) return;
    const ImVec2 from(std::floor((ui->width - width) / 2), y);
    const ImVec2 size(width, std::min(height, ui->height - y - ui->px(16)) + 1);
    draw_card(ui, from, ImVec2(from.x + size.x, from.y + size.y));
    ImGui::SetNextWindowPos(from);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::Begin("start", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    ui->answer->points_at_start = ImGui::IsWindowHovered();
    for (uint32_t i = 0; i < start->row_count; i++) {
        if (start->rows[i].heading) {
            ImVec2 at = ImGui::GetCursorScreenPos();
            ImGui::PushFont(ui->small);
            ImGui::GetWindowDrawList()->AddText(
                ImVec2(at.x + ui->px(8), std::floor(at.y + ui->px(14))), ui->colors.muted,
                start->rows[i].heading);
            ImGui::PopFont();
            ImGui::Dummy(ImVec2(1, ui->px(heading_height)));
        }
        draw_row(ui, start, i, ImGui::GetContentRegionAvail().x);
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
}
