#include "app/ui/ui_internal.h"

void ui::draw_why(mc_ui *ui, const mc_facts *model) {
    const mc_fact_why *why = &model->lists.why;
    if (why->note) muted_text(ui, why->note, true);
    if (why->sentence) wrapped_text(why->sentence);
    for (uint32_t i = 0; i < why->fact_count; i++) {
        ImGui::Dummy(ImVec2(0, ui->px(2)));
        muted_text(ui, why->facts[i].label, false);
        wrapped_text(why->facts[i].text);
    }
}
