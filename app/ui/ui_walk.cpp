#include "app/ui/ui_internal.h"

#include <cmath>

void ui::draw_walk(mc_ui *ui, const mc_facts *model) {
    const mc_fact_walk *walk = &model->lists.walk;
    if (walk->note) muted_text(ui, walk->note, true);
    if (!walk->can_walk) return;
    float width = ImGui::GetContentRegionAvail().x, gap = ui->px(8);
    float half = std::floor((width - gap) / 2);
    if (button(ui, "walk", walk->is_walking ? "Looking\xe2\x80\xa6" : "Top grower", half,
               "From what grew the most  (0)", true)) {
        act(ui, MC_ACTION_WALK);
    }
    ImGui::SameLine(0, gap);
    if (button(ui, "walk_selection", "Selection", half, "From the selection  (Alt+0)",
               walk->has_selection)) {
        act(ui, MC_ACTION_WALK_FROM);
    }
    if (walk->summary) {
        wrapped_text(walk->summary);
    }
    static const list_style style = {40, {80, 0, 0, 0}, 12, 0, false, {"stop", "stop_2", "stop_3"}};
    uint32_t clicked = list(ui, "stops", &walk->stops, &style, nullptr);
    if (clicked != MC_NONE) act(ui, MC_ACTION_SHOW_STOP, clicked);
}
