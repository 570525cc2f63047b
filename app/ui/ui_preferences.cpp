// The preferences: what stays from one trace to the next, in one place.
#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr float card_width = 380;

void draw_text_size(mc_ui *ui, const mc_settings *settings) {
    char text[16];
    snprintf(text, sizeof text, "%.0f %%", static_cast<double>(settings->text_scale) * 100);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Text size");
    float button = ui->px(28), value = ui->px(52), usual = ui->px(64), gap = ui->px(4);
    ImGui::SameLine();
    float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    ImGui::SetCursorPosX(right - 2 * button - value - usual - 3 * gap);
    if (ui::button(ui, "smaller", "\xe2\x88\x92", button, "Smaller  (Ctrl+-)", true))
        ui::act(ui, MC_ACTION_SMALLER);
    ImGui::SameLine(0, gap);
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = ImGui::CalcTextSize(text).x;
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(std::floor(at.x + (value - width) / 2),
               std::floor(at.y + (ImGui::GetFrameHeight() - ImGui::GetFontSize()) / 2)),
        ui->colors.text, text);
    ImGui::Dummy(ImVec2(value, 1));
    ImGui::SameLine(0, gap);
    if (ui::button(ui, "larger", "+", button, "Larger  (Ctrl++)", true))
        ui::act(ui, MC_ACTION_LARGER);
    ui::place_item(ui, "larger_text");
    ImGui::SameLine(0, gap);
    if (ui::button(ui, "usual", "Usual", usual, "As the screen asks for  (Ctrl+0)", true))
        ui::act(ui, MC_ACTION_USUAL_SIZE);
}

} // namespace

void ui::draw_preferences(mc_ui *ui, mc_settings *settings) {
    static const char *const themes[] = {"Light", "Dark"};
    static const char *const palettes[] = {"Heat", "Colour-blind safe"};
    static const char *const movings[] = {"Full, or half where slow", "Full", "Half"};
    float padding = ui->px(16), close = ui->px(28);
    float width = std::min(ui->px(card_width), ui->width - ui->px(24));
    float free = ui->width - ui->answer->right;
    if (free < width + ui->px(24)) free = ui->width;
    ImGui::SetNextWindowPos(ImVec2(std::floor((free - width) / 2), ui->answer->top + ui->px(24)));
    ImGui::SetNextWindowSizeConstraints(
        ImVec2(width, 0),
        ImVec2(width, std::max(ui->height - ui->answer->top - ui->px(36), ui->px(80))));
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, ui->px(12)));
    ImGui::Begin("preferences", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_AlwaysAutoResize);
    ImVec2 at = ImGui::GetCursorPos();
    ImGui::SetCursorPos(ImVec2(width - padding - close + ui->px(6), at.y));
    if (icon_button(ui, "close_preferences", icon::close, "Close  (Esc)"))
        settings->preferences_open = false;
    ImGui::SetCursorPos(ImVec2(at.x, at.y + (close - ImGui::GetFontSize()) / 2));
    ImGui::PushFont(ui->strong);
    ImGui::TextUnformatted("Preferences");
    ImGui::PopFont();
    ImGui::SetCursorPos(ImVec2(at.x, at.y + close + ui->px(6)));
    float inner = ImGui::GetContentRegionAvail().x;
    uint32_t theme = settings->look.dark ? 1 : 0;
    if (segmented(ui, "preferred_theme", themes, 2, inner, &theme))
        settings->look.dark = theme == 1;
    choice(ui, "Colours of growth", palettes, 2, &settings->look.palette);
    draw_text_size(ui, settings);
    toggle(ui, "Motion", &settings->motion);
    choice(ui, "While moving", movings, 3, &settings->moving);
    line(ui);
    toggle(ui, "Names", &settings->look.names);
    toggle(ui, "Edges", &settings->look.edges);
    toggle(ui, "GC roots at the edge", &settings->look.roots);
    toggle(ui, "Loop", &settings->loop);
    muted_text(ui,
               "All of this is kept for the next time, as are the window's size and which panels "
               "are unfolded.",
               true);
    ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    place(ui, "preferences_card", from, ImVec2(from.x + size.x, from.y + size.y));
    ImGui::End();
    ImGui::PopStyleVar();
}
