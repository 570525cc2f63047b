#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>

namespace {

// An arrow into what is selected, or out of it.
void draw_direction(mc_ui *ui, ImDrawList *list, ImVec2 center, bool points_in) {
    float s = ui->px(4), way = points_in ? -1.0f : 1.0f;
    ImU32 color = points_in ? ui->colors.incoming : ui->colors.outgoing;
    ImVec2 from(center.x - way * s, center.y), to(center.x + way * s, center.y);
    list->AddLine(from, to, color, ui->px(1.6f));
    ImVec2 head[3] = {{to.x - way * s, to.y - s * 0.9f}, to, {to.x - way * s, to.y + s * 0.9f}};
    list->AddPolyline(head, 3, color, 0, ui->px(1.6f));
}

void draw_row(mc_ui *ui, const ui::list_style *style, const mc_fact_list_row *row, ImVec2 at,
              float width, float height, bool hovered) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    float out = ui->px(6);
    if (hovered || row->selected || row->lit) {
        ImU32 color = row->selected ? ui->colors.active : ui->colors.hover;
        list->AddRectFilled(ImVec2(at.x - out, at.y), ImVec2(at.x + width + out, at.y + height),
                            color, ui->px(4));
    }
    float line = ImGui::GetFontSize(), x = at.x, mark = ui->px(8);
    float text_height = row->detail ? 2 * line : line;
    float y = std::floor(at.y + (height - text_height) / 2), middle = std::floor(y + line / 2);
    const ImU32 marks[] = {0, ui->colors.muted, ui->colors.warning, ui->colors.incoming};
    ImU32 mark_color = row->mark ? marks[row->mark] : row->color;
    bool has_mark = mark_color != 0 || row->points_in || row->points_out;
    if (mark_color) {
        list->AddRectFilled(ImVec2(x, middle - mark / 2), ImVec2(x + mark, middle + mark / 2),
                            mark_color, ui->px(2));
    } else if (has_mark) {
        draw_direction(ui, list, ImVec2(x + mark / 2, middle), row->points_in);
    }
    if (has_mark) x += mark + ui->px(8);
    float right = at.x + width, value_y = y;
    if (style->small_values) {
        ImGui::PushFont(ui->small);
        value_y = std::floor(y + (line - ImGui::GetFontSize()) / 2);
    }
    for (int i = MC_FACT_LIST_VALUES - 1; i >= 0; i--) {
        float column = ui->px(style->widths[i]);
        if (column <= 0) continue;
        float text = ImGui::CalcTextSize(row->values[i]).x;
        list->AddText(ImVec2(std::floor(right - text), value_y), ui->colors.text, row->values[i]);
        right -= column;
    }
    if (style->small_values) ImGui::PopFont();
    if (row->strong) ImGui::PushFont(ui->strong);
    ui::clipped_name(ui, list, ImVec2(x, y), right - ui->px(4) - x, ui->colors.text, row->name);
    if (row->strong) ImGui::PopFont();
    if (!row->detail) return;
    ImGui::PushFont(ui->small);
    ui::clipped_text(list, ImVec2(x, y + line), at.x + width - x, ui->colors.muted, row->detail);
    ImGui::PopFont();
}

} // namespace

uint32_t ui::list(mc_ui *ui, const char *id, const mc_fact_list *rows, const list_style *style,
                  uint32_t *hovered_row) {
    if (hovered_row) *hovered_row = MC_NONE;
    if (rows->count == 0) return MC_NONE;
    float height = std::floor(ui->px(style->row_height)), width = ImGui::GetContentRegionAvail().x;
    float most = style->height > 0 ? style->height : height * static_cast<float>(style->most_rows);
    float all = height * static_cast<float>(rows->count), gutter = ui->px(6);
    bool scrolls = all > most;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gutter, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(ImVec2(at.x - gutter, at.y));
    // Rows reach a little beyond the column's text, and so does the list.
    ImGui::BeginChild(id, ImVec2(width + 2 * gutter, std::min(all, most)), false,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysUseWindowPadding |
                          (scrolls ? 0 : ImGuiWindowFlags_NoScrollWithMouse));
    if (rows->wanted_row < rows->count) {
        float y = height * static_cast<float>(rows->wanted_row), now = ImGui::GetScrollY();
        if (y < now) ImGui::SetScrollY(y);
        if (y + height > now + most) ImGui::SetScrollY(y + height - most);
    }
    uint32_t clicked = MC_NONE, pointed = MC_NONE;
    float inner = ImGui::GetContentRegionAvail().x;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows->count), height);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++) {
            uint32_t index = static_cast<uint32_t>(i);
            mc_fact_list_row row = {};
            rows->describe(rows->user, index, &row);
            ImVec2 from = ImGui::GetCursorScreenPos();
            ImGui::PushID(i);
            if (ui::pressable(ui, "row", ImVec2(inner, height))) clicked = index;
            ImGui::PopID();
            if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
                clicked = index;
                ui->answer->wants_menu = true;
            }
            if (index < 3 && style->places[index]) place_item(ui, style->places[index]);
            bool hovered = ImGui::IsItemHovered();
            draw_row(ui, style, &row, from, inner, height, hovered);
            if (!hovered) continue;
            pointed = index;
            if (rows->describe_more) hint_row(ui, rows, index);
        }
    }
    if (scrolls) fade_cut_off(ui);
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
    ImGui::SetCursorScreenPos(ImVec2(at.x, ImGui::GetCursorScreenPos().y));
    if (hovered_row) *hovered_row = pointed;
    return clicked;
}

bool ui::list_header(mc_ui *ui, const list_style *style, const char *const *names,
                     uint32_t *sorted_by, bool *ascending, bool scrolls) {
    float height = ui->px(20), width = ImGui::GetContentRegionAvail().x;
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    float right = at.x + width - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    bool changed = false;
    ImGui::PushFont(ui->small);
    for (int i = MC_FACT_LIST_VALUES; i >= 0; i--) { // 0: the name, then the values
        bool is_name = i == 0;
        float column = is_name ? right - at.x : ui->px(style->widths[i - 1]);
        if (column <= 0) continue;
        const char *name = names[i];
        float text = ImGui::CalcTextSize(name).x;
        ImGui::SetCursorScreenPos(ImVec2(is_name ? at.x : right - column, at.y));
        uint32_t index = static_cast<uint32_t>(i);
        ImGui::PushID(name);
        if (ui::pressable(ui, "column", ImVec2(column, height))) {
            // What one looks for in a column of numbers is the largest.
            *ascending = *sorted_by == index ? !*ascending : is_name;
            *sorted_by = index;
            changed = true;
        }
        ImGui::PopID();
        bool lit = *sorted_by == index;
        ImU32 color = lit || ImGui::IsItemHovered() ? ui->colors.text : ui->colors.muted;
        float x = std::floor(is_name ? at.x : right - text);
        float y = std::floor(at.y + (height - ImGui::GetFontSize()) / 2);
        list->AddText(ImVec2(x, y), color, name);
        if (lit) {
            float s = ui->px(3), mx = is_name ? x + text + ui->px(8) : x - ui->px(7);
            float my = at.y + height / 2, up = *ascending ? -1.0f : 1.0f;
            list->AddTriangleFilled(ImVec2(mx - s, my - up * s * 0.6f),
                                    ImVec2(mx + s, my - up * s * 0.6f),
                                    ImVec2(mx, my + up * s * 0.7f), color);
        }
        right -= column;
    }
    ImGui::PopFont();
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
    return changed;
}
