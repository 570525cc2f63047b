#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr float row_height = 25, group_height = 9, side = 10, mark_width = 18;

bool is_of(const mc_ui_menu_row &row, uint32_t parent) {
    return row.parent == parent;
}

// A column of the menu: the rows of one parent.
struct column {
    uint32_t parent;
    float width, height;
};

column measure(mc_ui *ui, const mc_ui_menu *menu, uint32_t parent) {
    column c = {parent, 0, 0};
    float label = 0, keys = 0;
    bool is_first = true, has_beside = false;
    for (uint32_t i = 0; i < menu->row_count; i++) {
        const mc_ui_menu_row &row = menu->rows[i];
        if (!is_of(row, parent)) continue;
        has_beside = has_beside || row.opens;
        label = std::max(label, ImGui::CalcTextSize(row.label).x);
        ImGui::PushFont(ui->small);
        keys = std::max(keys, ImGui::CalcTextSize(row.keys).x);
        ImGui::PopFont();
        c.height += ui->px(row_height) + (row.begins_group && !is_first ? ui->px(group_height) : 0);
        is_first = false;
    }
    c.width = ui->px(2 * side + mark_width + 24) + label + keys;
    c.width = std::floor(std::min(c.width, ui->width * (has_beside ? 0.48f : 0.9f)));
    return c;
}

void draw_mark(mc_ui *ui, ImVec2 c, ImU32 color) {
    float s = ui->px(4);
    ImVec2 mark[3] = {{c.x - s, c.y}, {c.x - s * 0.25f, c.y + s * 0.7f}, {c.x + s, c.y - s * 0.7f}};
    ImGui::GetWindowDrawList()->AddPolyline(mark, 3, color, 0, ui->px(1.5f));
}

void draw_arrow(mc_ui *ui, ImVec2 c, ImU32 color) {
    float s = ui->px(3);
    ImVec2 mark[3] = {{c.x - s / 2, c.y - s}, {c.x + s / 2, c.y}, {c.x - s / 2, c.y + s}};
    ImGui::GetWindowDrawList()->AddPolyline(mark, 3, color, 0, ui->px(1.25f));
}

void draw_texts(mc_ui *ui, const mc_ui_menu_row &row, ImVec2 at, float width, float height) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImU32 color = row.is_title || row.obstacle ? ui->colors.muted : ui->colors.text;
    if (row.obstacle) color = ui::with_alpha(color, 0.7f);
    float x = at.x + ui->px(side + mark_width), right = at.x + width - ui->px(side);
    float middle = at.y + height / 2;
    if (row.is_title) x = at.x + ui->px(side);
    if (row.is_on) draw_mark(ui, ImVec2(at.x + ui->px(side + 5), middle), color);
    if (row.opens) draw_arrow(ui, ImVec2(right - ui->px(3), middle), ui->colors.muted);
    ImVec2 label = ImGui::CalcTextSize(row.label);
    float label_width = std::min(label.x, right - x);
    ui::clipped_name(ui, list, ImVec2(x, std::floor(middle - label.y / 2)), label_width + 1, color,
                     row.label);
    ImGui::PushFont(ui->small);
    ImVec2 keys = ImGui::CalcTextSize(row.keys);
    float room = right - x - label_width - ui->px(16), keys_width = std::min(keys.x, room);
    if (keys.x > 0 && keys_width > ui->px(2))
        ui::clipped_name(ui, list, ImVec2(right - keys_width, std::floor(middle - keys.y / 2)),
                         keys_width + 1, ui->colors.muted, row.keys);
    ImGui::PopFont();
}

// What is under a pointer that moves is chosen; keys choose while it rests.
void choose(mc_ui_menu *menu, uint32_t index) {
    const mc_ui_menu_row &row = menu->rows[index];
    ImVec2 way = ImGui::GetIO().MouseDelta;
    if (way.x == 0 && way.y == 0) return;
    menu->chosen = row.is_title ? MC_NONE : index;
    // On the way to the rows that are open, others are passed.
    bool is_passing = menu->open != MC_NONE && way.x > 0 && way.x > std::fabs(way.y) * 0.5f;
    if (row.parent == MC_NONE && !is_passing) menu->open = row.opens ? index : MC_NONE;
}

void draw_row(mc_ui *ui, mc_ui_menu *menu, uint32_t index, float width) {
    const mc_ui_menu_row &row = menu->rows[index];
    float height = ui->px(row_height);
    ImVec2 at = ImGui::GetCursorScreenPos(), to(at.x + width, at.y + height);
    ImGui::PushID(static_cast<int>(index));
    bool clicked = ImGui::InvisibleButton("row", ImVec2(width, height));
    ImGui::PopID();
    if (ImGui::IsItemHovered()) choose(menu, index);
    bool is_lit = !row.is_title && (menu->chosen == index || menu->open == index);
    if (is_lit) {
        ImGui::GetWindowDrawList()->AddRectFilled(
            ImVec2(at.x + ui->px(4), at.y), ImVec2(to.x - ui->px(4), to.y),
            menu->chosen == index ? ui->colors.active : ui->colors.hover, ui->px(4));
    }
    draw_texts(ui, row, at, width, height);
    if (row.obstacle) ui::hint(ui, row.obstacle);
    if (clicked && row.opens) menu->open = index;
    if (clicked && !row.opens) ui::act(ui, MC_ACTION_TAKE_MENU_ROW, index);
}

// Returns where the row that is open lies, for what it opens.
float draw_column(mc_ui *ui, mc_ui_menu *menu, const column &c, const char *name, ImVec2 at) {
    float padding = ui->px(6), open_y = at.y;
    float most = ui->height - at.y - ui->px(8);
    ImVec2 size(c.width, std::min(c.height + 2 * padding, most));
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, padding));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
    bool is_first = true;
    for (uint32_t i = 0; i < menu->row_count; i++) {
        if (!is_of(menu->rows[i], c.parent)) continue;
        if (menu->rows[i].begins_group && !is_first) {
            float y = std::floor(ImGui::GetCursorScreenPos().y + ui->px(group_height) / 2) + 0.5f;
            ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x + ui->px(side), y),
                                                ImVec2(at.x + c.width - ui->px(side), y),
                                                ui->colors.border);
            ImGui::Dummy(ImVec2(1, ui->px(group_height)));
        }
        is_first = false;
        if (menu->open == i) open_y = ImGui::GetCursorScreenPos().y - padding;
        bool scrolls = menu->chosen == i && c.height + 2 * padding > size.y;
        draw_row(ui, menu, i, c.width);
        ImVec2 delta = ImGui::GetIO().MouseDelta;
        if (scrolls && delta.x == 0 && delta.y == 0 && !ImGui::IsItemVisible())
            ImGui::SetScrollHereY(0.5f);
    }
    ui::place(ui, name, at, ImVec2(at.x + size.x, at.y + size.y));
    ImGui::End();
    ImGui::PopStyleVar(2);
    return open_y;
}

// A press anywhere else closes the menu, and is for nothing below it.
void draw_ground(mc_ui *ui, mc_ui_menu *menu) {
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(ui->width, ui->height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::Begin("menu ground", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBackground);
    ImGui::InvisibleButton("ground", ImVec2(ui->width, ui->height),
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    if (ImGui::IsItemActivated()) {
        menu->is_open = false;
        ui->answer->wants_frame = true;
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

} // namespace

void ui::draw_menu(mc_ui *ui, mc_ui_menu *menu) {
    draw_ground(ui, menu);
    float margin = ui->px(8), gap = ui->px(2);
    column first = measure(ui, menu, MC_NONE);
    float padding = 2 * ui->px(6);
    ImVec2 at(std::min(menu->x, ui->width - first.width - margin),
              std::min(menu->y, ui->height - first.height - padding - margin));
    at = ImVec2(std::floor(std::max(at.x, 0.0f)), std::floor(std::max(at.y, margin)));
    float open_y = draw_column(ui, menu, first, "menu", at);
    if (menu->open == MC_NONE || menu->open >= menu->row_count) return;
    column second = measure(ui, menu, menu->open);
    float x = at.x + first.width + gap;
    if (x + second.width > ui->width - margin) x = at.x - second.width - gap;
    // Over what opened it where there is no room beside that: keys belong to their commands.
    if (x < 0) x = std::max(ui->width - second.width - margin, 0.0f);
    float y = std::min(open_y, ui->height - second.height - padding - margin);
    draw_column(ui, menu, second, "menu_beside",
                ImVec2(std::floor(x), std::floor(std::max(y, margin))));
}
