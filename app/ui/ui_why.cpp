#include "app/ui/ui_internal.h"

// The facts of the finding that is open.
void ui::draw_why(mc_ui *ui, const mc_facts *model) {
    const mc_fact_why *why = &model->lists.why;
    ImGui::PushFont(ui->small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    for (uint32_t i = 0; i < why->fact_count; i++) {
        muted_text(ui, why->facts[i].label, false);
        wrapped_text(why->facts[i].text);
        ImGui::Dummy(ImVec2(0, ui->px(6)));
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
}
