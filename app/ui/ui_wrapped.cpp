// Text in lines that are broken at blanks alone, and marking a part of it.
#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

// Whether a name may go on in another line at `at`: behind a package or class, before a word of it.
bool can_break(const char *from, const char *at) {
    if (at[-1] == '$' || at[-1] == '.') return true;
    bool is_word = at[0] >= 'A' && at[0] <= 'Z' && at[-1] >= 'a' && at[-1] <= 'z';
    return is_word && at - from > 3;
}

// Whether a line may end at `at`; a number keeps its unit.
bool can_end(const char *from, const char *at) {
    if (*at == 0) return true;
    if (*at != ' ') return false;
    constexpr size_t longest_unit = 3;
    static const char letters[] = "%abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t size = strspn(at + 1, letters);
    bool is_unit = size > 0 && size <= longest_unit;
    return !(is_unit && at > from && at[-1] >= '0' && at[-1] <= '9');
}

// Where the line that begins at `from` ends, and what fits into it at most.
const char *find_end(const char *from, const char *fits, const char *end) {
    const char *stop = fits;
    while (stop > from && !can_end(from, stop)) {
        stop--;
    }
    if (stop == from && fits < end) { // a word that is longer than the line
        for (stop = fits; stop > from && !can_break(from, stop);) {
            stop--;
        }
    }
    const char *to = stop > from ? stop : fits;
    return to == from ? to + 1 : to;
}

struct text_lines {
    std::vector<const char *> begins, ends;
    bool is_cut; // the last one ends with an ellipsis
};

// ImGui also breaks after a comma, which tears numbers apart.
text_lines break_lines(const char *text, float width, uint32_t most_lines) {
    text_lines lines = {{}, {}, false};
    const char *end = text + strlen(text);
    for (const char *from = text; from < end;) {
        const char *fits = from;
        ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), width, 0, from, end, &fits);
        lines.is_cut = fits < end && lines.begins.size() + 1 == most_lines;
        const char *to = lines.is_cut ? end : find_end(from, fits, end);
        lines.begins.push_back(from);
        lines.ends.push_back(to);
        for (from = to; from < end && *from == ' ';) {
            from++;
        }
    }
    return lines;
}

void draw_lines(const text_lines &lines, ImVec2 at, float width) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
    for (size_t i = 0; i < lines.begins.size(); i++) {
        ImVec2 place(at.x, at.y + static_cast<float>(i) * ImGui::GetFontSize());
        if (lines.is_cut && i + 1 == lines.begins.size())
            ui::clipped_text(list, place, width, color, lines.begins[i]);
        else
            list->AddText(ImVec2(std::floor(place.x), std::floor(place.y)), color, lines.begins[i],
                          lines.ends[i]);
    }
}

float measure(const char *from, const char *to) {
    return from < to ? ImGui::CalcTextSize(from, to).x : 0;
}

// The byte of the text that is nearest to a point.
size_t find_byte(const text_lines &lines, const char *text, ImVec2 at, ImVec2 point) {
    float row = std::floor((point.y - at.y) / ImGui::GetFontSize());
    if (row < 0) return 0;
    if (row >= static_cast<float>(lines.begins.size())) return strlen(text);
    auto i = static_cast<size_t>(row);
    const char *to = lines.begins[i];
    while (to < lines.ends[i]) {
        const char *next = to + 1;
        while (next < lines.ends[i] && (static_cast<unsigned char>(*next) & 0xc0) == 0x80) {
            next++;
        }
        float middle = (measure(lines.begins[i], to) + measure(lines.begins[i], next)) / 2;
        if (at.x + middle > point.x) break;
        to = next;
    }
    return static_cast<size_t>(to - text);
}

void draw_mark(mc_ui *ui, const text_lines &lines, const char *text, ImVec2 at, float width) {
    size_t low = std::min(ui->marked.from, ui->marked.to);
    size_t high = std::max(ui->marked.from, ui->marked.to);
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (size_t i = 0; i < lines.begins.size(); i++) {
        const char *from = std::max(lines.begins[i], text + low);
        const char *to = std::min(lines.ends[i], text + high);
        if (from >= to) continue;
        float y = at.y + static_cast<float>(i) * ImGui::GetFontSize();
        float left = std::min(measure(lines.begins[i], from), width);
        float right = std::min(measure(lines.begins[i], to), width);
        list->AddRectFilled(ImVec2(at.x + left, y), ImVec2(at.x + right, y + ImGui::GetFontSize()),
                            ui::with_alpha(ui->colors.accent, 0.3f));
    }
}

} // namespace

bool ui::wrapped_text(const char *text, uint32_t most_lines) {
    float width = ImGui::GetContentRegionAvail().x;
    text_lines lines = break_lines(text, width, most_lines);
    draw_lines(lines, ImGui::GetCursorScreenPos(), width);
    auto rows = static_cast<float>(lines.begins.size());
    ImGui::Dummy(ImVec2(width, rows * ImGui::GetFontSize()));
    return lines.is_cut;
}

bool ui::markable_text(mc_ui *ui, const char *text, uint32_t most_lines) {
    float width = ImGui::GetContentRegionAvail().x;
    ImVec2 at = ImGui::GetCursorScreenPos();
    text_lines lines = break_lines(text, width, most_lines);
    ui_marked &marked = ui->marked;
    if (marked.text != text) marked = {text, 0, 0, false, "", 0};
    marked.frame = ImGui::GetFrameCount();
    draw_mark(ui, lines, text, at, width);
    draw_lines(lines, at, width);
    auto rows = static_cast<float>(lines.begins.size());
    ImGui::InvisibleButton("markable", ImVec2(width, rows * ImGui::GetFontSize()));
    ImVec2 pointer = ImGui::GetIO().MousePos;
    bool is_active = ImGui::IsItemActive();
    if (is_active && !marked.is_dragged)
        marked.from = find_byte(lines, text, at, ImGui::GetIO().MouseClickedPos[0]);
    if (is_active) marked.to = find_byte(lines, text, at, pointer);
    // A click elsewhere, or on it, ends what was marked before.
    bool is_elsewhere = ImGui::IsMouseClicked(0) && !ImGui::IsItemHovered();
    if (is_elsewhere) marked.from = marked.to = 0;
    marked.is_dragged = is_active;
    size_t low = std::min(marked.from, marked.to), high = std::max(marked.from, marked.to);
    marked.part = marked.text.substr(low, high - low);
    return lines.is_cut;
}

const char *mc_ui_get_marked_text(const mc_ui *ui) {
    // Of a text that is no longer there nothing is marked.
    return ImGui::GetFrameCount() - ui->marked.frame > 1 ? "" : ui->marked.part.c_str();
}
