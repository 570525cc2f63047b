#include "app/ui/ui_internal.h"

#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

constexpr float bar_height = 40, margin = 8, wide_column = 304, narrow_column = 280,
                folded_width = 132;

const char *const scaling_names[] = {"Sqrt", "Linear", "Quadratic", "Uniform"};
const char *const tiling_names[] = {"Squarify", "Binary", "Slice", "Dice", "Slice and dice"};
const char *const palette_names[] = {"Heat", "Colour-blind safe"};
const char *const theme_names[] = {"Light", "Dark"};
const uint32_t limits[] = {0, 5, 10, 20, 50, 100, 200, 500, 1000};
const char *const limit_names[] = {"None",         "5 children",   "10 children",
                                   "20 children",  "50 children",  "100 children",
                                   "200 children", "500 children", "1,000 children"};
// Of the suspects, unless all are asked for: what else there is has to be seen, too.
constexpr uint32_t few_suspects = 5;
constexpr uint32_t limit_count = sizeof limits / sizeof *limits;

void draw_rows(mc_ui *ui, const mc_facts *model) {
    float width = ImGui::GetContentRegionAvail().x;
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (uint32_t i = 0; i < model->row_count; i++) {
        const mc_fact_row *row = &model->rows[i];
        ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::Dummy(ImVec2(width, ImGui::GetFontSize() + ui->px(1)));
        ui::hint(ui, row->exact);
        list->AddText(at, ui->colors.muted, row->label);
        float x = at.x + width - ImGui::CalcTextSize(row->value).x;
        list->AddText(ImVec2(std::floor(x), at.y), ui->colors.text, row->value);
    }
}

// What falls if the selection goes. The button is there in any case: what it leads to is said.
void draw_whatif(mc_ui *ui, const mc_facts *model) {
    const ui::list_style style = {22, {72, 56, 0, 0}, 6, 0, false, {"fallen", nullptr, nullptr}};
    const mc_fact_whatif *whatif = &model->lists.whatif;
    if (!whatif->can_demolish && !whatif->has_any) return;
    float width = ImGui::GetContentRegionAvail().x, gap = ui->px(8);
    float half = std::floor((width - gap) / 2);
    ImGui::Dummy(ImVec2(0, ui->px(2)));
    if (ui::button(ui, "demolish", whatif->is_demolished ? "Let it stand" : "What if it goes?",
                   whatif->has_any ? half : width,
                   "What is freed if all of its objects go, exactly: by the heap dump  (Delete)",
                   whatif->can_demolish)) {
        ui::act(ui, MC_ACTION_DEMOLISH);
    }
    if (!whatif->has_any) return;
    ImGui::SameLine(0, gap);
    if (ui::button(ui, "rebuild", "All stands", half, "Let all stand again  (Shift+Delete)", true))
        ui::act(ui, MC_ACTION_REBUILD);
    if (whatif->is_looking) {
        char text[64];
        int percent = static_cast<int>(std::fmax(whatif->progress, 0.0f) * 100);
        snprintf(text, sizeof text, "Reading the heap dump\xe2\x80\xa6 %d %%  (Esc ends it)",
                 percent);
        ui::muted_text(ui, text, true);
        ui->answer->wants_frame = true;
    }
    if (whatif->summary) ui::wrapped_text(whatif->summary);
    uint32_t clicked = ui::list(ui, "fallen", &whatif->fallen, &style, nullptr);
    if (clicked != MC_NONE) ui::act(ui, MC_ACTION_SHOW_FALLEN, clicked);
}

// What is selected, where it is several.
void draw_members(mc_ui *ui, const mc_fact_list *members) {
    const ui::list_style style = {22, {72, 0, 0, 0}, 8, 0, false, {"member", nullptr, nullptr}};
    if (members->count == 0) return;
    uint32_t clicked = ui::list(ui, "members", members, &style, nullptr);
    if (clicked != MC_NONE) ui::act(ui, MC_ACTION_SHOW_MEMBER, clicked);
}

void draw_selection(mc_ui *ui, const mc_facts *model) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = ImGui::GetContentRegionAvail().x;
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImGui::PushFont(ui->strong);
    ImGui::Dummy(ImVec2(width, ImGui::GetFontSize()));
    ui::hint(ui, model->selection_path);
    ui::clipped_name(ui, list, at, width, ui->colors.text, model->selection_name);
    ImGui::PopFont();
    ui::muted_text(
        ui, model->has_selection ? model->selection_role : "Nothing selected: this is all of it.",
        true);
    ImGui::Dummy(ImVec2(0, 0));
    draw_rows(ui, model);
    if (model->step_count > 1) {
        ImVec2 from = ImGui::GetCursorScreenPos();
        from.y += ui->px(6);
        ImVec2 to(from.x + width, from.y + ui->px(40));
        ImGui::Dummy(ImVec2(width, ui->px(50)));
        ui::area_chart(ui, from, to, model->selection_values, model->step_count, model->step);
        for (uint32_t i = 0; i < model->member_count; i++) {
            ui::line_chart(ui, from, to, model->members[i].values, model->step_count,
                           model->members[i].color);
        }
    }
    draw_members(ui, &model->lists.members);
    draw_whatif(ui, model);
}

// What is in the selected district.
void draw_contents(mc_ui *ui, const mc_facts *model) {
    const ui::list_style style = {22, {72, 56, 0, 0}, 8, 0, false, {"child", nullptr, nullptr}};
    const mc_fact_list *children = &model->lists.children;
    if (model->lists.children_note) ui::muted_text(ui, model->lists.children_note);
    uint32_t clicked = ui::list(ui, "children", children, &style, nullptr);
    if (clicked != MC_NONE) ui::act(ui, MC_ACTION_SHOW_CHILD, clicked);
}

void draw_more_suspects(mc_ui *ui, uint32_t count) {
    char text[32];
    snprintf(text, sizeof text, ui->all_suspects ? "Fewer" : "%u more",
             static_cast<unsigned>(count));
    ImGui::PushFont(ui->small);
    ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(text);
    float indent = ui->px(16), height = ui->px(22);
    if (ImGui::InvisibleButton("more_suspects", ImVec2(indent + size.x + ui->px(8), height)))
        ui->all_suspects = !ui->all_suspects;
    ui::place_item(ui, "more_suspects");
    ImVec2 from(at.x + indent, std::floor(at.y + (height - size.y) / 2));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddText(from, ui->colors.accent, text);
    if (ImGui::IsItemHovered()) {
        float line = std::floor(from.y + size.y) + 0.5f;
        list->AddLine(ImVec2(from.x, line), ImVec2(from.x + size.x, line), ui->colors.accent,
                      ui->px(1));
    }
    ImGui::PopFont();
}

void draw_suspects(mc_ui *ui, const mc_facts *model) {
    if (model->growth_note) ui::muted_text(ui, model->growth_note, true);
    if (model->verdict) ui::muted_text(ui, model->verdict, true);
    if (model->suspect_count == 0) return;
    float width = ImGui::GetContentRegionAvail().x, height = ui->px(38), value_width = 0;
    bool has_more = model->suspect_count > few_suspects + 1;
    uint32_t count = has_more && !ui->all_suspects ? few_suspects : model->suspect_count;
    for (uint32_t i = 0; i < model->suspect_count; i++) {
        value_width = std::fmax(value_width, ImGui::CalcTextSize(model->suspects[i].growth).x);
    }
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (uint32_t i = 0; i < count; i++) {
        const mc_fact_suspect *suspect = &model->suspects[i];
        ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(static_cast<int>(i));
        bool clicked = ImGui::InvisibleButton("suspect", ImVec2(width, height));
        ImGui::PopID();
        if (i == 0) ui::place_item(ui, "suspect");
        if (clicked) ui::act(ui, MC_ACTION_SHOW_NODE, suspect->node);
        bool hovered = ImGui::IsItemHovered();
        float out = ui->px(6);
        if (hovered || suspect->selected) {
            list->AddRectFilled(ImVec2(at.x - out, at.y), ImVec2(at.x + width + out, at.y + height),
                                suspect->selected ? ui->colors.active : ui->colors.hover,
                                ui->px(4));
        }
        if (hovered) {
            char text[1024];
            snprintf(text, sizeof text, "%s\n%s", suspect->path, suspect->exact);
            ui::hint(ui, text);
        }
        float line = ImGui::GetFontSize(), y = at.y + ui->px(3), dot = ui->px(8);
        float dot_y = std::floor(y + (line - dot) / 2);
        list->AddRectFilled(ImVec2(at.x, dot_y), ImVec2(at.x + dot, dot_y + dot), suspect->color,
                            ui->px(2));
        float spark = ui->px(44);
        float spark_x = at.x + width - value_width - ui->px(8) - spark;
        float name_x = at.x + dot + ui->px(8);
        ui::clipped_name(ui, list, ImVec2(name_x, y), spark_x - ui->px(8) - name_x, ui->colors.text,
                         suspect->name);
        ui::area_chart(ui, ImVec2(spark_x, at.y + ui->px(5)),
                       ImVec2(spark_x + spark, at.y + ui->px(20)), suspect->values,
                       model->step_count, MC_NONE);
        float growth_x = at.x + width - ImGui::CalcTextSize(suspect->growth).x;
        list->AddText(ImVec2(std::floor(growth_x), std::floor(y)), ui->colors.text,
                      suspect->growth);
        ImGui::PushFont(ui->small);
        ui::clipped_text(ui, list, ImVec2(name_x, y + line), at.x + width - name_x,
                         ui->colors.muted, suspect->detail);
        ImGui::PopFont();
        ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
    }
    if (has_more) draw_more_suspects(ui, model->suspect_count - few_suspects);
    ImGui::Dummy(ImVec2(0, ui->px(2)));
}

// Modes, and behind them the metrics whose value can be shown. Of a mode that is a metric's value,
// too, `keys` has that metric.
struct mode_list {
    uint32_t count = 0;
    const char *names[MC_FACT_METRIC_MOST + 8], *keys[MC_FACT_METRIC_MOST + 8];

    mode_list(const mc_facts *model, const char *const *modes, const char *const *mode_keys,
              uint32_t mode_count) {
        for (; count < mode_count; count++) {
            names[count] = modes[count];
            keys[count] = mode_keys[count];
        }
        for (uint32_t i = 0; i < model->metric_count; i++) {
            const mc_fact_metric *metric = &model->metrics[i];
            if (!metric->key[0] || find(metric->key) != MC_NONE) continue;
            names[count] = metric->title;
            keys[count++] = metric->key;
        }
    }
    uint32_t find(const char *key) const {
        for (uint32_t i = 0; i < count; i++) {
            if (strcmp(keys[i], key) == 0) return i;
        }
        return MC_NONE;
    }
};

// What is mapped: a mode, or the value of a metric; that of the areas where none is said.
bool choose_mode(mc_ui *ui, const char *label, const mode_list &list, uint32_t mode_count,
                 uint32_t value, const mc_wish *wish, uint32_t *mode, char *metric) {
    uint32_t at = *mode == value ? list.find(metric[0] ? metric : wish->layout.metric) : *mode;
    if (!ui::choice(ui, label, list.names, list.count, &at)) return false;
    *mode = at < mode_count ? at : value;
    if (at >= mode_count) mc_form_set_name(metric, MC_METRIC_NAME_SIZE, list.keys[at]);
    return true;
}

// What sunbursts and icicles have instead of a ground plan.
void draw_tree_view(mc_ui *ui, const mc_facts *model, mc_wish *wish, float width) {
    static const char *const sorts[] = {"Growth", "Size at start", "Size at end"};
    static const char *const colors[] = {"Branch",         "Growth since first", "Level",
                                         "Role",           "Growth of the step", "Steady growth",
                                         "First step seen"};
    static const char *const keys[] = {"", "", "", "", "", "", ""};
    constexpr uint32_t value = 7; // as the engine counts them, and the list's length
    static const char *const levels[] = {"All", "1 below", "2 below", "3 below", "4 below"};
    static const char *const themes[] = {"Light", "Dark"};
    ui::choice(ui, "Order", sorts, 3, &wish->tree_sort);
    mode_list list(model, colors, keys, value);
    choose_mode(ui, "Colour by", list, value, value, wish, &wish->tree_color,
                wish->look.color_metric);
    uint32_t shown = wish->tree_levels < 5 ? wish->tree_levels : 0;
    if (ui::choice(ui, "Levels", levels, 5, &shown)) wish->tree_levels = shown;
    ui::toggle(ui, "Scaled by the heap", &wish->tree_scaled);
    ui::toggle(ui, "Small ones as Others", &wish->tree_pruned);
    if (wish->tree_steps.count > 0) {
        ui::toggle(ui, "Small trees scaled", &wish->tree_steps_scaled);
    }
    ui::toggle(ui, "Names", &wish->look.names);
    ui::toggle(ui, "Motion", &wish->motion);
    uint32_t theme = wish->look.dark ? 1 : 0;
    if (ui::segmented(ui, "theme", themes, 2, width, &theme)) wish->look.dark = theme == 1;
}

// The engine's modes up to the role, none of them, and when something was first.
void draw_color_mode(mc_wish *wish, mc_ui *ui, const mc_facts *model) {
    static const char *const names[] = {
        "Growth since first", "Growth of the step", "Steady growth", "Level", "Role", "Nothing",
        "First step seen"};
    static const char *const keys[] = {"", "", "", "", "", "", ""};
    constexpr uint32_t value = 5, first = 6; // as the engine counts them
    constexpr uint32_t nothing = 5, here_value = 7, here_count = 7;
    mode_list list(model, names, keys, here_count);
    mc_look *look = &wish->look;
    uint32_t mode = look->color_mode == value ? here_value : look->color_mode;
    if (!look->color_by_growth) mode = nothing;
    static_assert(first < here_count, "the list has it at the engine's place");
    if (!choose_mode(ui, "Colour by", list, here_count, here_value, wish, &mode,
                     look->color_metric))
        return;
    look->color_by_growth = mode != nothing;
    if (mode != nothing) look->color_mode = mode == here_value ? value : mode;
}

void draw_height_mode(mc_wish *wish, mc_ui *ui, const mc_facts *model) {
    static const char *const names[] = {"Metric", "Objects", "Bytes", "Object size",
                                        "Retained size"};
    static const char *const keys[] = {"", "objects", "bytes", "", "retained"};
    constexpr uint32_t value = 5; // as the engine counts them
    uint32_t count = model->lists.has_retained_sizes ? 5 : 4;
    mode_list list(model, names, keys, count);
    choose_mode(ui, "Height by", list, count, value, wish, &wish->look.height_mode,
                wish->look.height_metric);
}

void draw_view(mc_ui *ui, const mc_facts *model, mc_wish *wish) {
    float width = ImGui::GetContentRegionAvail().x;
    if (wish->view != 0) {
        draw_tree_view(ui, model, wish, width);
        return;
    }
    ui::muted_text(ui, "Scaling of areas");
    ui::segmented(ui, "scaling", scaling_names, 4, width, &wish->layout.scaling);
    ui::choice(ui, "Tiling", tiling_names, 5, &wish->layout.tiling);
    uint32_t limit = 0;
    while (limit < limit_count && limits[limit] != wish->layout.child_limit) {
        limit++;
    }
    char other[32];
    snprintf(other, sizeof other, "%u children", static_cast<unsigned>(wish->layout.child_limit));
    const char *names[limit_count + 1];
    memcpy(names, limit_names, sizeof limit_names);
    names[limit_count] = other;
    if (ui::choice(ui, "Child limit", names, limit == limit_count ? limit_count + 1 : limit_count,
                   &limit) &&
        limit < limit_count) {
        wish->layout.child_limit = limits[limit];
    }
    if (model->limit_note) ui::muted_text(ui, model->limit_note, true);
    draw_color_mode(wish, ui, model);
    draw_height_mode(wish, ui, model);
    ui::toggle(ui, "Highlight top growers", &wish->look.opacity_by_growth);
    if (wish->look.opacity_by_growth) {
        float count = static_cast<float>(wish->look.opaque_count);
        if (ui::slider(ui, "Opaque", &count, 0, 100, "%.0f")) {
            wish->look.opaque_count = static_cast<uint32_t>(count + 0.5f);
        }
        float percent = wish->look.opacity * 100;
        if (ui::slider(ui, "Others", &percent, 0, 100, "%.0f %%")) {
            wish->look.opacity = std::round(percent) / 100;
        }
    }
    if (model->lists.roots.has_roots) ui::toggle(ui, "GC roots", &wish->look.roots);
    ui::choice(ui, "Palette", palette_names, 2, &wish->look.palette);
    ui::toggle(ui, "Edges", &wish->look.edges);
    ui::toggle(ui, "Names", &wish->look.names);
    ui::toggle(ui, "Motion", &wish->motion);
    uint32_t theme = wish->look.dark ? 1 : 0;
    if (ui::segmented(ui, "theme", theme_names, 2, width, &theme)) wish->look.dark = theme == 1;
}

// What was selected in the picture or by a key comes into view with its references; what was
// selected in the panels leaves them where they are, whatever their content does meanwhile.
void follow_selection(mc_ui *ui, const mc_facts *model, float top, float end) {
    constexpr uint32_t frames = 6;
    bool has_node = model->has_selection && model->path_count > 0;
    uint32_t node = has_node ? model->path[model->path_count - 1].node : MC_NONE;
    float height = ImGui::GetWindowHeight(), scroll = ImGui::GetScrollY();
    if (node != ui->panel_node) {
        ui->following = frames;
        ui->kept_scroll = ui->last_scroll;
    }
    ui->panel_node = node;
    ui->last_scroll = scroll;
    const mc_fact_lists *lists = &model->lists;
    if (lists->walk.wants_view || lists->roots.wants_view || ImGui::GetIO().MouseWheel != 0)
        ui->following = 0;
    if (ui->following == 0) return;
    bool stays = lists->walk.is_shown ||
                 ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    float wanted = node == MC_NONE ? 0 : std::fmin(std::fmax(end - height, 0.0f), top);
    if (stays) {
        wanted = ui->kept_scroll;
        float lacking = wanted + height - ImGui::GetCursorPosY();
        if (lists->references.is_looking && lacking > 0) ImGui::Dummy(ImVec2(0, lacking));
    }
    ImGui::SetScrollY(std::floor(wanted));
    ui->last_scroll = std::floor(wanted);
    if (lists->references.is_looking) return;
    ui->following--;
    ui->answer->wants_frame = true;
}

enum { ROOTS, CONTENTS, VIEW }; // the sections that are last

// A section that was unfolded by its key may lie below what is seen. To be called at its end.
void show_unfolded(mc_ui *ui, uint32_t section, bool is_open, float top) {
    uint32_t bit = 1u << section;
    bool was_open = ui->open_sections & bit;
    ui->open_sections = is_open ? ui->open_sections | bit : ui->open_sections & ~bit;
    if (!is_open || was_open || ui->following > 0) return;
    float padding = ImGui::GetStyle().WindowPadding.y;
    float over = ImGui::GetCursorPosY() + padding - ImGui::GetWindowHeight();
    float least = std::fmin(over, top - padding);
    if (least <= ImGui::GetScrollY()) return;
    ImGui::SetScrollY(std::floor(least));
    ui->answer->wants_frame = true;
}

// Says that there is more above or below. ImGui's own bar would take its width from the content.
void draw_scroll_mark(mc_ui *ui) {
    float most = ImGui::GetScrollMaxY();
    if (most <= 0) return;
    ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    // What is cut off fades out, so that no row looks whole that is not.
    float fade = ui->px(28), border = ui->px(1);
    ImU32 panel = ui->colors.panel | IM_COL32_A_MASK, clear = panel & ~IM_COL32_A_MASK;
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (ImGui::GetScrollY() < most) {
        list->AddRectFilledMultiColor(ImVec2(at.x + border, at.y + size.y - fade),
                                      ImVec2(at.x + size.x - border, at.y + size.y - border), clear,
                                      clear, panel, panel);
    }
    if (ImGui::GetScrollY() > 0) {
        list->AddRectFilledMultiColor(ImVec2(at.x + border, at.y + border),
                                      ImVec2(at.x + size.x - border, at.y + fade), panel, panel,
                                      clear, clear);
    }
    float inset = ui->px(4), length = size.y - 2 * inset, share = size.y / (size.y + most);
    float x = at.x + size.x - ui->px(5);
    float y = at.y + inset + length * (1 - share) * ImGui::GetScrollY() / most;
    list->AddRectFilled(ImVec2(x, y), ImVec2(x + ui->px(3), y + length * share),
                        ui::with_alpha(ui->colors.muted, 0.75f), ui->px(1.5f));
}

} // namespace

void ui::draw_panels(mc_ui *ui, const mc_facts *model, mc_wish *wish) {
    // Folded, the panels leave the picture its whole width.
    bool folded = !wish->selection_open && !wish->references_open && !wish->walk_open &&
                  !wish->why_open && !wish->suspects_open && !wish->contents_open &&
                  !wish->view_open && !(wish->roots_open && model->lists.roots.has_roots);
    float column = ui->width < ui->px(1100) ? narrow_column : wide_column;
    float top = ui->px(bar_height + margin), width = ui->px(folded ? folded_width : column);
    float bottom = ui->height - ui->px(margin + 88);
    ImVec2 at(ui->width - width - ui->px(margin), top);
    ui->answer->right = folded ? 0 : width + ui->px(margin);
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                        ImVec2(width, std::fmax(bottom - top, ui->px(60))));
    ImGui::Begin("panels", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::Dummy(ImVec2(width - 2 * ImGui::GetStyle().WindowPadding.x, 0)); // keeps the width
    ImGui::SetCursorPosY(ImGui::GetStyle().WindowPadding.y);
    ui->hint_right = at.x - ui->px(4);
    // The suspects first: they lead to all else, and stay in place while one goes through them.
    if (fold(ui, "Suspects", &wish->suspects_open)) draw_suspects(ui, model);
    line(ui);
    if (fold(ui, "Why it grows", &wish->why_open)) draw_why(ui, model);
    line(ui);
    float selection_top = ImGui::GetCursorPosY();
    if (fold(ui, "Selection", &wish->selection_open)) draw_selection(ui, model);
    line(ui);
    if (fold(ui, "References", &wish->references_open)) draw_references(ui, model, wish);
    line(ui);
    float references_end = ImGui::GetCursorPosY();
    if (model->lists.walk.wants_view) ImGui::SetScrollHereY(0);
    if (fold(ui, "Root cause", &wish->walk_open)) draw_walk(ui, model);
    line(ui);
    float section_top = ImGui::GetCursorPosY();
    if (model->lists.roots.has_roots) {
        if (model->lists.roots.wants_view) ImGui::SetScrollHereY(0);
        if (fold(ui, "GC roots", &wish->roots_open)) draw_roots(ui, model);
        line(ui);
        show_unfolded(ui, ROOTS, wish->roots_open, section_top);
        section_top = ImGui::GetCursorPosY();
    }
    if (fold(ui, "Contents", &wish->contents_open)) draw_contents(ui, model);
    line(ui);
    show_unfolded(ui, CONTENTS, wish->contents_open, section_top);
    section_top = ImGui::GetCursorPosY();
    if (fold(ui, "View", &wish->view_open)) draw_view(ui, model, wish);
    show_unfolded(ui, VIEW, wish->view_open, section_top);
    follow_selection(ui, model, selection_top - ImGui::GetStyle().WindowPadding.y, references_end);
    ui->hint_right = 0;
    draw_scroll_mark(ui);
    place(ui, "panels", ImGui::GetWindowPos(),
          ImVec2(at.x + ImGui::GetWindowSize().x, at.y + ImGui::GetWindowSize().y));
    ImGui::End();
}
