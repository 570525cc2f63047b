#include "app/ui/ui_internal.h"

#include <cstring>
#include <imgui_internal.h>

// ImGui looks at which keys are down as of a frame, so of what was typed since the last one, a
// frame gets all characters up to the next key, or that key alone. Nothing is lost while a field is
// on its way to the focus either: what is typed waits for it.

namespace {

constexpr size_t most_waiting = 4096;

const ImGuiKey imgui_keys[MC_UI_KEY_COUNT] = {
    ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home, ImGuiKey_End,
    ImGuiKey_Backspace, ImGuiKey_Delete,     ImGuiKey_A,    ImGuiKey_C,
    ImGuiKey_V,         ImGuiKey_X,          ImGuiKey_Y,    ImGuiKey_Z,
};

void push(mc_ui *ui, ui_typed typed) {
    if (ui->typed.size() < most_waiting) ui->typed.push_back(typed);
}

} // namespace

void ui::map_keys() {
    ImGuiIO &io = ImGui::GetIO();
    for (int key = 0; key < MC_UI_KEY_COUNT; key++) {
        io.KeyMap[imgui_keys[key]] = key;
    }
}

void ui::feed_typed(mc_ui *ui) {
    ImGuiIO &io = ImGui::GetIO();
    memset(io.KeysDown, 0, sizeof io.KeysDown);
    io.KeyCtrl = io.KeyShift = io.KeyAlt = io.KeySuper = false;
    if (ui->text_field.empty() && ui->wanted_field.empty()) ui->typed.clear();
    if (ui->text_field.empty()) return;
    size_t used = 0;
    for (; used < ui->typed.size(); used++) {
        const ui_typed &typed = ui->typed[used];
        if (typed.key == MC_UI_KEY_COUNT) {
            io.AddInputCharacter(typed.character);
            continue;
        }
        if (used > 0) break;
        io.KeysDown[typed.key] = true;
        io.KeysDownDuration[typed.key] = -1; // pressed anew, even if it was down before
        io.KeyCtrl = typed.modifiers & MC_UI_CONTROL;
        io.KeyShift = typed.modifiers & MC_UI_SHIFT;
        used++;
        break;
    }
    ui->typed.erase(ui->typed.begin(), ui->typed.begin() + static_cast<ptrdiff_t>(used));
}

void ui::end_text(mc_ui *ui) {
    if (ui->reset_text) {
        ui->reset_text = false;
        ui->text_field.clear();
        ImGui::ClearActiveID();
    }
    if (!ui->leave_text) return;
    ui->leave_text = false;
    ui->left_frames = 3;
    ui->wanted_field.clear();
    ui->text_field.clear();
    ImGui::ClearActiveID();
}

bool mc_ui_wants_text(const mc_ui *ui) {
    return !ui->leave_text && (!ui->text_field.empty() || !ui->wanted_field.empty());
}

const char *mc_ui_get_text_field(const mc_ui *ui) {
    if (!mc_ui_wants_text(ui)) return "";
    return ui->wanted_field.empty() ? ui->text_field.c_str() : ui->wanted_field.c_str();
}

void mc_ui_focus_text(mc_ui *ui, const char *field) {
    ui->wanted_field = field;
    ui->wanted_frames = ui->left_frames = 0;
    ui->leave_text = false;
}

void mc_ui_reset_text(mc_ui *ui, const char *field) {
    mc_ui_focus_text(ui, field);
    ui->reset_text = true;
    ui->typed.clear();
    mc_ui_add_key(ui, MC_UI_KEY_END, 0); // not all of it selected
}

bool mc_ui_has_typed(const mc_ui *ui) {
    return mc_ui_wants_text(ui) && !ui->typed.empty();
}

void mc_ui_leave_text(mc_ui *ui) {
    ui->leave_text = mc_ui_wants_text(ui);
    ui->wanted_field.clear();
    ui->typed.clear();
}

void mc_ui_add_character(mc_ui *ui, uint32_t character) {
    push(ui, {MC_UI_KEY_COUNT, 0, character});
}

void mc_ui_add_key(mc_ui *ui, mc_ui_key_code key, uint32_t modifiers) {
    push(ui, {key, modifiers, 0});
}

void mc_ui_set_clipboard(mc_ui *ui, const char *(*get)(void *user),
                         void (*set)(void *user, const char *text), void *user) {
    (void)ui;
    ImGuiIO &io = ImGui::GetIO();
    io.GetClipboardTextFn = get;
    io.SetClipboardTextFn = set;
    io.ClipboardUserData = user;
}

bool ui::text_field(mc_ui *ui, const char *id, const char *placeholder, char *text, size_t size,
                    float width) {
    bool wanted = ui->wanted_field == id;
    if (wanted) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(width);
    ImGui::PushID(id);
    bool changed = ImGui::InputTextWithHint("##text", placeholder, text, size,
                                            ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopID();
    place_item(ui, id);
    // ImGui gives the focus a frame or two after it was asked for.
    bool was_left = ui->left_frames > 0 && !ImGui::GetIO().MouseDown[0];
    if (ImGui::IsItemActive() && was_left) {
        ImGui::ClearActiveID();
    } else if (ImGui::IsItemActive()) {
        ui->active_field = id;
        if (wanted) ui->wanted_field.clear();
        ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
        ImGui::GetWindowDrawList()->AddRect(from, to, ui->colors.accent,
                                            ImGui::GetStyle().FrameRounding, 0, ui->px(1.5f));
    }
    return changed;
}
