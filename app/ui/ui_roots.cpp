#include "app/ui/ui_internal.h"

void ui::draw_roots(mc_ui *ui, const mc_facts *model) {
    const mc_fact_roots *roots = &model->lists.roots;
    if (roots->title) {
        float width = ImGui::GetContentRegionAvail().x;
        if (button(ui, "roots_back", "Back", width, "From what this root holds  (Esc)", true))
            act(ui, MC_ACTION_ALL_ROOTS);
        wrapped_text(roots->title);
    }
    if (roots->note) muted_text(ui, roots->note, true);
    if (roots->list.count == 0) return;
    list_style style = {22, {48, 56, 0, 0}, 8, 0, false, {"root", "root_2", nullptr}};
    if (roots->has_details) style.row_height = 40;
    uint32_t clicked = list(ui, "roots", &roots->list, &style, nullptr);
    if (clicked != MC_NONE) act(ui, MC_ACTION_SHOW_ROOT, clicked);
}
