// What the Tab key goes to: whatever can be pressed, in the order in which it is drawn.
#include "app/ui/ui_internal.h"

#include <algorithm>

bool ui::pressable(mc_ui *ui, const char *id, ImVec2 size) {
    unsigned item = ImGui::GetID(id);
    bool is_clicked = ImGui::InvisibleButton(id, size);
    return take_focus(ui, item) || is_clicked;
}

bool ui::take_focus(mc_ui *ui, unsigned item) {
    ui_focus &focus = ui->focus;
    focus.stops.push_back(item);
    if (item != focus.item) return false;
    ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    if (focus.has_moved && !ImGui::IsItemVisible()) {
        ImGui::SetScrollHereY(0.5f);
        ui->answer->wants_frame = true;
    }
    focus.has_moved = false;
    ImGui::GetWindowDrawList()->AddRect(from, to, ui->colors.accent, ui->px(4), 0, ui->px(2));
    place(ui, "focus", from, to);
    bool is_pressed = focus.is_pressed;
    focus.is_pressed = false;
    return is_pressed;
}

void ui::settle_focus(mc_ui *ui) {
    ui_focus &focus = ui->focus;
    auto count = static_cast<int>(focus.stops.size());
    auto found = std::find(focus.stops.begin(), focus.stops.end(), focus.item);
    int at = static_cast<int>(found - focus.stops.begin());
    if (focus.way != 0 && count > 0) {
        bool is_there = at < count;
        int next = focus.way > 0 ? 0 : count - 1;
        if (is_there) next = (at + focus.way + count) % count;
        focus.item = focus.stops[static_cast<size_t>(next)];
        focus.has_moved = true;
        ui->answer->wants_frame = true;
    } else if (at == count) {
        focus.item = 0; // it is no more
    }
    focus.way = 0;
    focus.is_pressed = false;
    focus.stops.clear();
}

void mc_ui_move_focus(mc_ui *ui, int way) {
    ui->focus.way = way;
}

bool mc_ui_has_focus(const mc_ui *ui) {
    return ui->focus.item != 0;
}

void mc_ui_press_focus(mc_ui *ui) {
    ui->focus.is_pressed = ui->focus.item != 0;
}

bool mc_ui_leave_focus(mc_ui *ui) {
    bool had = ui->focus.item != 0;
    ui->focus.item = 0;
    return had;
}
