#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

const char *const view_names[] = {"City", "Sunburst", "Icicle"}; // as mc_view_names

// Two side by side, more as a list.
void draw_metric(mc_ui *ui, const mc_facts *model, float width, mc_settings *settings) {
    ui::metric_list list(model);
    uint32_t shown = list.find(settings->layout.metric);
    bool is_changed = false;
    if (model->metric_count == 2) {
        is_changed = ui::segmented(ui, "metric", list.titles, 2, width, &shown);
    } else {
        const char *title = shown < list.count ? list.titles[shown] : "";
        is_changed = ui::drop_down(ui, "metric", width, title, list.titles, list.count, &shown);
        ui::hint(ui, "What areas and figures are of  (M)");
        ui::place_item(ui, "metric_list");
    }
    if (is_changed) list.put(shown, settings->layout.metric);
}

constexpr float least_part = 72; // that is worth to be shown of a name

// Where the path begins that is shown, behind an ellipsis for what comes before, and how wide its
// parts are.
struct shown_path {
    uint32_t first;
    std::vector<float> widths;
};

// As many of the last parts as there is room for, shortened where that leaves enough of them.
shown_path choose_path(mc_ui *ui, const mc_facts *model, float room, float around) {
    shown_path path = {model->path_count, std::vector<float>(model->path_count, 0)};
    float dots = ImGui::CalcTextSize("\xe2\x80\xa6").x + around;
    while (path.first > 0) {
        const char *name = model->path[path.first - 1].name;
        float left = room - around - (path.first > 1 ? dots : 0);
        mc_name_part part = {};
        bool is_fit = left > 0 && ui::fit_name(ImGui::GetFont(), name, left, &part);
        bool is_last = path.first == model->path_count, is_whole = !part.is_cut_before;
        if (!is_last && (!is_fit || part.is_torn || (!is_whole && left < ui->px(least_part))))
            break;
        path.first--;
        path.widths[path.first] = is_fit ? part.width : left;
        room -= path.widths[path.first] + around;
    }
    return path;
}

void draw_path_arrow(mc_ui *ui, ImVec2 at) {
    float s = ui->px(3), y = at.y + ImGui::GetFrameHeight() / 2, x = at.x + ui->px(4);
    ImVec2 mark[3] = {{x, y - s}, {x + s, y}, {x, y + s}};
    ImGui::GetWindowDrawList()->AddPolyline(mark, 3, ui->colors.muted, 0, ui->px(1.25f));
}

// The path of the selection as links. Its first parts give way when there is no room.
void draw_path(mc_ui *ui, const mc_facts *model, float right) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    float gap = ui->px(6), arrow = ui->px(14), inset = ui->px(4);
    uint32_t root = model->lists.root_level;
    float room = right - ImGui::GetCursorPosX() - (root > 0 ? inset : 0);
    shown_path path = choose_path(ui, model, room, arrow + gap);
    for (uint32_t i = path.first > 0 ? path.first - 1 : 0; i < model->path_count; i++) {
        bool is_dots = i < path.first, is_last = i + 1 == model->path_count;
        bool is_root = i == root && root > 0 && !is_dots, is_above = i < root;
        draw_path_arrow(ui, ImGui::GetCursorScreenPos());
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + arrow + (is_root ? inset : 0));
        const char *name = is_dots ? "\xe2\x80\xa6" : model->path[i].name;
        ImVec2 size = ImGui::CalcTextSize(name);
        float width = std::fmin(is_dots ? size.x : path.widths[i], right - ImGui::GetCursorPosX());
        if (width <= 0) break;
        ImGui::PushID(static_cast<int>(i));
        ImVec2 from = ImGui::GetCursorScreenPos();
        if (ui::pressable(ui, "part", ImVec2(width, ImGui::GetFrameHeight()))) {
            ui::act(ui, is_above ? MC_ACTION_SET_ROOT : MC_ACTION_SHOW_NODE, model->path[i].node);
        }
        bool hovered = ImGui::IsItemHovered();
        ImGui::PopID();
        if (i == 0) ui::place_item(ui, "path_root");
        if (is_above) ui::hint(ui, "Back to the city of this  (Shift+Backspace: one up)");
        if (is_root) {
            // What the city is of, as the path goes on from there.
            ImVec2 low(from.x - gap, from.y + ui->px(1));
            ImVec2 high(from.x + width + gap, from.y + ImGui::GetFrameHeight() - ui->px(1));
            list->AddRectFilled(low, high, ui->colors.active, ui->px(4));
        }
        ImU32 color = hovered ? ui->colors.accent : is_last ? ui->colors.text : ui->colors.muted;
        ui::clipped_name(ui, list, ImVec2(from.x, from.y + (ImGui::GetFrameHeight() - size.y) / 2),
                         width + 1, color, name);
        ImGui::SameLine(0, gap);
    }
}

// Back and forward along what was selected.
void draw_trail(mc_ui *ui, const mc_facts *model) {
    const mc_fact_references *references = &model->lists.references;
    ImGui::SameLine(0, ui->px(10));
    ImGui::SetCursorPosY(ui->px(6));
    if (ui::icon_button(ui, "back", ui::icon::back, "Back  (Alt+Left)", false,
                        references->can_go_back)) {
        ui::act(ui, MC_ACTION_BACK);
    }
    ImGui::SameLine(0, 0);
    if (ui::icon_button(ui, "forward", ui::icon::forward, "Forward  (Alt+Right)", false,
                        references->can_go_forward)) {
        ui::act(ui, MC_ACTION_FORWARD);
    }
}

// The name of what is open and the path in it, as far as there is room.
void draw_names(mc_ui *ui, const mc_facts *model, float right) {
    ImGui::SameLine(0, ui->px(8));
    ImGui::SetCursorPosY(ui->px(8));
    float left = ImGui::GetCursorPosX(), room = right - left;
    if (room < ui->px(24)) return;
    float width = std::min(ImGui::CalcTextSize(model->trace_name).x, room);
    ImVec2 at = ImGui::GetCursorScreenPos();
    at.y += (ImGui::GetFrameHeight() - ImGui::GetFontSize()) / 2;
    ui::clipped_text(ImGui::GetWindowDrawList(), at, width + 1, ui->colors.muted,
                     model->trace_name);
    ImGui::SetCursorPos(ImVec2(left + width + ui->px(8), ui->px(8)));
    if (right - ImGui::GetCursorPosX() > ui->px(64)) draw_path(ui, model, right);
}

// What the child limit leaves out, and how many warnings there are: right-aligned at `right`.
// Returns where they begin.
float draw_notes(mc_ui *ui, const mc_facts *model, mc_settings *settings, float right) {
    float height = ImGui::GetFrameHeight(), y = ui->px(8);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (model->warning_count > 0) {
        char text[32];
        unsigned count = static_cast<unsigned>(model->all_warning_count);
        snprintf(text, sizeof text, count == 1 ? "%u warning" : "%u warnings", count);
        float dot = ui->px(6), padding = ui->px(8);
        float width = ImGui::CalcTextSize(text).x + dot + ui->px(6) + 2 * padding;
        ImGui::SetCursorPos(ImVec2(right - width, y));
        bool clicked = ui::pressable(ui, "warnings", ImVec2(width, height));
        ui::place_item(ui, "warning_button");
        ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
        if (clicked) settings->warnings_open = !settings->warnings_open;
        if (ImGui::IsItemHovered() || settings->warnings_open) {
            list->AddRectFilled(from, to, ui->colors.hover, ui->px(5));
        }
        list->AddCircleFilled(ImVec2(from.x + padding + dot / 2, (from.y + to.y) / 2), dot / 2,
                              ui->colors.warning);
        list->AddText(ImVec2(from.x + padding + dot + ui->px(6),
                             std::floor(from.y + (height - ImGui::GetFontSize()) / 2)),
                      ui->colors.text, text);
        ui::hint(ui, "Warnings about the input  (!)");
        right -= width + ui->px(8);
    }
    if (model->limit_note) {
        ImGui::PushFont(ui->small);
        ImVec2 size = ImGui::CalcTextSize(model->limit_note);
        // In a narrow window the note has its place below the bar.
        bool fits = right - size.x > ui->px(280);
        ImVec2 at(fits ? right - size.x - ui->px(8) : ui->px(12),
                  std::floor(fits ? y + (height - size.y) / 2 : ui->px(ui::top_bar_height + 10)));
        ImDrawList *to = fits ? list : ImGui::GetBackgroundDrawList();
        ImVec2 low(at.x - ui->px(6), at.y - ui->px(3));
        ImVec2 high(at.x + size.x + ui->px(6), at.y + size.y + ui->px(3));
        to->AddRectFilled(low, high, fits ? ui->colors.hover : ui->colors.plate, ui->px(4));
        to->AddText(at, ui->colors.text, model->limit_note);
        ui::place(ui, "limit_note", low, high);
        ImGui::PopFont();
        if (fits) right -= size.x + ui->px(24);
    }
    return right;
}

// What is asked for most once something is open, as words.
struct word {
    const char *label, *place, *hint;
    mc_action_id action;
};

constexpr word words[] = {
    {"Why", "why_button", "Why it grows: the first finding, and who holds it", MC_ACTION_WHY},
    {"Report", "report_button", "One page for the browser: pictures, findings, numbers",
     MC_ACTION_REPORT},
    {"Share", "share_button", "As a picture, a video, a page, a view file", MC_ACTION_SHARE},
};
constexpr float word_padding = 8;
// Left of the words: buttons and the program's name; what is open, as far as this; a part of the
// path.
constexpr float room_for_buttons = 190, most_of_name = 160, room_for_path = least_part + 20;

float measure_word(const mc_ui *ui, const word &word) {
    return ImGui::CalcTextSize(word.label).x + 2 * ui->px(word_padding);
}

// As many of the words as end at `right` and leave room for names; the menu has all of them.
struct word_row {
    uint32_t count;
    float x;
};

word_row place_words(const mc_ui *ui, const mc_facts *model, float right) {
    word_row row = {0, right};
    float width = 0, name = model->trace_name ? ImGui::CalcTextSize(model->trace_name).x : 0;
    float least = ui->px(room_for_buttons + room_for_path) + std::min(name, ui->px(most_of_name));
    for (const word &word : words) {
        width += measure_word(ui, word);
        if (right - width < least) break;
        row = {row.count + 1, right - width};
    }
    return row;
}

void draw_words(mc_ui *ui, const mc_facts *model, word_row row) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    float height = ImGui::GetFrameHeight(), y = ui->px(8), x = row.x;
    for (uint32_t i = 0; i < row.count; i++) {
        const word &word = words[i];
        float width = measure_word(ui, word);
        ImGui::SetCursorPos(ImVec2(x, y));
        if (ui::pressable(ui, word.place, ImVec2(width, height))) ui::act(ui, word.action);
        ui::place_item(ui, word.place);
        ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
        bool is_lit = word.action == MC_ACTION_REPORT && model->writes_report;
        if (ImGui::IsItemHovered() || is_lit)
            list->AddRectFilled(from, to, ui->colors.hover, ui->px(5));
        list->AddText(ImVec2(std::floor(from.x + ui->px(word_padding)),
                             std::floor(from.y + (height - ImGui::GetFontSize()) / 2)),
                      ui->colors.text, word.label);
        ui::hint(ui, word.hint);
        x += width;
    }
}

} // namespace

void ui::draw_top_bar(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    ImVec2 size(ui->width, ui->px(ui::top_bar_height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui->px(16), ui->px(8)));
    begin_panel(ui, "top bar", ImVec2(0, 0), size);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->PushClipRectFullScreen();
    list->AddLine(ImVec2(0, size.y - 0.5f), ImVec2(size.x, size.y - 0.5f), ui->colors.border);
    list->PopClipRect();
    place(ui, "top_bar", ImVec2(0, 0), size);
    ui->answer->top = size.y;

    float help = ui->px(28), metric = ui->px(ui->width >= ui->px(640) ? 160 : 112);
    float search_x = ui->width - ui->px(10) - 2 * help;
    float metric_x = search_x - ui->px(8) - metric;
    // Where there is little room, a list.
    bool has_room = ui->width >= ui->px(900);
    float views = ui->px(has_room ? 216 : 104);
    float views_x = metric_x - views - ui->px(has_room ? 12 : 8);
    word_row shown_words = place_words(ui, model, views_x - ui->px(has_room ? 12 : 8));
    float notes_x = shown_words.x - ui->px(8);
    if (model->trace_name) notes_x = draw_notes(ui, model, settings, notes_x);
    ImGui::SetCursorPos(ImVec2(ui->px(8), ui->px(6)));
    bool shows_menu = model->menu && model->menu->is_open;
    if (icon_button(ui, "menu_button", icon::menu, "Menu  (F10)", shows_menu))
        act(ui, MC_ACTION_MENU);
    ImGui::SetCursorPos(ImVec2(ui->px(44), ui->px(8)));
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(ui->strong);
    ImGui::TextUnformatted("memcity");
    ImGui::PopFont();
    if (model->trace_name) {
        draw_trail(ui, model);
        draw_names(ui, model, notes_x - ui->px(8));
        ImGui::SetCursorPos(ImVec2(metric_x, ui->px(8)));
        draw_metric(ui, model, metric, settings);
        draw_words(ui, model, shown_words);
        ImGui::SetCursorPos(ImVec2(views_x, ui->px(8)));
        if (has_room) {
            segmented(ui, "views", view_names, 3, views, &settings->view);
        } else {
            drop_down(ui, "views", views, view_names[settings->view], view_names, 3,
                      &settings->view);
            place_item(ui, "views");
        }
        ImGui::SetCursorPos(ImVec2(search_x, ui->px(6)));
        bool searches = settings->search_open;
        if (icon_button(ui, "search_button", icon::search, "Search  (Ctrl+F)", searches)) {
            if (searches) {
                settings->search_open = false;
            } else {
                act(ui, MC_ACTION_SEARCH);
            }
        }
    }
    ImGui::SetCursorPos(ImVec2(ui->width - ui->px(10) - help, ui->px(6)));
    if (icon_button(ui, "help", icon::help, "Keys and mouse  (?)", settings->help)) {
        settings->help = !settings->help;
    }
    end_panel();
    ImGui::PopStyleVar(3);
}

// The list of warnings, below their number.
void ui::draw_warnings(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    float margin = ui->px(12), width = std::min(ui->px(640), ui->width - 2 * margin);
    float padding = ui->px(12), close = ui->px(28), text_width = width - 2 * padding - close;
    float height = 2 * padding, gap = ui->px(6);
    for (uint32_t i = 0; i < model->warning_count; i++) {
        height += ImGui::CalcTextSize(model->warnings[i], nullptr, false, text_width).y + gap;
    }
    bool more = model->all_warning_count > model->warning_count;
    if (more) height += ImGui::GetFontSize() + gap;
    float top = ui->px(ui::top_bar_height) + margin;
    float most = std::max(ui->height - ui->answer->bottom - margin - top, ui->px(60));
    float right = ui->width - ui->answer->right - margin;
    float x = std::max(right - width, margin);
    ImGui::SetNextWindowPos(ImVec2(std::floor(x), top));
    ImGui::SetNextWindowSize(ImVec2(width, std::min(height, most)));
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, gap));
    ImGui::Begin("warnings", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
    ImVec2 at = ImGui::GetCursorPos();
    ImGui::SetCursorPos(ImVec2(width - close - ui->px(8), ImGui::GetScrollY() + ui->px(6)));
    if (icon_button(ui, "close_warnings", icon::close, "Close  (Esc)")) {
        settings->warnings_open = false;
    }
    ImGui::SetCursorPos(at);
    ImGui::PushTextWrapPos(at.x + text_width + 1);
    for (uint32_t i = 0; i < model->warning_count; i++) {
        ImGui::TextUnformatted(model->warnings[i]);
    }
    if (more) ImGui::TextUnformatted("The terminal has the rest.");
    ImGui::PopTextWrapPos();
    place(ui, "warning_list", ImVec2(x, top), ImVec2(x + width, top + std::min(height, most)));
    ImGui::End();
    ImGui::PopStyleVar(2);
}
