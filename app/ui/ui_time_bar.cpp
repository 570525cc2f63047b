#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

constexpr float margin = 8, buttons_width = 5 * 30;
// Below the chart: the ends of the time window, then times.
constexpr float grip_width = 10, grip_height = 15, ticks_height = 15;
constexpr float value_width = 62, least_chart = 240; // of an axis, and of the chart beside it

const double durations[] = {0.1, 0.2, 0.5, 1, 2};
const char *const duration_names[] = {"0.1 s", "0.2 s", "0.5 s", "1 s", "2 s"};
constexpr uint32_t duration_count = sizeof durations / sizeof *durations;

void draw_buttons(mc_ui *ui, const mc_facts *model) {
    using ui::icon;
    float gap = ui->px(2);
    if (ui::icon_button(ui, "first", icon::first, "First step  (Page Up)")) {
        ui::act(ui, MC_ACTION_FIRST);
    }
    ImGui::SameLine(0, gap);
    if (ui::icon_button(ui, "previous", icon::previous, "Previous step  (Left)")) {
        ui::act(ui, MC_ACTION_PREVIOUS);
    }
    ImGui::SameLine(0, gap);
    if (ui::icon_button(ui, "play", model->playing ? icon::pause : icon::play,
                        model->playing ? "Pause  (Space)" : "Play  (Space)")) {
        ui::act(ui, MC_ACTION_PLAY);
    }
    ImGui::SameLine(0, gap);
    if (ui::icon_button(ui, "next", icon::next, "Next step  (Right)")) {
        ui::act(ui, MC_ACTION_NEXT);
    }
    ImGui::SameLine(0, gap);
    if (ui::icon_button(ui, "last", icon::last, "Last step  (Page Down)")) {
        ui::act(ui, MC_ACTION_LAST);
    }
}

// The step nearest to the pointer, for what is dragged along the chart.
uint32_t get_pointed(const mc_facts *model, ImVec2 from, ImVec2 to) {
    float share = (ImGui::GetIO().MousePos.x - from.x) / (to.x - from.x);
    const float *begin = model->step_places, *end = begin + model->step_count;
    const float *after = std::lower_bound(begin, end, share);
    if (after == begin) return 0;
    bool is_before = after == end || share - after[-1] < *after - share;
    return static_cast<uint32_t>(after - begin) - (is_before ? 1 : 0);
}

// Above the chart, and all of it in the window.
void draw_step_hint(const mc_ui *ui, const char *text, float x, float y) {
    float half = ImGui::CalcTextSize(text).x / 2 + ImGui::GetStyle().WindowPadding.x + ui->px(4);
    x = std::fmax(std::fmin(x, ui->width - half), half);
    ImGui::SetNextWindowPos(ImVec2(std::floor(x), y), 0, ImVec2(0.5f, 1));
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(text);
    ImGui::EndTooltip();
}

// One end of the time window: a line down the chart and a grip below it. The window changes when
// the grip is let go, for the city is laid out anew for it.
void draw_end(mc_ui *ui, const mc_facts *model, mc_settings *settings, int end, ImVec2 from,
              ImVec2 to, float base) {
    uint32_t last = model->step_count - 1,
             *value = end ? &settings->layout.window[1] : &settings->layout.window[0];
    bool dragged = ui->dragged_end == end;
    uint32_t step = dragged ? ui->dragged_step : *value;
    float x = std::floor(from.x + (to.x - from.x) * model->step_places[step]) + 0.5f;
    float width = ui->px(grip_width), reach = ui->px(grip_width + 10),
          bottom = base + ui->px(grip_height);
    // The grips stand outside of the window, so that they stay apart even if it is one step.
    ImVec2 low(end ? x : x - width, base + ui->px(1)), high(end ? x + width : x, bottom);
    ImGui::SetCursorScreenPos(ImVec2(end ? x - ui->px(2) : x - reach, base));
    ImGui::InvisibleButton(end ? "window_last" : "window_first",
                           ImVec2(reach + ui->px(2), to.y - base));
    ui::place_item(ui, end ? "window_last" : "window_first");
    bool hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemActivated()) {
        ui->dragged_end = end;
        ui->dragged_step = *value;
    } else if (dragged && ImGui::IsItemActive()) {
        uint32_t pointed = get_pointed(model, from, to);
        bool passes =
            end ? pointed < settings->layout.window[0] : pointed > settings->layout.window[1];
        ui->dragged_step = !passes ? pointed
                           : end   ? settings->layout.window[0]
                                   : settings->layout.window[1];
    } else if (dragged) {
        *value = ui->dragged_step;
        ui->dragged_end = -1;
    }
    ImDrawList *list = ImGui::GetWindowDrawList();
    bool lit = hovered || dragged, whole = step == (end ? last : 0);
    ImU32 color = lit ? ui->colors.accent : ui->colors.muted;
    if (!whole || lit) list->AddLine(ImVec2(x, from.y), ImVec2(x, base), color, ui->px(1));
    list->AddRectFilled(low, high, color, ui->px(3),
                        end ? ImDrawFlags_RoundCornersRight : ImDrawFlags_RoundCornersLeft);
    for (int i = 0; i < 2; i++) {
        float line = std::floor((low.x + high.x) / 2 + ui->px(i == 0 ? -2.0f : 1.0f)) + 0.5f;
        list->AddLine(ImVec2(line, low.y + ui->px(4)), ImVec2(line, high.y - ui->px(4)),
                      ui->colors.panel | IM_COL32_A_MASK, ui->px(1));
    }
    if (!lit) return;
    char text[400];
    int length = snprintf(text, sizeof text, "The time window %s here: drag, or %s at a step\n",
                          end ? "ends" : "begins", end ? "]" : "[");
    model->describe_step(model->user, step, text + length,
                         sizeof text - static_cast<size_t>(length));
    draw_step_hint(ui, text, x, from.y - ui->px(14));
}

// The other metric, so that one sees where objects got larger and not more.
void draw_other(mc_ui *ui, const mc_facts *model, ImVec2 from, ImVec2 to) {
    static std::vector<ImVec2> points;
    uint32_t count = model->step_count;
    if (count < 2 || !model->others_name) return;
    points.clear();
    for (uint32_t i = 0; i < count; i++) {
        points.push_back(ImVec2(from.x + (to.x - from.x) * model->step_places[i],
                                to.y - (to.y - from.y) * model->other_values[i]));
    }
    ImGui::GetWindowDrawList()->AddPolyline(points.data(), static_cast<int>(count),
                                            ui::with_alpha(ui->colors.muted, 0.7f), 0, ui->px(1));
}

// Which line is which, where the chart leaves room: a heap begins small or ends small.
void draw_legend(mc_ui *ui, const mc_facts *model, ImVec2 from, ImVec2 to) {
    if (!model->others_name) return;
    ImGui::PushFont(ui->small);
    const char *names[] = {model->values_name, model->others_name};
    ImU32 colors[] = {ui->colors.chart_line, ui::with_alpha(ui->colors.muted, 0.7f)};
    float mark = ui->px(12), gap = ui->px(5), apart = ui->px(12);
    float width = 2 * (mark + gap) + apart;
    for (const char *name : names) {
        width += ImGui::CalcTextSize(name).x;
    }
    float share = (width + ui->px(24)) / (to.x - from.x);
    float left_most = 0, right_most = 0;
    for (uint32_t i = 0; i < model->step_count; i++) {
        float most = std::fmax(model->step_values[i], model->other_values[i]);
        if (model->step_places[i] <= share) left_most = std::fmax(left_most, most);
        if (model->step_places[i] >= 1 - share) right_most = std::fmax(right_most, most);
    }
    bool at_right = right_most < left_most;
    // A flat chart leaves no room at all, but then it says little either.
    bool fits = share < 0.5f && std::fmin(left_most, right_most) < 0.75f;
    float x = at_right ? to.x - width - ui->px(8) : from.x + ui->px(10);
    float y = std::floor(from.y - ui->px(2)), line_y = std::floor(y + ImGui::GetFontSize() / 2);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (fits) {
        list->AddRectFilled(ImVec2(x - ui->px(4), y),
                            ImVec2(x + width + ui->px(4), y + ImGui::GetFontSize()),
                            ui::with_alpha(ui->colors.panel | IM_COL32_A_MASK, 0.85f), ui->px(3));
    }
    for (int i = 0; i < 2 && fits; i++) {
        list->AddLine(ImVec2(x, line_y), ImVec2(x + mark, line_y), colors[i], ui->px(2));
        list->AddText(ImVec2(std::floor(x + mark + gap), y), ui->colors.muted, names[i]);
        x += mark + gap + ImGui::CalcTextSize(names[i]).x + apart;
    }
    ImGui::PopFont();
}

bool has_tree(const mc_settings *settings, uint32_t step) {
    for (uint32_t i = 0; i < settings->tree_steps.count; i++) {
        if (settings->tree_steps.items[i] == step) return true;
    }
    return false;
}

// The chart, and where its points are.
struct chart {
    const mc_facts *model;
    ImVec2 top, base;
    bool has_dots; // a dot a step, as long as they stay apart

    chart(const mc_ui *ui, const mc_facts *facts, ImVec2 top_left, ImVec2 base_right)
        : model(facts), top(top_left), base(base_right) {
        float width = base.x - top.x;
        has_dots =
            facts->step_count > 1 && width / static_cast<float>(facts->step_count - 1) >= ui->px(5);
    }
    float get_x(uint32_t step) const { return top.x + (base.x - top.x) * model->step_places[step]; }
    ImVec2 get_point(uint32_t step) const {
        return ImVec2(get_x(step), base.y - (base.y - top.y) * model->step_values[step]);
    }
};

// The point at the pointer that a click gives a small tree, or takes it from; MC_NONE: none.
uint32_t find_point(const mc_ui *ui, const mc_settings *settings, const chart &c) {
    if (settings->view == 0) return MC_NONE;
    uint32_t nearest = MC_NONE;
    float least = ui->px(7);
    ImVec2 pointer = ImGui::GetIO().MousePos;
    for (uint32_t i = settings->layout.window[0]; i <= settings->layout.window[1]; i++) {
        if (i >= c.model->step_count || (!c.has_dots && !has_tree(settings, i))) continue;
        ImVec2 at = c.get_point(i);
        float away = std::hypot(at.x - pointer.x, at.y - pointer.y);
        if (away >= least) continue;
        least = away;
        nearest = i;
    }
    return nearest;
}

// Steps with a small tree: their lines go on from the picture to their points.
void draw_tree_points(mc_ui *ui, const mc_settings *settings, const chart &c, uint32_t pointed,
                      float bar_top) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (settings->view == 0) return;
    for (uint32_t i = 0; i < settings->tree_steps.count; i++) {
        uint32_t step = settings->tree_steps.items[i];
        if (step < settings->layout.window[0] || step > settings->layout.window[1]) continue;
        if (step >= c.model->step_count) continue;
        ImVec2 at = c.get_point(step);
        float x = std::floor(at.x) + 0.5f;
        list->AddLine(ImVec2(x, bar_top), ImVec2(x, at.y), ui->colors.faint, ui->px(1));
        list->AddCircleFilled(at, ui->px(4), ui->colors.chart_line);
    }
    if (pointed == MC_NONE) return;
    list->AddCircle(c.get_point(pointed), ui->px(6.5f), ui->colors.accent, 0, ui->px(1.5f));
}

// A press on a point that goes no further is a click on it, and else drags the slider along.
// Returns whether the slider is dragged.
bool press_chart(mc_ui *ui, uint32_t point, bool is_active) {
    if (ImGui::IsItemActivated()) {
        ui->pressed_point = point;
        ui->pressed_at = ImGui::GetIO().MousePos;
    }
    ImVec2 pointer = ImGui::GetIO().MousePos;
    float way = std::hypot(pointer.x - ui->pressed_at.x, pointer.y - ui->pressed_at.y);
    if (is_active && way >= ui->px(4)) ui->pressed_point = MC_NONE;
    if (ImGui::IsItemDeactivated() && ui->pressed_point != MC_NONE) {
        ui::act(ui, MC_ACTION_TREE_STEP, ui->pressed_point);
        ui->pressed_point = MC_NONE;
    }
    return is_active && ui->pressed_point == MC_NONE;
}

// The step that others are compared with.
void draw_pin(mc_ui *ui, const mc_facts *model, const chart &c, float top) {
    if (model->pinned == MC_NONE) return;
    ImDrawList *list = ImGui::GetWindowDrawList();
    float x = std::floor(c.get_x(model->pinned)) + 0.5f, head = ui->px(4);
    list->AddLine(ImVec2(x, top), ImVec2(x, c.base.y), ui->colors.warning, ui->px(1.5f));
    list->AddCircleFilled(ImVec2(x, top + head), head, ui->colors.warning);
}

// What the chart's top and floor stand for: of the metric that is shown at the left, of the other
// one at the right.
void draw_values(mc_ui *ui, const mc_facts *model, const chart &c, bool has_left, bool has_right) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImGui::PushFont(ui->small);
    float gap = ui->px(10), half = std::floor(ImGui::GetFontSize() / 2);
    const char *texts[] = {model->values_full, model->others_full};
    for (int side = 0; side < 2; side++) {
        if (!(side == 0 ? has_left : has_right) || !texts[side][0]) continue;
        ImU32 color = side == 0 ? ui->colors.text : ui->colors.muted;
        const char *labels[] = {texts[side], "0"};
        for (int i = 0; i < 2; i++) {
            float width = ImGui::CalcTextSize(labels[i]).x;
            float x = side == 0 ? c.top.x - gap - width : c.base.x + gap;
            // What is at the floor keeps clear of the time window's ends.
            float y = i == 0 ? c.top.y - half : c.base.y - 2 * half;
            list->AddText(ImVec2(std::floor(x), std::floor(y)), color, labels[i]);
        }
    }
    ImGui::PopFont();
    list->AddLine(ImVec2(c.top.x, std::floor(c.top.y) + 0.5f),
                  ImVec2(c.base.x, std::floor(c.top.y) + 0.5f), ui->colors.border);
}

// Round times below the chart; one that would run into the one before is left out.
void draw_ticks(mc_ui *ui, const mc_facts *model, const chart &c) {
    mc_time_tick ticks[MC_TIME_TICK_MOST];
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImGui::PushFont(ui->small);
    float width = c.base.x - c.top.x, y = std::floor(c.base.y + ui->px(grip_height));
    float room = std::fmax(width / ui->px(90), 0.0f), end = -FLT_MAX;
    uint32_t count = model->get_ticks(model->user, static_cast<uint32_t>(room), ticks);
    for (uint32_t i = 0; i < count; i++) {
        float x = std::floor(c.top.x + width * static_cast<float>(ticks[i].place)) + 0.5f;
        float half = ImGui::CalcTextSize(ticks[i].text).x / 2;
        list->AddLine(ImVec2(x, c.base.y), ImVec2(x, c.base.y + ui->px(4)), ui->colors.faint);
        if (x - half < end) continue;
        list->AddText(ImVec2(std::floor(x - half), y), ui->colors.muted, ticks[i].text);
        end = x + half + ui->px(8);
    }
    ImGui::PopFont();
}

// Steps of which there is more to say, such as what was noted of them: their hint has it. What is
// wrong with one has a colour of its own.
void draw_notes(mc_ui *ui, const chart &c) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (uint32_t i = 0; i < c.model->step_count; i++) {
        mc_step_mark mark = c.model->get_mark(c.model->user, i);
        if (mark == MC_STEP_PLAIN) continue;
        ImVec2 at = c.get_point(i);
        float s = ui->px(4), y = at.y - ui->px(5);
        list->AddTriangleFilled(ImVec2(at.x - s, y), ImVec2(at.x, y - 1.6f * s),
                                ImVec2(at.x + s, y),
                                mark == MC_STEP_DAMAGED ? ui->colors.warning : ui->colors.text);
    }
}

// The heap over time, which is the slider too.
void draw_chart(mc_ui *ui, const mc_facts *model, mc_settings *settings, ImVec2 from, ImVec2 to) {
    float inset = ui->px(6), strip = ui->px(grip_height + ticks_height);
    float axis = ui->px(value_width), width = to.x - from.x;
    bool has_left = width > ui->px(least_chart) + axis;
    bool has_right = width > 2 * ui->px(least_chart) + 2 * axis;
    if (has_left) from.x += axis;
    if (has_right) to.x -= axis;
    ImGui::SetCursorScreenPos(ImVec2(from.x - inset, from.y));
    ImGui::InvisibleButton("chart", ImVec2(to.x - from.x + 2 * inset, to.y - from.y - strip));
    ui::place(ui, "chart", from, ImVec2(to.x, to.y - strip));
    uint32_t count = model->step_count;
    ImVec2 top(from.x, from.y + ui->px(8)), base(to.x, to.y - strip);
    chart c(ui, model, top, base);
    ui->answer->chart_x0 = top.x;
    ui->answer->chart_x1 = base.x;
    auto get_x = [&](uint32_t step) { return c.get_x(step); };
    bool hovered = ImGui::IsItemHovered(), is_pressed = ImGui::IsItemActive();
    uint32_t point = hovered ? find_point(ui, settings, c) : MC_NONE;
    uint32_t pointed = point != MC_NONE ? point : get_pointed(model, from, to);
    bool active = press_chart(ui, point, is_pressed);
    if (active && pointed != model->step) ui::act(ui, MC_ACTION_SHOW_STEP, pointed);

    ImDrawList *list = ImGui::GetWindowDrawList();
    draw_values(ui, model, c, has_left, has_right);
    draw_ticks(ui, model, c);
    ui::area_chart(ui, top, base, model->step_values, model->step_places, count, MC_NONE);
    draw_other(ui, model, top, base);
    list->AddLine(ImVec2(from.x, base.y + 0.5f), ImVec2(to.x, base.y + 0.5f), ui->colors.faint);
    for (uint32_t i = 0; i < count && c.has_dots; i++) {
        list->AddCircleFilled(c.get_point(i), ui->px(1.75f), ui->colors.chart_line, 8);
    }
    draw_notes(ui, c);
    draw_tree_points(ui, settings, c, active ? MC_NONE : point, ImGui::GetWindowPos().y);
    // Steps outside of the window.
    uint32_t first = ui->dragged_end == 0 ? ui->dragged_step : settings->layout.window[0];
    uint32_t last = ui->dragged_end == 1 ? ui->dragged_step : settings->layout.window[1];
    ImU32 veil = ui::with_alpha(ui->colors.panel | IM_COL32_A_MASK, 0.72f);
    if (first > 0) {
        list->AddRectFilled(ImVec2(from.x - inset, from.y), ImVec2(get_x(first), base.y), veil);
        list->AddRectFilled(ImVec2(from.x, from.y), ImVec2(get_x(first), base.y), ui->colors.hover);
    }
    if (last + 1 < count) {
        list->AddRectFilled(ImVec2(get_x(last), from.y), ImVec2(to.x + inset, base.y), veil);
        list->AddRectFilled(ImVec2(get_x(last), from.y), base, ui->colors.hover);
    }
    if (hovered && !active) {
        float x = get_x(pointed);
        list->AddLine(ImVec2(x, from.y), ImVec2(x, base.y), ui->colors.faint, ui->px(1));
    }
    draw_pin(ui, model, c, from.y);
    float x = std::floor(get_x(model->step)) + 0.5f;
    float y = base.y - (base.y - top.y) * model->step_values[model->step];
    list->AddLine(ImVec2(x, from.y), ImVec2(x, base.y), ui->colors.accent, ui->px(1.5f));
    list->AddCircleFilled(ImVec2(x, y), ui->px(active ? 5.5f : 4.5f), ui->colors.accent);
    list->AddCircleFilled(ImVec2(x, y), ui->px(2), ui->colors.accent_text);
    draw_legend(ui, model, top, base);
    if (hovered || active) {
        char text[400];
        model->describe_step(model->user, pointed, text, sizeof text);
        size_t length = strlen(text);
        if (point != MC_NONE && !active) {
            snprintf(text + length, sizeof text - length, "\n%s",
                     has_tree(settings, point) ? "A click takes its small tree away"
                                               : "A click puts a small tree of it above");
        }
        draw_step_hint(ui, text, get_x(pointed), from.y - ui->px(14));
    }
    if (count < 2) return;
    draw_end(ui, model, settings, 0, from, to, base.y);
    draw_end(ui, model, settings, 1, from, to, base.y);
}

} // namespace

void ui::draw_time_bar(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    float height = ui->px(time_bar_height), gap = ui->px(margin);
    ImVec2 at(gap, ui->height - height - gap), size(ui->width - 2 * gap, height);
    ui->answer->bottom = height + gap;
    begin_panel(ui, "time", at, size);
    place(ui, "time_bar", at, ImVec2(at.x + size.x, at.y + size.y));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui->px(8), ui->px(4)));
    ImGui::BeginGroup();
    ImGui::SetCursorPosY(ui->px(7));
    draw_buttons(ui, model);
    float text_x = ui->px(12 + 6);
    ImGui::SetCursorPos(ImVec2(text_x, ui->px(39)));
    ImGui::PushFont(ui->strong);
    ImGui::TextUnformatted(model->time_text);
    float time_width = ImGui::GetItemRectSize().x;
    ImGui::PopFont();
    ImGui::PushFont(ui->small);
    ImGui::PushStyleColor(ImGuiCol_Text, ui->colors.muted);
    ImGui::SetCursorPos(ImVec2(text_x, ui->px(58)));
    ImGui::TextUnformatted(model->step_text);
    float step_width = ImGui::GetItemRectSize().x;
    hint(ui, "Steps count from 0, as in options and scripts");
    ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::EndGroup();

    // What a date or a remark on the step needs more.
    float text_end = text_x + std::fmax(time_width, step_width);
    float left = at.x + std::fmax(ui->px(12 + buttons_width), text_end) + ui->px(16),
          right = at.x + size.x - ui->px(12 + 72 + 20);
    if (right - left > ui->px(80)) {
        draw_chart(ui, model, settings, ImVec2(left, at.y + ui->px(4)),
                   ImVec2(right, at.y + size.y - ui->px(4)));
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x + size.x - ui->px(12 + 72), at.y + ui->px(12)));
    ImGui::BeginGroup();
    uint32_t chosen = 0;
    while (chosen < duration_count && durations[chosen] != settings->step_duration_s) {
        chosen++;
    }
    char other[32];
    snprintf(other, sizeof other, "%.3g s", settings->step_duration_s);
    if (drop_down(ui, "duration", ui->px(72),
                  chosen < duration_count ? duration_names[chosen] : other, duration_names,
                  duration_count, &chosen)) {
        settings->step_duration_s = durations[chosen];
    }
    hint(ui, "Time a step is shown  (- and +)");
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui->px(72 - 28));
    if (icon_button(ui, "loop", icon::loop, "Start over at the end  (L)", settings->loop)) {
        settings->loop = !settings->loop;
    }
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    end_panel();
}
