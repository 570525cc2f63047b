#include "app/ui/ui_internal.h"

namespace {

constexpr ImU32 rgba(uint32_t rgb, uint32_t alpha = 255) {
    return IM_COL32(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, alpha);
}

// Text on a panel has a contrast of at least 4.5 in both themes.
const ui_colors light = {
    rgba(0xffffff, 240), // panel
    rgba(0x0f1b2d, 34),  // border
    rgba(0x1a2330),      // text
    rgba(0x566274),      // muted
    rgba(0x0f1b2d, 26),  // faint
    rgba(0x1c64d9),      // accent
    rgba(0xffffff),      // accent_text
    rgba(0x0f1b2d, 15),  // hover
    rgba(0x0f1b2d, 28),  // active
    rgba(0xb42318),      // warning
    rgba(0x1c64d9, 38),  // chart_fill
    rgba(0x1c64d9, 190), // chart_line
    rgba(0xffffff, 205), // plate
    rgba(0x7b3fb8),      // incoming
    rgba(0x1a7f4b),      // outgoing
};
const ui_colors dark = {
    rgba(0x171c24, 240), // panel
    rgba(0xdfe8f5, 30),  // border
    rgba(0xe6ebf2),      // text
    rgba(0x9ba8b9),      // muted
    rgba(0xdfe8f5, 26),  // faint
    rgba(0x4c8dff),      // accent
    rgba(0x0b1220),      // accent_text
    rgba(0xdfe8f5, 16),  // hover
    rgba(0xdfe8f5, 30),  // active
    rgba(0xff8a7a),      // warning
    rgba(0x6aa3ff, 46),  // chart_fill
    rgba(0x6aa3ff, 210), // chart_line
    rgba(0x171c24, 205), // plate
    rgba(0xc79bf2),      // incoming
    rgba(0x5fd08f),      // outgoing
};

} // namespace

void ui::apply_theme(mc_ui *ui, bool is_dark) {
    ui->dark = is_dark;
    ui->colors = is_dark ? dark : light;
    const ui_colors &c = ui->colors;
    ImGuiStyle style;
    style.WindowPadding = ImVec2(12, 12);
    style.WindowRounding = style.ChildRounding = style.PopupRounding = 6;
    style.FrameRounding = style.GrabRounding = 4;
    style.WindowBorderSize = style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.FramePadding = ImVec2(8, 4);
    style.ItemSpacing = ImVec2(8, 6);
    style.ItemInnerSpacing = ImVec2(8, 4);
    style.ScrollbarSize = 8;
    style.ScrollbarRounding = 4;
    style.GrabMinSize = 10;
    style.WindowMinSize = ImVec2(8, 8);
    style.AntiAliasedLinesUseTex = false; // lines of any width, also between whole pixels
    style.CircleTessellationMaxError = 0.2f;
    style.ScaleAllSizes(ui->scale);
    style.WindowBorderSize = style.PopupBorderSize = 1;
    auto set = [&](ImGuiCol which, ImU32 color) {
        style.Colors[which] = ImGui::ColorConvertU32ToFloat4(color);
    };
    for (ImGuiCol i = 0; i < ImGuiCol_COUNT; i++) {
        set(i, 0);
    }
    set(ImGuiCol_Text, c.text);
    set(ImGuiCol_TextDisabled, c.muted);
    set(ImGuiCol_WindowBg, c.panel);
    set(ImGuiCol_PopupBg, c.panel | IM_COL32_A_MASK);
    set(ImGuiCol_Border, c.border);
    set(ImGuiCol_FrameBg, c.hover);
    set(ImGuiCol_FrameBgHovered, c.active);
    set(ImGuiCol_FrameBgActive, c.active);
    set(ImGuiCol_Button, 0);
    set(ImGuiCol_ButtonHovered, c.hover);
    set(ImGuiCol_ButtonActive, c.active);
    set(ImGuiCol_Header, c.active);
    set(ImGuiCol_HeaderHovered, c.hover);
    set(ImGuiCol_HeaderActive, c.active);
    set(ImGuiCol_SliderGrab, c.accent);
    set(ImGuiCol_SliderGrabActive, c.accent);
    set(ImGuiCol_ScrollbarGrab, with_alpha(c.muted, 0.5f));
    set(ImGuiCol_ScrollbarGrabHovered, c.muted);
    set(ImGuiCol_ScrollbarGrabActive, c.muted);
    ImGui::GetStyle() = style;
}
