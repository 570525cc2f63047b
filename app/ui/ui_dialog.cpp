#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

constexpr float box_width = 640, row_height = 26;
constexpr uint32_t most_rows = 12;

struct edit {
    const char *label, *hint;
    mc_action_id action;
};

constexpr edit edits[] = {
    {"Rename", "Give it another name  (F2)", MC_ACTION_RENAME_DIALOG_ENTRY},
    {"Delete", "Delete it, when pressed twice  (Delete)", MC_ACTION_DELETE_DIALOG_ENTRY}};

// What else can be done with a row, at its right end. Returns how much room that takes.
float draw_edits(mc_ui *ui, ImVec2 at, float width, float height, uint32_t index) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    float x = at.x + width - ui->px(8), begin = x;
    ImVec2 cursor = ImGui::GetCursorScreenPos();
    for (int i = 1; i >= 0; i--) {
        ImVec2 size = ImGui::CalcTextSize(edits[i].label);
        x -= size.x;
        ImGui::SetCursorScreenPos(ImVec2(x, at.y));
        ImGui::PushID(static_cast<int>(index) * 2 + i);
        if (ImGui::InvisibleButton("edit", ImVec2(size.x, height)))
            ui::act(ui, edits[i].action, index);
        ImGui::PopID();
        list->AddText(ImVec2(std::floor(x), std::floor(at.y + (height - size.y) / 2)),
                      ui->colors.accent, edits[i].label);
        ui::hint(ui, edits[i].hint);
        if (index == 0) ui::place_item(ui, i == 0 ? "box_rename" : "box_delete");
        x -= ui->px(16);
    }
    ImGui::SetCursorScreenPos(cursor);
    return begin - x;
}

// The last of its parts is a name, of which the end says the most: "trace · step 4 · …$Pool".
void draw_detail(mc_ui *ui, ImVec2 at, float width, const char *detail) {
    static const char dot[] = " \xc2\xb7 ";
    ImDrawList *list = ImGui::GetWindowDrawList();
    const char *name = detail;
    for (const char *next = strstr(name, dot); next; next = strstr(name, dot)) {
        name = next + sizeof dot - 1;
    }
    float before = ImGui::CalcTextSize(detail, name).x;
    if (before + ui->px(40) > width) {
        ui::clipped_text(list, at, width, ui->colors.muted, detail);
        return;
    }
    list->AddText(at, ui->colors.muted, detail, name);
    ui::clipped_name(ui, list, ImVec2(at.x + before, at.y), width - before, ui->colors.muted, name);
}

// A ring, filled where the choice is on. Returns how much room it takes.
float draw_choice_mark(mc_ui *ui, ImVec2 at, float height, bool is_on) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 middle(at.x + ui->px(16), std::floor(at.y + height / 2));
    list->AddCircle(middle, ui->px(6), is_on ? ui->colors.accent : ui->colors.muted, 0,
                    ui->px(1.5f));
    if (is_on) list->AddCircleFilled(middle, ui->px(3), ui->colors.accent);
    return ui->px(22);
}

void draw_entry(mc_ui *ui, const mc_ui_dialog *box, uint32_t index, bool follow) {
    const mc_ui_dialog_entry *entry = &box->entries[index];
    float width = ImGui::GetContentRegionAvail().x, height = ui->px(row_height);
    ImVec2 at = ImGui::GetCursorScreenPos(), to(at.x + width, at.y + height);
    bool is_chosen = index == box->chosen;
    ImDrawList *list = ImGui::GetWindowDrawList();
    bool is_pointed = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, to);
    if (is_chosen || is_pointed) {
        list->AddRectFilled(at, to, is_chosen ? ui->colors.active : ui->colors.hover, ui->px(4));
    }
    bool edits_row = entry->can_edit && (is_chosen || is_pointed);
    float taken = edits_row ? draw_edits(ui, at, width, height, index) : 0;
    ImGui::PushID(static_cast<int>(index));
    bool clicked = ImGui::InvisibleButton("entry", ImVec2(width - taken, height));
    ImGui::PopID();
    if (index == 0) ui::place_item(ui, "box_entry");
    if (index == 1) ui::place_item(ui, "box_entry_1");
    if (clicked) ui::act(ui, MC_ACTION_TAKE_DIALOG_ENTRY, index);
    if (is_chosen && follow) ImGui::SetScrollHereY(0.5f);
    float padding = ui->px(8), y = at.y + (height - ImGui::GetFontSize()) / 2;
    width -= taken;
    if (entry->is_choice) {
        float mark = draw_choice_mark(ui, at, height, entry->is_on);
        at.x += mark;
        width -= mark;
    }
    float label = std::min(ImGui::CalcTextSize(entry->label).x, width - 2 * padding);
    ui::clipped_text(list, ImVec2(at.x + padding, y), label + 1, ui->colors.text, entry->label);
    float left = at.x + padding + label + ui->px(16), right = at.x + width - padding;
    if (!entry->detail[0] || right - left < ui->px(40)) return;
    float detail = std::min(ImGui::CalcTextSize(entry->detail).x, right - left);
    draw_detail(ui, ImVec2(right - detail, y), detail + 1, entry->detail);
}

// As many rows as fit; more scroll.
void draw_entries(mc_ui *ui, const mc_ui_dialog *box, float width, float most_height) {
    static uint32_t shown_chosen = MC_NONE; // so that the list follows the keys, not the wheel
    float row = ui->px(row_height);
    uint32_t rows = std::min(box->entry_count, most_rows);
    float height = std::min(static_cast<float>(rows) * row, std::max(most_height, row));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::BeginChild("entries", ImVec2(width, height), false, ImGuiWindowFlags_NoNav);
    bool follow = shown_chosen != box->chosen;
    shown_chosen = box->chosen;
    for (uint32_t i = 0; i < box->entry_count; i++) {
        draw_entry(ui, box, i, follow);
    }
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
}

// What is below the title and the text field, and the end of the card.
void draw_rest(mc_ui *ui, const mc_ui_dialog *box, float width, float most_height) {
    if (box->heading) ui::muted_text(ui, box->heading, true);
    if (box->entry_count > 0) draw_entries(ui, box, width, most_height);
    if (box->footer) ui::muted_text(ui, box->footer, true);
    ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui::place(ui, "box_card", from, ImVec2(from.x + size.x, from.y + size.y));
    ImGui::End();
    ImGui::PopStyleVar();
}

} // namespace

void ui::draw_dialog(mc_ui *ui, mc_ui_dialog *box, float y) {
    float margin = ui->px(12), padding = ui->px(16), close = ui->px(28);
    float width = std::min(ui->px(box_width), ui->width - 2 * margin);
    float top = std::max(y, std::floor(ui->height * 0.12f));
    float inner = width - 2 * padding, free = ui->width - ui->answer->right;
    if (free < width + 2 * margin) free = ui->width; // over the panels where it is narrow
    ImGui::SetNextWindowPos(ImVec2(std::floor((free - width) / 2), top));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                        ImVec2(width, std::max(ui->height - top - margin, 1.0f)));
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, ui->px(12)));
    ImGui::Begin("box", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_AlwaysAutoResize);
    ImVec2 at = ImGui::GetCursorPos();
    ImGui::PushFont(ui->strong);
    ImGui::SetCursorPos(ImVec2(at.x, at.y + (close - ImGui::GetFontSize()) / 2));
    ImGui::TextUnformatted(box->title);
    ImGui::PopFont();
    ImGui::SetCursorPos(ImVec2(width - padding - close + ui->px(6), at.y));
    if (icon_button(ui, "close_box", icon::close, "Close  (Esc)")) act(ui, MC_ACTION_CLOSE_DIALOG);

    if (box->is_question) {
        ImGui::SetCursorPos(ImVec2(at.x, at.y + close + ui->px(2)));
        draw_rest(ui, box, inner, ui->height - top - margin - ui->px(90));
        return;
    }
    float button = ImGui::CalcTextSize(box->action).x + ui->px(24), gap = ui->px(8);
    ImGui::SetCursorPos(ImVec2(at.x, at.y + close + ui->px(6)));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui->px(8), ui->px(6)));
    if (text_field(ui, MC_UI_DIALOG_FIELD, box->placeholder, box->text, sizeof box->text,
                   inner - button - gap)) {
        box->text_changed = true;
        ui->answer->wants_frame = true;
    }
    ImGui::SameLine(0, gap);
    ImGui::PushStyleColor(ImGuiCol_Button, ui->colors.accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ui->colors.accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, ui->colors.accent);
    ImGui::PushStyleColor(ImGuiCol_Text, ui->colors.accent_text);
    if (ImGui::Button(box->action, ImVec2(button, 0))) act(ui, MC_ACTION_TAKE_DIALOG);
    ImGui::PopStyleColor(4);
    hint(ui, "Enter");
    place_item(ui, "box_action");
    ImGui::PopStyleVar();
    if (box->note) {
        ImGui::PushStyleColor(ImGuiCol_Text, ui->colors.warning);
        ImGui::PushTextWrapPos(at.x + inner);
        ImGui::TextUnformatted(box->note);
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
    }
    draw_rest(ui, box, inner, ui->height - top - margin - ui->px(box->footer ? 160 : 130));
}
