#include "app/ui_internal.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr uint32_t most_columns = 3;

// Where the table's columns are, measured from its left edge, in pixels.
struct table {
    uint32_t columns, rows; // rows of one column
    float left[most_columns], text[most_columns];
    float width;
};

uint32_t get_end(const table &t, uint32_t column, uint32_t count) {
    return std::min((column + 1) * t.rows, count);
}

// Each column is as wide as what it holds.
table measure(mc_ui *ui, const mc_ui_model *model, uint32_t columns) {
    table t = {};
    t.columns = columns;
    t.rows = (model->key_count + columns - 1) / columns;
    for (uint32_t c = 0; c < columns; c++) {
        float keys = 0, text = 0;
        for (uint32_t i = c * t.rows; i < get_end(t, c, model->key_count); i++) {
            keys = std::max(keys, ImGui::CalcTextSize(model->keys[i].keys).x);
            text = std::max(text, ImGui::CalcTextSize(model->keys[i].text).x);
        }
        if (c > 0) t.width += ui->px(36);
        t.left[c] = t.width;
        t.text[c] = t.width + std::ceil(keys) + ui->px(20);
        t.width = t.text[c] + std::ceil(text) + ui->px(2);
    }
    return t;
}

void draw_table(mc_ui *ui, const mc_ui_model *model, const table &t, float row_height) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    float right = at.x + ImGui::GetContentRegionAvail().x;
    for (uint32_t c = 0; c < t.columns; c++) {
        for (uint32_t i = c * t.rows; i < get_end(t, c, model->key_count); i++) {
            float y = std::floor(at.y + static_cast<float>(i - c * t.rows) * row_height);
            list->AddText(ImVec2(at.x + t.left[c], y), ui->colors.muted, model->keys[i].keys);
            ui::clipped_text(ui, list, ImVec2(at.x + t.text[c], y), right - at.x - t.text[c] + 1,
                             ui->colors.text, model->keys[i].text);
        }
    }
    ImGui::Dummy(ImVec2(1, static_cast<float>(t.rows) * row_height));
}

} // namespace

void ui::draw_help(mc_ui *ui, const mc_ui_model *model, mc_ui_settings *settings) {
    float margin = ui->px(12), padding = ui->px(20), header = ui->px(34), bar = ui->px(12);
    float row_height = std::floor(ImGui::GetFontSize() + ui->px(6));
    float top = ui->answer->top + margin;
    float most_height = std::max(ui->height - ui->answer->bottom - margin - top, ui->px(120));
    float room = ui->width - ui->answer->right - 2 * margin, around = 2 * padding + bar;
    float whole_room = ui->width - 2 * margin;

    // Beside the panels, in as few columns as there is height for; over them where it is narrow.
    table t = measure(ui, model, 1);
    auto get_height = [&](const table &of) {
        return header + 2 * padding + static_cast<float>(of.rows) * row_height;
    };
    for (uint32_t columns = 2; columns <= most_columns && get_height(t) > most_height; columns++) {
        table wider = measure(ui, model, columns);
        if (wider.width + around > whole_room) break;
        t = wider;
    }
    float width = std::min(t.width + around, whole_room);
    float height = std::min(get_height(t), most_height);
    float free = width <= room ? room + 2 * margin : ui->width;
    ImVec2 at(std::floor((free - width) / 2), std::floor(top + (most_height - height) / 2));

    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
    ImGui::Begin("keys", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PushFont(ui->strong);
    ImGui::TextUnformatted("Keys and mouse");
    ImGui::PopFont();
    ImGui::SetCursorPos(ImVec2(width - ui->px(28 + 10), ui->px(12)));
    if (icon_button(ui, "close_help", icon::close, "Close  (?)")) settings->help = false;
    ImGui::SetCursorPos(ImVec2(padding, padding + header));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("table", ImVec2(width - padding - bar / 2, height - 2 * padding - header),
                      false, ImGuiWindowFlags_NoNav);
    draw_table(ui, model, t, row_height);
    ImGui::EndChild();
    ImGui::PopStyleVar();
    place(ui, "keys", at, ImVec2(at.x + width, at.y + height));
    ImGui::End();
    ImGui::PopStyleVar();
}
