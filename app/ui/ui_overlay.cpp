#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

constexpr float least_free = 300; // in which cards can be read
constexpr ImU32 recording_color = IM_COL32(214, 48, 49, 255);

// How far the panels leave the window free; all of it where that would be too little.
float get_free_width(mc_ui *ui) {
    float width = ui->width - ui->answer->right;
    return width < ui->px(least_free) ? ui->width : width;
}

// A card in the middle, as wide as its text needs; `center` 0: of what the panels leave free.
void begin_card(mc_ui *ui, const char *name, float y, float center = 0) {
    if (center <= 0) center = get_free_width(ui) / 2;
    ImGui::SetNextWindowPos(ImVec2(std::floor(center), y), 0, ImVec2(0.5f, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui->px(12), ui->px(8)));
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
}

void end_card() {
    ImGui::End();
    ImGui::PopStyleVar();
}

float draw_message(mc_ui *ui, const char *message, bool is_notice, float y) {
    begin_card(ui, "message", y);
    float width = std::min(ui->px(560), get_free_width(ui) - ui->px(112)), button = ui->px(28);
    ImVec2 size = ImGui::CalcTextSize(message, nullptr, false, width), at = ImGui::GetCursorPos();
    float mark = ui->px(12), height = std::max(size.y, button);
    ImVec2 from = ImGui::GetCursorScreenPos();
    float text_y = (height - size.y) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(from.x, from.y + text_y), ImVec2(from.x + ui->px(3), from.y + text_y + size.y),
        is_notice ? ui->colors.accent : ui->colors.warning, ui->px(1.5f));
    ImGui::SetCursorPos(ImVec2(at.x + mark, at.y + text_y));
    ImGui::PushTextWrapPos(at.x + mark + width + 1);
    ImGui::TextUnformatted(message);
    ImGui::PopTextWrapPos();
    ImGui::SetCursorPos(ImVec2(at.x + mark + size.x + ui->px(12), at.y));
    if (ui::icon_button(ui, "dismiss", ui::icon::close, "Close  (Esc)")) {
        ui::act(ui, MC_ACTION_DISMISS_MESSAGE);
    }
    y += ImGui::GetWindowSize().y + ui->px(8);
    end_card();
    return y;
}

// What a key did: it goes by itself, so there is nothing to close.
float draw_said(mc_ui *ui, const char *said, float y) {
    begin_card(ui, "said", y);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + get_free_width(ui) - ui->px(48));
    ImGui::TextUnformatted(said);
    ImGui::PopTextWrapPos();
    ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui::place(ui, "said_card", from, ImVec2(from.x + size.x, from.y + size.y));
    y += size.y + ui->px(8);
    end_card();
    return y;
}

constexpr float narrow_width = 560, least_hint = 240, least_card = 280;

// It may be in more lines than others, for it stays: over panels it would be in the way.
float get_hint_end(mc_ui *ui) {
    float free = ui->width - ui->answer->right;
    return free < ui->px(least_card) ? ui->width : free;
}

// A quiet remark above the time bar, beside the legend or above it, for it is about time. In a
// narrow window it would be above the legend, and a sunburst or icicle has its legend at the top:
// then it is at `top`. The picture keeps clear of it. Not of the legend's height where that follows
// from how wide the legend is: the camera would move with its words.
void draw_hint(mc_ui *ui, const mc_facts *model, bool is_flat, float top) {
    float free = get_hint_end(ui), left = std::max(ui->answer->left, 0.0f), gap = ui->px(8);
    float around = ui->px(2 * 12 + 2 * 16 + 28), room = free - left - around;
    // Rather in two rows beside the legend than in one above it.
    float beside = free - std::max(ui->legend.x, left) - around;
    bool is_narrow = is_flat || free - left < ui->px(narrow_width);
    if (!is_narrow && beside >= ui->px(least_hint)) room = beside;
    ImVec2 text = ImGui::CalcTextSize(model->hint), link = ImGui::CalcTextSize(model->hint_action);
    bool one_row = text.x + ui->px(12) + link.x <= room;
    if (!one_row) text = ImGui::CalcTextSize(model->hint, nullptr, false, room);
    float rows = text.y + ui->px(4) + (one_row ? 0 : link.y + ui->px(4));
    float height = std::max(rows, ui->px(28));
    float width = one_row ? text.x + ui->px(12) + link.x : std::max(text.x, link.x);
    width = std::min(width, room);
    float card = width + ui->px(2 * 12 + 8 + 28);
    float middle = (left + free) / 2;
    float center = std::max(middle, ui->legend.x + gap + card / 2);
    float bottom = ui->height - ui->answer->bottom - ui->px(12);
    if (center + card / 2 + gap > free) {
        center = middle;
        if (ui->legend.x > 0) bottom = ui->legend.y - gap;
    }
    if (is_narrow) {
        center = middle;
        bottom = top + ui->px(16) + height;
        ui->answer->top = bottom - ui->px(4);
    } else {
        ui->answer->bottom += ui->px(16 + 4) + height;
    }
    begin_card(ui, "hint", bottom - ui->px(16) - height, center);
    ui::place(ui, "hint_card", ImVec2(center - card / 2, bottom - ui->px(16) - height),
              ImVec2(center + card / 2, bottom));
    ImVec2 at = ImGui::GetCursorScreenPos(), cursor = ImGui::GetCursorPos();
    float y = at.y + std::floor((height - rows) / 2) + ui->px(2);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddText(nullptr, 0, ImVec2(std::floor(at.x), std::floor(y)), ui->colors.muted,
                  model->hint, nullptr, one_row ? 0 : room + 1);
    ImVec2 link_at(one_row ? at.x + text.x + ui->px(12) : at.x,
                   one_row ? y : y + text.y + ui->px(4));
    float link_width = std::min(link.x, room);
    ImGui::SetCursorScreenPos(ImVec2(link_at.x, link_at.y - ui->px(2)));
    if (ui::pressable(ui, "follow", ImVec2(link_width, link.y + ui->px(4)))) {
        ui::act(ui, MC_ACTION_FOLLOW_HINT);
    }
    ui::place_item(ui, "hint");
    bool hovered = ImGui::IsItemHovered();
    ui::clipped_text(list, link_at, link_width + 1, ui->colors.accent, model->hint_action);
    if (hovered) {
        float line = std::floor(link_at.y + link.y) + 0.5f;
        list->AddLine(ImVec2(link_at.x, line), ImVec2(link_at.x + link_width, line),
                      ui->colors.accent, ui->px(1));
    }
    ui::hint(ui, "Also with the key H");
    ImGui::SetCursorPos(ImVec2(cursor.x + width + ui->px(8), cursor.y + (height - ui->px(28)) / 2));
    if (ui::icon_button(ui, "dismiss_hint", ui::icon::close, "Close  (Esc)")) {
        ui::act(ui, MC_ACTION_DISMISS_HINT);
    }
    end_card();
}

float draw_busy(mc_ui *ui, const char *name, const char *what, float progress, mc_action_id action,
                float y) {
    begin_card(ui, name, y);
    float width = std::min(ui->px(320), get_free_width(ui) - ui->px(40)), height = ui->px(4);
    float button = ImGui::CalcTextSize("Cancel").x + ui->px(16), left = ImGui::GetCursorPosX();
    ImVec2 text = ImGui::GetCursorScreenPos();
    text.y += ImGui::GetStyle().FramePadding.y;
    ui::clipped_text(ImGui::GetWindowDrawList(), text, width - button, ui->colors.text, what);
    ImGui::SetCursorPosX(left + width - button);
    ImGui::PushStyleColor(ImGuiCol_Text, ui->colors.accent);
    if (ImGui::Button("Cancel")) ui::act(ui, action);
    ImGui::PopStyleColor();
    if (action != MC_ACTION_REPORT)
        ui::hint(ui, action == MC_ACTION_CANCEL ? "Cancel  (Esc)" : "Cancel  (Ctrl+R)");
    ui::place_item(ui, action == MC_ACTION_CANCEL  ? "cancel"
                       : action == MC_ACTION_VIDEO ? "cancel_video"
                                                   : "cancel_report");
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(width, height));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + height), ui->colors.active, height / 2);
    float share = std::min(std::max(progress, 0.0f), 1.0f);
    if (share > 0) {
        list->AddRectFilled(at, ImVec2(at.x + std::max(width * share, height), at.y + height),
                            ui->colors.accent, height / 2);
    }
    y += ImGui::GetWindowSize().y + ui->px(8);
    end_card();
    return y;
}

// What is being recorded stays in sight, with the way to end it.
float draw_recording(mc_ui *ui, const char *what, float y) {
    begin_card(ui, "recording", y);
    float radius = ui->px(5), mark = ui->px(20), height = ImGui::GetFrameHeight();
    float stop = ui->px(9), button = ImGui::CalcTextSize("Stop").x + stop + ui->px(6 + 16);
    float room = get_free_width(ui) - ui->px(80) - mark - button;
    float width = std::min(ImGui::CalcTextSize(what).x, std::max(room, ui->px(80)));
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    float middle = std::floor(at.y + height / 2), text_y = at.y + ImGui::GetStyle().FramePadding.y;
    list->AddCircleFilled(ImVec2(at.x + radius, middle), radius, recording_color);
    ui::clipped_text(list, ImVec2(at.x + mark, text_y), width + 1, ui->colors.text, what);
    ImGui::SetCursorScreenPos(ImVec2(at.x + mark + width + ui->px(12), at.y));
    if (ui::pressable(ui, "stop", ImVec2(button, height))) ui::act(ui, MC_ACTION_RECORD);
    ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    list->AddRectFilled(from, to, ImGui::IsItemHovered() ? ui->colors.active : ui->colors.hover,
                        ui->px(5));
    float x = from.x + ui->px(8);
    list->AddRectFilled(ImVec2(x, middle - stop / 2), ImVec2(x + stop, middle + stop / 2),
                        ui->colors.text, ui->px(1));
    list->AddText(ImVec2(std::floor(x + stop + ui->px(6)), text_y), ui->colors.text, "Stop");
    ui::hint(ui, "End the recording: its file is whole, and stays");
    ui::place_item(ui, "stop_recording");
    ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui::place(ui, "recording_card", corner, ImVec2(corner.x + size.x, corner.y + size.y));
    y += size.y + ui->px(8);
    end_card();
    return y;
}

// Lines in the middle of the window, the first one bold.
void draw_middle(mc_ui *ui, const char *const *lines, int count) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    float y = ui->height / 2 - ui->px(24), most = ui->width - ui->px(32);
    for (int i = 0; i < count; i++) {
        ImGui::PushFont(i == 0 ? ui->strong : ui->regular);
        float width = std::min(ImGui::CalcTextSize(lines[i]).x, most);
        ui::clipped_name(ui, list, ImVec2(std::floor((ui->width - width) / 2), std::floor(y)),
                         width + 1, i == 0 ? ui->colors.text : ui->colors.muted, lines[i]);
        ImGui::PopFont();
        y += ui->px(26);
    }
}

void draw_empty(mc_ui *ui, const mc_facts *model) {
    const char *const waiting[] = {"Waiting for the first step of", model->waits_for,
                                   "It is shown as soon as it is recorded."};
    if (model->waits_for)
        draw_middle(ui, waiting, 3);
    else if (model->start && model->start->is_shown)
        ui::draw_start(ui, model->start);
}

// All that is left of the panels while they are hidden: the way back to them.
void draw_menu_button(mc_ui *ui) {
    ImGui::SetNextWindowPos(ImVec2(ui->px(4), ui->px(2)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui->px(4), ui->px(4)));
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.6f);
    ImGui::Begin("menu mark", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    if (ui::icon_button(ui, "menu_button", ui::icon::menu, "Menu  (F10); F9: panels"))
        ui::act(ui, MC_ACTION_MENU);
    ImGui::End();
    ImGui::PopStyleVar(2);
}

// Parts with separators between them, in lines of at most `width` pixels where that is possible: no
// part is torn. `kept` begins a line that goes on.
std::string wrap_parts(const char *text, const char *separator, const char *kept, float width) {
    std::string all(text), lines, line;
    for (size_t from = 0; from <= all.size();) {
        size_t end = std::min(all.find(separator, from), all.size());
        std::string part = all.substr(from, end - from), longer = line;
        longer += separator;
        longer += part;
        bool is_first = from == 0, fits = ImGui::CalcTextSize(longer.c_str()).x <= width;
        if (!is_first && !fits) {
            lines += line;
            lines += '\n';
        }
        line = is_first ? part : fits ? longer : kept + part;
        from = end + strlen(separator);
    }
    return lines + line;
}

// Beside the pointer, but never over the panels. `rises`: above it, for what is below is looked at.
void draw_tooltip(mc_ui *ui, const mc_facts *model, bool rises) {
    ImVec2 padding(ui->px(10), ui->px(7));
    float right = ui->width - ui->answer->right - ui->px(4), left = ui->px(4);
    float bottom = ui->height - ui->answer->bottom - ui->px(4), top = ui->answer->top + ui->px(4);
    float most = right - left - 2 * padding.x, gap = ui->px(3);
    // Of a narrow picture it leaves some in sight.
    float wrap = std::min({ui->px(600), most, std::max(most * 0.6f, ui->px(300))});
    std::string facts = wrap_parts(model->hover_text, " \xc2\xb7 ", "", wrap);
    std::string way = wrap_parts(model->hover_path, " \xe2\x86\x92 ", "\xe2\x86\x92 ", wrap);
    ImVec2 path = ImGui::CalcTextSize(way.c_str(), nullptr, false, wrap);
    ImVec2 text = ImGui::CalcTextSize(facts.c_str(), nullptr, false, wrap);
    ImVec2 size(std::max(path.x, text.x) + 2 * padding.x, path.y + text.y + gap + 2 * padding.y);
    if (wrap < ui->px(120) || size.y > bottom - top) return;
    float x = ui->pointer_x + ui->px(14), y = ui->pointer_y + ui->px(14);
    if (x + size.x > right) x = std::max(right - size.x, left);
    float above = ui->pointer_y - ui->px(10) - size.y;
    if (y + size.y > bottom || (rises && above >= top)) y = above;
    ImGui::SetNextWindowPos(ImVec2(std::floor(x), std::floor(std::max(y, top))));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, gap));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(padding.x + wrap + 1);
    ImGui::PushStyleColor(ImGuiCol_Text, ui->colors.muted);
    ImGui::TextUnformatted(way.c_str());
    ImGui::PopStyleColor();
    ImGui::TextUnformatted(facts.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ui::place(ui, "tooltip", ImVec2(x, std::max(y, top)),
              ImVec2(x + size.x, std::max(y, top) + size.y));
    ImGui::PopStyleVar(2);
}

} // namespace

// As wide as it is high, or as its digits need.
ImVec2 ui::measure_number(mc_ui *ui, uint32_t number) {
    char text[16];
    snprintf(text, sizeof text, "%u", static_cast<unsigned>(number));
    ImVec2 size = ui->strong->CalcTextSizeA(ui->strong->FontSize, FLT_MAX, 0, text);
    float height = std::floor(size.y + ui->px(2));
    return ImVec2(std::max(height, std::ceil(size.x + ui->px(8))), height);
}

void ui::draw_number(mc_ui *ui, ImDrawList *list, ImVec2 at, uint32_t number, float alpha) {
    char text[16];
    snprintf(text, sizeof text, "%u", static_cast<unsigned>(number));
    ImVec2 size = measure_number(ui, number);
    float width = ui->strong->CalcTextSizeA(ui->strong->FontSize, FLT_MAX, 0, text).x;
    list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y),
                        with_alpha(ui->colors.incoming, alpha), size.y / 2);
    list->AddText(ui->strong, ui->strong->FontSize,
                  ImVec2(std::floor(at.x + (size.x - width) / 2 + 0.5f), at.y + ui->px(1)),
                  with_alpha(ui->colors.accent_text, alpha), text);
}

void ui::draw_overlays(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    float y = ui->answer->top + ui->px(12);
    if (!model->trace_name && !model->busy_text) draw_empty(ui, model);
    // All that is said comes below the hint, of which the picture keeps clear: neither moves then.
    // While the search takes the room for it, it waits.
    bool has_room = get_hint_end(ui) - std::max(ui->answer->left, 0.0f) >= ui->px(least_card);
    if (model->hint && settings->panels && has_room && !ui->is_covered)
        draw_hint(ui, model, settings->view != 0, y);
    y = std::max(y, ui->answer->top + ui->px(12));
    if (model->recording_text) y = draw_recording(ui, model->recording_text, y);
    if (model->message) y = draw_message(ui, model->message, model->message_is_notice, y);
    if (model->busy_text) {
        y = draw_busy(ui, "busy", model->busy_text, model->busy_progress, MC_ACTION_CANCEL, y);
    }
    if (model->video_text) {
        y = draw_busy(ui, "video", model->video_text, model->video_progress, MC_ACTION_VIDEO, y);
    }
    if (model->writes_report)
        y = draw_busy(ui, "report", "Writing a page…", -1, MC_ACTION_REPORT, y);
    if (model->waits_for && model->trace_name) {
        std::string waiting = std::string("Waiting for the first step of ") + model->waits_for;
        y = draw_said(ui, waiting.c_str(), y);
    }
    // What is said goes by itself: nothing that one is about to click may move then.
    bool has_box = model->box && model->box->is_open;
    bool has_small_trees = settings->view != 0 && settings->tree_steps.count > 0;
    if (model->said && !has_box) y = draw_said(ui, model->said, y);
    if (settings->warnings_open && model->warning_count > 0) draw_warnings(ui, model, settings);
    if (settings->preferences_open) draw_preferences(ui, model, settings);
    if (settings->help) draw_help(ui, model, settings);
    if (has_box) draw_dialog(ui, model->box, y);
    if (!settings->panels) draw_menu_button(ui);
    if (model->menu && model->menu->is_open) draw_menu(ui, model->menu);
    bool covered = settings->help || ImGui::GetIO().WantCaptureMouse;
    if (model->hover_path && !covered) {
        draw_tooltip(ui, model, has_small_trees);
    }
}
