// The preferences: what stays from one trace to the next, in one place.
#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

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

template <size_t size> void put(char (&field)[size], const char *text) {
    size_t length = std::strlen(text);
    if (length >= size) return;
    std::memset(field, 0, size);
    std::memcpy(field, text, length);
}

// Of a pixel where nothing moves.
void draw_samples(mc_ui *ui, mc_settings *settings) {
    static const char *const names[] = {"As usual: 16", "1, the fastest", "4", "64, the finest"};
    static const uint32_t counts[] = {0, 1, 4, 64};
    uint32_t chosen = 4;
    for (uint32_t i = 0; i < 4; i++)
        if (settings->samples == counts[i]) chosen = i;
    char other[16];
    snprintf(other, sizeof other, "%u", settings->samples);
    const char *items[] = {names[0], names[1], names[2], names[3], other};
    if (ui::choice(ui, "Samples of a pixel", items, chosen == 4 ? 5 : 4, &chosen) && chosen < 4)
        settings->samples = counts[chosen];
    ui::place_item(ui, "samples");
}

// One that is not there stays chosen: it may come back.
void draw_device(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    std::vector<const char *> items = {"The best one"};
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < model->device_count; i++) {
        if (std::strcmp(settings->device, model->devices[i]) == 0) chosen = i + 1;
        items.push_back(model->devices[i]);
    }
    if (settings->device[0] && chosen == 0) {
        chosen = static_cast<uint32_t>(items.size());
        items.push_back(settings->device);
    }
    const std::string before = settings->device;
    if (ui::choice(ui, "Device", items.data(), static_cast<uint32_t>(items.size()), &chosen))
        put(settings->device, chosen == 0                     ? ""
                              : chosen <= model->device_count ? model->devices[chosen - 1]
                                                              : before.c_str());
    ui::place_item(ui, "device");
}

// How traces are grouped that are opened from now on: as they were recorded, or as this one is.
void draw_usual_grouping(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    std::string now;
    for (uint32_t i = 0; i < model->classifier_count; i++) {
        if (model->classifiers[i].is_chosen)
            now += (now.empty() ? "" : ",") + std::string(model->classifiers[i].name);
    }
    std::vector<std::string> lists = {""};
    if (!now.empty()) lists.push_back(now);
    const std::string usual = settings->usual_group_by;
    if (!usual.empty() && usual != now) lists.push_back(usual);
    std::vector<const char *> items = {"As recorded"};
    uint32_t chosen = 0;
    for (uint32_t i = 1; i < lists.size(); i++) {
        if (lists[i] == usual) chosen = i;
        items.push_back(lists[i].c_str());
    }
    if (ui::choice(ui, "Group traces by", items.data(), static_cast<uint32_t>(items.size()),
                   &chosen))
        put(settings->usual_group_by, lists[chosen].c_str());
    ui::place_item(ui, "usual_grouping");
}

} // namespace

void ui::draw_preferences(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    static const char *const themes[] = {"Light", "Dark"};
    static const char *const palettes[] = {"Heat", "Colour-blind safe"};
    static const char *const units[] = {"KiB, MiB: of 1,024", "kB, MB: of 1,000"};
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
    line(ui);
    choice(ui, "Bytes", units, 2, &settings->byte_units);
    place_item(ui, "byte_units");
    draw_usual_grouping(ui, model, settings);
    draw_samples(ui, settings);
    draw_device(ui, model, settings);
    muted_text(ui,
               "All of this is kept for the next time, as are the window's size and which panels "
               "are unfolded. Bytes and device change at the next start.",
               true);
    ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    place(ui, "preferences_card", from, ImVec2(from.x + size.x, from.y + size.y));
    ImGui::End();
    ImGui::PopStyleVar();
}
