#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr float margin = 8, panel_width = 320, narrow_width = 240;
constexpr float least_free = 420, narrow_free = 240; // of the picture beside it

// A small switch with a sign on it.
bool sign_button(mc_ui *ui, const char *id, const char *sign, const char *text, bool *value) {
    float side = ui->px(28);
    bool clicked = ui::pressable(ui, id, ImVec2(side, side));
    ui::place_item(ui, id);
    if (clicked) *value = !*value;
    ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (*value || ImGui::IsItemHovered()) {
        list->AddRectFilled(from, to, *value ? ui->colors.accent : ui->colors.hover, ui->px(5));
    }
    ImVec2 size = ImGui::CalcTextSize(sign);
    list->AddText(
        ImVec2(std::floor((from.x + to.x - size.x) / 2), std::floor((from.y + to.y - size.y) / 2)),
        *value ? ui->colors.accent_text : ui->colors.text, sign);
    ui::hint(ui, text);
    return clicked;
}

void draw_field(mc_ui *ui, mc_settings *settings, float width) {
    float side = ui->px(28), gap = ui->px(4);
    ImVec2 padding(ui->px(8), (side - ImGui::GetFontSize()) / 2);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
    ui::text_field(ui, "search", "Search names", settings->search, sizeof settings->search,
                   width - 2 * (side + gap));
    ImGui::PopStyleVar();
    ImGui::SameLine(0, gap);
    sign_button(ui, "search_regex", ".*", "Regular expression  (Alt+R)",
                &settings->search_is_regex);
    ImGui::SameLine(0, gap);
    if (ui::icon_button(ui, "close_search", ui::icon::close, "Close  (Esc)")) {
        settings->search_open = false;
    }
}

void draw_counts(mc_ui *ui, const mc_fact_search *search, float width) {
    float side = ui->px(28);
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImU32 color = search->is_searching ? ui->colors.muted : ui->colors.text;
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(at.x, std::floor(at.y + (side - ImGui::GetFontSize()) / 2)), color, search->counts);
    ImGui::SetCursorScreenPos(ImVec2(at.x + width - 2 * side, at.y));
    if (ui::icon_button(ui, "previous_hit", ui::icon::up, "Previous  (Shift+Enter)")) {
        ui::act(ui, MC_ACTION_PREVIOUS_HIT);
    }
    ImGui::SameLine(0, 0);
    if (ui::icon_button(ui, "next_hit", ui::icon::down, "Next  (Enter)")) {
        ui::act(ui, MC_ACTION_NEXT_HIT);
    }
}

} // namespace

void ui::draw_search(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    const mc_fact_search *search = &model->lists.search;
    ui->is_covered = false;
    if (!settings->search_open) return;
    float gap = ui->px(margin), top = ui->answer->top + gap;
    float bottom = ui->height - ui->answer->bottom - gap;
    // Where both columns fit, the city keeps what is between them.
    float between = ui->width - ui->answer->right - gap;
    bool is_narrow = between - ui->px(panel_width) < ui->px(least_free);
    float width = std::min(ui->px(is_narrow ? narrow_width : panel_width), ui->width - 2 * gap);
    ui->is_covered = between - width < ui->px(narrow_free);
    if (!ui->is_covered) ui->answer->left = width + gap;
    ImGui::SetNextWindowPos(ImVec2(gap, top));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                        ImVec2(width, std::max(bottom - top, ui->px(60))));
    ImGui::Begin("search panel", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoBringToFrontOnFocus); // help lies over it
    float inner = width - 2 * ImGui::GetStyle().WindowPadding.x;
    draw_field(ui, settings, inner);
    ui->hint_right = 0;
    if (search->hits.count > 0) {
        draw_counts(ui, search, inner);
        float room = bottom - ImGui::GetCursorScreenPos().y - ImGui::GetStyle().WindowPadding.y;
        list_style style = {40, {76, 0, 0, 0}, 0, room, false, {"hit_1", "hit_2", "hit_3"}};
        uint32_t clicked = list(ui, "hits", &search->hits, &style, nullptr);
        if (clicked != MC_NONE) act(ui, MC_ACTION_SHOW_HIT, clicked);
    } else if (search->note) {
        muted_text(ui, search->note, true);
    }
    place(ui, "search_panel", ImGui::GetWindowPos(),
          ImVec2(gap + ImGui::GetWindowSize().x, top + ImGui::GetWindowSize().y));
    ImGui::End();
}
