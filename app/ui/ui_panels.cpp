#include "app/ui/ui_internal.h"

#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

constexpr float margin = 8, wide_column = MC_PANEL_WIDTH_USUAL, narrow_column = 280,
                folded_width = 132, least_both = 120;

const char *const scaling_names[] = {"Sqrt", "Linear", "Quadratic", "Uniform", "Rise"};
const char *const tiling_names[] = {"Squarify", "Binary", "Slice", "Dice", "Slice and dice"};
const char *const palette_names[] = {"Heat", "Colour-blind safe"};
const char *const opacity_mode_names[] = {"Glass in front", "Translucent"};
const char *const moving_names[] = {"Coarse where slow", "Full resolution", "Half resolution"};
const char *const theme_names[] = {"Light", "Dark"};
const uint32_t limits[] = {0, 5, 10, 20, 50, 100, 200, 500, 1000};
const char *const limit_names[] = {"None",         "5 children",   "10 children",
                                   "20 children",  "50 children",  "100 children",
                                   "200 children", "500 children", "1,000 children"};
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

// What falls if the selection goes. The button is there in any case, gray where no dump can tell.
void draw_whatif(mc_ui *ui, const mc_facts *model) {
    const ui::list_style style = {22, {72, 56, 0, 0}, 6, 0, false, {"fallen", nullptr, nullptr}};
    const mc_fact_what_if *whatif = &model->lists.whatif;
    if (!whatif->can_demolish && !whatif->obstacle && !whatif->has_any) return;
    float width = ImGui::GetContentRegionAvail().x, gap = ui->px(8);
    float half = std::floor((width - gap) / 2);
    ImGui::Dummy(ImVec2(0, ui->px(2)));
    if (ui::button(
            ui, "demolish", whatif->is_demolished ? "Let it stand" : "What if it goes?",
            whatif->has_any ? half : width,
            whatif->obstacle
                ? whatif->obstacle
                : "What is freed if all of its objects go, exactly: by the heap dump  (Delete)",
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
    ui::place_item(ui, "selection_name");
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
        ui::area_chart(ui, from, to, model->selection_values, model->step_places, model->step_count,
                       model->step);
        for (uint32_t i = 0; i < model->member_count; i++) {
            ui::line_chart(ui, from, to, model->members[i].values, model->step_places,
                           model->step_count, model->members[i].color);
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

// What two traces differ in.
void draw_differences(mc_ui *ui, const mc_facts *model) {
    const ui::list_style style = {22, {84, 52, 0, 0}, 10,
                                  0,  false,          {"difference", nullptr, nullptr}};
    const mc_fact_differences *differences = &model->lists.differences;
    ImGui::BeginGroup();
    ui::muted_text(ui, differences->note, true);
    ImGui::EndGroup();
    ui::hint(ui, differences->rules);
    uint32_t clicked = ui::list(ui, "differences", &differences->list, &style, nullptr);
    if (clicked != MC_NONE) ui::act(ui, MC_ACTION_SHOW_DIFFERENCE, clicked);
}

// Of a heap the methods that allocate the selection, of methods what is alive of theirs.
void draw_linked(mc_ui *ui, const mc_facts *model) {
    const ui::list_style style = {40, {64, 64, 0, 0}, 6, 0, false, {"linked", nullptr, nullptr}};
    const mc_fact_linked *linked = &model->lists.linked;
    ui::muted_text(ui, linked->note, true);
    uint32_t clicked = ui::list(ui, "linked", &linked->list, &style, nullptr);
    if (clicked != MC_NONE) ui::act(ui, MC_ACTION_SHOW_LINKED, clicked);
}

// Modes, and behind them the metrics whose value can be shown. Of a mode that is a metric's value,
// too, `keys` has that metric.
struct mode_list {
    uint32_t count = 0;
    const char *names[MC_FACT_METRIC_MOST + 9], *keys[MC_FACT_METRIC_MOST + 9];

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
                 uint32_t value, const mc_settings *settings, uint32_t *mode, char *metric) {
    uint32_t at = *mode == value ? list.find(metric[0] ? metric : settings->layout.metric) : *mode;
    if (!ui::choice(ui, label, list.names, list.count, &at)) return false;
    *mode = at < mode_count ? at : value;
    if (at >= mode_count) mc_form_set_name(metric, MC_METRIC_NAME_SIZE, list.keys[at]);
    return true;
}

// What sunbursts and icicles have instead of a ground plan.
void draw_tree_view(mc_ui *ui, const mc_facts *model, mc_settings *settings, float width) {
    static const char *const sorts[] = {"Growth", "Size at start", "Size at end"};
    static const char *const colors[] = {
        "Branch",        "Growth since first", "Level",          "Role", "Growth of the step",
        "Steady growth", "First step seen",    "Growth by owner"};
    static const char *const keys[] = {"", "", "", "", "", "", "", ""};
    constexpr uint32_t growth = 1, owner = 7, value = 8; // as the engine counts them
    const uint32_t count = model->lists.has_owners ? value : owner;
    static const char *const levels[] = {"All", "1 below", "2 below", "3 below", "4 below"};
    static const char *const themes[] = {"Light", "Dark"};
    ui::choice(ui, "Order", sorts, 3, &settings->tree_sort);
    mode_list list(model, colors, keys, count);
    uint32_t mode = settings->tree_color;
    if (mode == owner && count == owner) mode = growth;
    if (choose_mode(ui, "Colour by", list, count, value, settings, &mode,
                    settings->look.color_metric))
        settings->tree_color = mode;
    uint32_t shown = settings->tree_levels < 5 ? settings->tree_levels : 0;
    if (ui::choice(ui, "Levels", levels, 5, &shown)) settings->tree_levels = shown;
    ui::toggle(ui, "Scaled by the total", &settings->tree_scaled);
    ui::toggle(ui, "Small ones as Others", &settings->tree_pruned);
    if (settings->tree_steps.count > 0) {
        ui::toggle(ui, "Small trees scaled", &settings->tree_steps_scaled);
    }
    ui::toggle(ui, "Shadows", &settings->look.light);
    ui::toggle(ui, "Names", &settings->look.names);
    ui::toggle(ui, "Motion", &settings->motion);
    uint32_t theme = settings->look.dark ? 1 : 0;
    if (ui::segmented(ui, "theme", themes, 2, width, &theme)) settings->look.dark = theme == 1;
}

// The engine's modes up to the role, none of them, when something was first, and its package.
void draw_color_mode(mc_settings *settings, mc_ui *ui, const mc_facts *model) {
    static const char *const names[] = {
        "Growth since first", "Growth of the step", "Steady growth",  "Level", "Role", "Nothing",
        "First step seen",    "Package, district",  "Growth by owner"};
    static const char *const keys[] = {"", "", "", "", "", "", "", "", ""};
    constexpr uint32_t growth = 0, value = 5, owner = 8; // as the engine counts them
    constexpr uint32_t nothing = 5, here_value = 9, all_count = 9;
    const uint32_t here_count = model->lists.has_owners ? all_count : owner;
    mode_list list(model, names, keys, here_count);
    mc_look *look = &settings->look;
    uint32_t mode = look->color_mode == value ? here_value : look->color_mode;
    if (mode == owner && !model->lists.has_owners) mode = growth;
    if (!look->color_by_growth) mode = nothing;
    static_assert(owner < all_count, "the list has it at the engine's place");
    if (!choose_mode(ui, "Colour by", list, here_count, here_value, settings, &mode,
                     look->color_metric))
        return;
    look->color_by_growth = mode != nothing;
    if (mode != nothing) look->color_mode = mode == here_value ? value : mode;
}

constexpr double whole_run = 1e9; // MC_FRAME_WHOLE_MS, in seconds

// How long methods are looked at: the last so many seconds before a step.
void draw_frame(mc_ui *ui, mc_settings *settings) {
    static const double frames[] = {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, whole_run};
    static const char *const names[] = {"0.1 s", "0.2 s", "0.5 s", "1 s",  "2 s",      "5 s",
                                        "10 s",  "20 s",  "30 s",  "60 s", "whole run"};
    constexpr uint32_t count = sizeof frames / sizeof *frames;
    const char *shown[count + 1];
    char other[32];
    uint32_t at = 0;
    while (at < count && std::fabs(frames[at] - settings->frame_s) > 1e-9) {
        at++;
    }
    memcpy(shown, names, sizeof names);
    snprintf(other, sizeof other, "%.3g s", settings->frame_s);
    shown[count] = other;
    if (ui::choice(ui, "Frame", shown, at == count ? count + 1 : count, &at) && at < count) {
        settings->frame_s = frames[at];
    }
}

void draw_height_mode(mc_settings *settings, mc_ui *ui, const mc_facts *model) {
    static const char *const names[] = {"Metric", "Objects", "Bytes", "Object size",
                                        "Retained size"};
    static const char *const keys[] = {"", "objects", "bytes", "", "retained"};
    constexpr uint32_t value = 5; // as the engine counts them
    uint32_t count = model->lists.has_retained_sizes ? 5 : 4;
    mode_list list(model, names, keys, count);
    choose_mode(ui, "Height by", list, count, value, settings, &settings->look.height_mode,
                settings->look.height_metric);
}

void draw_view(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    float width = ImGui::GetContentRegionAvail().x;
    constexpr uint32_t elevation = 4; // of the scalings, as the engine counts them
    bool rises = model->has_methods && settings->layout.scaling == elevation;
    ui::draw_grouping(ui, model, settings);
    if (model->has_methods) draw_frame(ui, settings);
    if (settings->view != 0) {
        draw_tree_view(ui, model, settings, width);
        return;
    }
    if (model->has_methods) {
        ui::choice(ui, "Scaling", scaling_names, 5, &settings->layout.scaling);
    } else {
        ui::muted_text(ui, "Scaling of areas");
        ui::segmented(ui, "scaling", scaling_names, 5, width, &settings->layout.scaling);
    }
    if (!rises) ui::choice(ui, "Tiling", tiling_names, 5, &settings->layout.tiling);
    uint32_t limit = 0;
    while (limit < limit_count && limits[limit] != settings->layout.child_limit) {
        limit++;
    }
    char other[32];
    snprintf(other, sizeof other, "%u children",
             static_cast<unsigned>(settings->layout.child_limit));
    const char *names[limit_count + 1];
    memcpy(names, limit_names, sizeof limit_names);
    names[limit_count] = other;
    if (ui::choice(ui, "Child limit", names, limit == limit_count ? limit_count + 1 : limit_count,
                   &limit) &&
        limit < limit_count) {
        settings->layout.child_limit = limits[limit];
    }
    if (model->limit_note) ui::muted_text(ui, model->limit_note, true);
    draw_color_mode(settings, ui, model);
    if (!rises) {
        draw_height_mode(settings, ui, model);
        ui::toggle(ui, "Highlight top growers", &settings->look.opacity_by_growth);
    }
    if (!rises && settings->look.opacity_by_growth) {
        float count = static_cast<float>(settings->look.opaque_count);
        if (ui::slider(ui, "How many", &count, 0, 100, "%.0f")) {
            settings->look.opaque_count = static_cast<uint32_t>(count + 0.5f);
        }
        ui::choice(ui, "Others", opacity_mode_names, MC_OPACITY_MODE_COUNT,
                   &settings->look.opacity_mode);
        float percent = settings->look.opacity * 100;
        if (settings->look.opacity_mode == MC_OPACITY_PAPER &&
            ui::slider(ui, "Opacity", &percent, 0, 100, "%.0f %%")) {
            settings->look.opacity = std::round(percent) / 100;
        }
    }
    if (model->lists.roots.has_roots) ui::toggle(ui, "GC roots", &settings->look.roots);
    ui::choice(ui, "Palette", palette_names, 2, &settings->look.palette);
    ui::toggle(ui, "Edges", &settings->look.edges);
    ui::toggle(ui, "Names", &settings->look.names);
    ui::toggle(ui, "Motion", &settings->motion);
    ui::choice(ui, "While moving", moving_names, 3, &settings->moving);
    uint32_t theme = settings->look.dark ? 1 : 0;
    if (ui::segmented(ui, "theme", theme_names, 2, width, &theme)) settings->look.dark = theme == 1;
}

// What was selected in the picture or by a key comes into view with its references; what was
// selected in the panels leaves them where they are, whatever their content does meanwhile.
void follow_selection(mc_ui *ui, const mc_facts *model, float top, float references, float end) {
    constexpr uint32_t frames = 6;
    // Of the references; where there is room for both; that the heading is worth.
    constexpr float few_rows = 150, one_row = 96, least = 216, heading = 32;
    bool has_node = model->has_selection && model->path_count > 0;
    uint32_t node = has_node ? model->path[model->path_count - 1].node : MC_NONE;
    float height = ImGui::GetWindowHeight(), scroll = ImGui::GetScrollY();
    uint32_t count = ui->answer->settings.selection.count;
    bool closes_walk = ui->panel_has_walk && !model->lists.walk.is_shown;
    if (node != ui->panel_node || count != ui->panel_count || closes_walk) {
        ui->following = frames;
        ui->follows = true;
        ui->kept_scroll = ui->last_scroll;
    }
    // What is told of the selection above may come later, and take room.
    float card_top = ImGui::GetWindowPos().y;
    if (ui->follows && card_top != ui->panels_top) ui->following = frames;
    ui->panels_top = card_top;
    ui->panel_node = node;
    ui->panel_count = count;
    if (ui->holding > 0) {
        ui->holding--;
        ui->following = 0;
        ui->follows = false;
        ui->answer->wants_frame = true;
    }
    ui->panel_has_walk = model->lists.walk.is_shown;
    ui->last_scroll = scroll;
    const mc_fact_lists *lists = &model->lists;
    if (lists->walk.wants_view || lists->roots.wants_view || ImGui::GetIO().MouseWheel != 0) {
        ui->following = 0;
        ui->follows = false;
    }
    if (ui->following == 0) return;
    bool stays = lists->walk.is_shown ||
                 ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    float wanted = node == MC_NONE ? 0 : std::fmin(std::fmax(end - height, 0.0f), top);
    float rows_end = std::fmin(references + ui->px(few_rows), end);
    bool has_room = node != MC_NONE && height >= ui->px(least);
    if (has_room && rows_end - height > wanted + ui->px(heading)) {
        // What is selected stays named, unless none of its partners would be in sight.
        float named = top + ui->px(heading);
        bool shows_one = references + ui->px(one_row) <= named + height;
        wanted = shows_one ? std::fmin(rows_end - height, named) : rows_end - height;
    }
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
constexpr uint32_t hold_frames = 4;

// A section that was unfolded by its key may lie below what is seen, or above. To be called at its
// end.
void show_unfolded(mc_ui *ui, uint32_t section, bool is_open, float top) {
    uint32_t bit = 1u << section;
    bool was_open = ui->open_sections & bit;
    ui->open_sections = is_open ? ui->open_sections | bit : ui->open_sections & ~bit;
    if (!is_open || was_open) return;
    ui->following = 0; // it was asked for later than what is selected, or at the same time
    ui->holding = hold_frames;
    float padding = ImGui::GetStyle().WindowPadding.y;
    float over = ImGui::GetCursorPosY() + padding - ImGui::GetWindowHeight();
    float above = top - padding, least = std::fmin(over, above), scroll = ImGui::GetScrollY();
    if (least <= scroll && above >= scroll) return;
    ImGui::SetScrollY(std::floor(least > scroll ? least : above));
    ui->answer->wants_frame = true;
}

// Says that there is more above or below. ImGui's own bar would take its width from the content.
void draw_scroll_mark(mc_ui *ui) {
    float most = ImGui::GetScrollMaxY();
    if (most <= 0) return;
    ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    // What is cut off fades out, so that no row looks whole that is not; what was scrolled to has
    // the padding above it.
    float fade = ui->px(28), border = ui->px(1), above = ImGui::GetStyle().WindowPadding.y;
    float side = ui->px(6); // as far as rows reach, within the rounded corners
    float scroll = ImGui::GetScrollY();
    ImU32 panel = ui->colors.panel | IM_COL32_A_MASK, clear = panel & ~IM_COL32_A_MASK;
    // A window's children are drawn over what it draws itself, in their order: its lists would
    // cover the mark, but not a last child, however small.
    ImVec2 cursor = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(ImVec2(at.x + above, at.y + above));
    ImGui::BeginChild("scroll_mark", ImVec2(1, 1), false,
                      ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->PushClipRect(at, ImVec2(at.x + size.x, at.y + size.y));
    if (scroll < most) {
        ui::fade_out(ui, list, ImVec2(at.x + side, at.y + size.y - fade),
                     ImVec2(at.x + size.x - side, at.y + size.y - border));
    }
    if (scroll > 0) {
        // Half of the padding hides it, as a line's lower half would look like dirt.
        float half = at.y + std::floor(above / 2), right = at.x + size.x - side;
        float edge = at.y + ImGui::GetStyle().WindowBorderSize;
        list->AddRectFilled(ImVec2(at.x + side, edge), ImVec2(right, half), panel);
        list->AddRectFilledMultiColor(ImVec2(at.x + side, half), ImVec2(right, at.y + above), panel,
                                      panel, clear, clear);
    }
    float inset = ui->px(4), length = size.y - 2 * inset, share = size.y / (size.y + most);
    float x = at.x + size.x - ui->px(5);
    float y = at.y + inset + length * (1 - share) * scroll / most;
    list->AddRectFilled(ImVec2(x, y), ImVec2(x + ui->px(3), y + length * share),
                        ui::with_alpha(ui->colors.muted, 0.5f), ui->px(1.5f));
    list->PopClipRect();
    ImGui::EndChild();
    ImGui::SetCursorScreenPos(cursor);
}

bool is_folded(const mc_facts *model, const mc_settings *settings) {
    return !settings->selection_open && !settings->references_open && !settings->suspects_open &&
           !settings->contents_open && !settings->view_open &&
           !(settings->differences_open && model->lists.differences.is_there) &&
           !(settings->linked_open && model->lists.linked.is_there) &&
           !(settings->roots_open && model->lists.roots.has_roots);
}

// As wide as was wished, as long as the picture keeps two fifths of the window.
float get_column_width(const mc_ui *ui, const mc_settings *settings) {
    float usual = ui->width < ui->px(1100) ? narrow_column : wide_column;
    float wanted = settings->panel_width > 0 ? settings->panel_width : usual;
    float most = std::fmax(0.6f * ui->width, ui->px(MC_PANEL_WIDTH_LEAST));
    return std::floor(
        std::fmin(ui->px(std::fmax(wanted, static_cast<float>(MC_PANEL_WIDTH_LEAST))), most));
}

// The column's left edge, which can be dragged; a double click makes it as wide as usual.
void draw_edge(mc_ui *ui, mc_settings *settings, float x, float top, float bottom) {
    float reach = ui->px(5);
    ImGui::SetNextWindowPos(ImVec2(x - reach, top));
    ImGui::SetNextWindowSize(ImVec2(2 * reach, std::fmax(bottom - top, 1.0f)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin("panels_edge", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::InvisibleButton("edge", ImVec2(2 * reach, std::fmax(bottom - top, 1.0f)));
    ui::place_item(ui, "panels_edge");
    bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
    if (ImGui::IsItemActivated()) ui->edge_offset = x - ImGui::GetIO().MousePos.x;
    if (hovered && (ImGui::IsMouseDoubleClicked(0) || ui->pressed_twice)) {
        settings->panel_width = 0;
    } else if (active && ImGui::IsMouseDragging(0, ui->px(2))) {
        float left = ImGui::GetIO().MousePos.x + ui->edge_offset;
        float width = (ui->width - ui->px(margin) - left) / ui->scale;
        settings->panel_width =
            std::fmin(std::fmax(width, static_cast<float>(MC_PANEL_WIDTH_LEAST)),
                      static_cast<float>(MC_PANEL_WIDTH_MOST));
    }
    if (hovered || active) {
        float line = std::floor(x);
        ImGui::GetWindowDrawList()->AddLine(ImVec2(line, top), ImVec2(line, bottom),
                                            ui->colors.accent, ui->px(2));
    }
    if (!active)
        ui::hint(ui, "Drag: how wide the panels are  (Alt+[ and Alt+]); double click: as usual");
    ImGui::End();
    ImGui::PopStyleVar(2);
}

constexpr ImGuiWindowFlags card_flags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysAutoResize |
    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus;

// A part of the column: `width` wide and as high as its content, up to `height`; pixels.
void begin_card(const char *name, ImVec2 at, float width, float height) {
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, height));
    ImGui::Begin(name, nullptr, card_flags);
    ImGui::Dummy(ImVec2(width - 2 * ImGui::GetStyle().WindowPadding.x, 0)); // keeps the width
    ImGui::SetCursorPosY(ImGui::GetStyle().WindowPadding.y);
}

// At the right of the heading, before its mark, which ends at `at`.
void draw_copy(mc_ui *ui, ImVec2 at) {
    ImVec2 cursor = ImGui::GetCursorScreenPos();
    ImGui::PushFont(ui->small);
    ImVec2 size = ImGui::CalcTextSize("Copy");
    float height = ui->px(22), width = size.x + ui->px(12);
    ImGui::SetCursorScreenPos(ImVec2(at.x - width, at.y));
    if (ui::pressable(ui, "copy_finding", ImVec2(width, height)))
        ui::act(ui, MC_ACTION_COPY_FINDING);
    ui::hint(ui, "Copy this sentence; a part of it can be marked by dragging");
    ui::place_item(ui, "copy_finding");
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(std::floor(at.x - width + ui->px(6)), std::floor(at.y + (height - size.y) / 2)),
        ui->colors.accent, "Copy");
    ImGui::PopFont();
    ImGui::SetCursorScreenPos(cursor);
}

// The findings lead to all else: they stay where they are, whatever is selected. Returns where they
// end.
float draw_suspects_card(mc_ui *ui, const mc_facts *model, mc_settings *settings, ImVec2 at,
                         float width, float height) {
    float few = std::floor(height * 0.36f);
    float most = height * 0.7f;
    // What is selected, or may be the next moment, needs room below.
    float usual = height * 0.45f;
    bool has_evidence = !model->has_methods && model->open_finding != MC_NONE &&
                        (settings->why_open || (settings->walk_open && model->lists.walk.can_walk));
    ui->suspects_bottom = at.y + (has_evidence ? height : usual);
    if (!ui->all_suspects && !ui->whole_headline && !has_evidence)
        most = std::fmin(std::fmax(usual, ui->suspects_least), most);
    begin_card("suspects", at, width, std::floor(most));
    ImVec2 heading = ImGui::GetCursorScreenPos();
    float heading_width = ImGui::GetContentRegionAvail().x;
    bool is_open =
        ui::fold(ui, model->has_methods ? "Highest methods" : "Findings", &settings->suspects_open);
    if (is_open && model->verdict && !model->has_methods)
        draw_copy(ui, ImVec2(heading.x + heading_width - ui->px(20), heading.y));
    if (is_open)
        ui::draw_suspects(ui, model, settings, at.y + few - ImGui::GetStyle().WindowPadding.y);
    draw_scroll_mark(ui);
    float end = at.y + ImGui::GetWindowSize().y;
    ui::place(ui, "suspects_card", at, ImVec2(at.x + width, end));
    float wanted = ImGui::GetCursorPosY() + ImGui::GetScrollY() + ImGui::GetStyle().WindowPadding.y;
    // It has its size a frame later.
    if (ImGui::GetScrollMaxY() <= 0 && std::fabs(wanted - ImGui::GetWindowSize().y) > ui->px(8))
        ui->answer->wants_frame = true;
    ImGui::End();
    return end;
}

} // namespace

void ui::draw_panels(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    // Folded, the panels leave the picture its whole width.
    bool folded = is_folded(model, settings);
    float top = ui->px(ui::top_bar_height + margin);
    float width = folded ? ui->px(folded_width) : get_column_width(ui, settings);
    float bottom = ui->height - ui->px(margin + time_bar_height + margin);
    ImVec2 at(ui->width - width - ui->px(margin), top);
    ui->answer->right = folded ? 0 : width + ui->px(margin);
    ui->panels_left = at.x;
    ui->hint_right = at.x - ui->px(4);
    // Where there is no height for both cards, the one about what is selected, if anything is,
    // unless it was selected to show who holds a finding.
    bool is_low = bottom - top < ui->px(least_both);
    bool has_selection = settings->selection.count > 0 && !(is_low && model->lists.walk.is_shown);
    float rest = top;
    if (!is_low || !has_selection)
        rest = draw_suspects_card(ui, model, settings, at, width, bottom - top) + ui->px(margin);
    if (is_low && !has_selection) {
        ui->hint_right = 0;
        return;
    }
    begin_card("panels", ImVec2(at.x, rest), width, std::fmax(bottom - rest, ui->px(60)));
    if (model->lists.differences.is_there) {
        if (fold(ui, "Differences", &settings->differences_open)) draw_differences(ui, model);
        line(ui);
    }
    float selection_top = ImGui::GetCursorPosY();
    if (fold(ui, "Selection", &settings->selection_open)) draw_selection(ui, model);
    line(ui);
    if (model->lists.linked.is_there) {
        if (fold(ui, model->lists.linked.title, &settings->linked_open)) draw_linked(ui, model);
        line(ui);
    }
    float references_top = ImGui::GetCursorPosY();
    if (!model->has_methods) {
        if (fold(ui, model->holders_are_of_b ? "References in B" : "References",
                 &settings->references_open))
            draw_references(ui, model, settings);
        line(ui);
    }
    float references_end = ImGui::GetCursorPosY();
    float section_top = ImGui::GetCursorPosY();
    if (model->lists.roots.has_roots) {
        if (model->lists.roots.wants_view) ImGui::SetScrollHereY(0);
        if (fold(ui, model->holders_are_of_b ? "GC roots in B" : "GC roots", &settings->roots_open))
            draw_roots(ui, model);
        line(ui);
        show_unfolded(ui, ROOTS, settings->roots_open, section_top);
        section_top = ImGui::GetCursorPosY();
    }
    if (fold(ui, "Contents", &settings->contents_open)) draw_contents(ui, model);
    line(ui);
    show_unfolded(ui, CONTENTS, settings->contents_open, section_top);
    section_top = ImGui::GetCursorPosY();
    if (fold(ui, "View", &settings->view_open)) draw_view(ui, model, settings);
    show_unfolded(ui, VIEW, settings->view_open, section_top);
    follow_selection(ui, model, selection_top - ImGui::GetStyle().WindowPadding.y, references_top,
                     references_end);
    ui->hint_right = 0;
    draw_scroll_mark(ui);
    place(ui, "panels", at,
          ImVec2(at.x + ImGui::GetWindowSize().x, rest + ImGui::GetWindowSize().y));
    float end = rest + ImGui::GetWindowSize().y;
    ImGui::End();
    if (!folded) draw_edge(ui, settings, at.x, top, end);
}
