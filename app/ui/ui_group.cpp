// By what leaves are grouped: classifiers to be switched on and off, and moved outwards.
#include "app/ui/ui_internal.h"

#include <cstring>
#include <string>
#include <utility>

namespace {

// Those that are chosen come first; `flipped` changes sides, `raised` goes before the one above it.
std::string make_list(const mc_facts *model, uint32_t flipped, uint32_t raised) {
    uint32_t order[MC_FACT_CLASSIFIER_MOST], count = 0;
    for (uint32_t i = 0; i < model->classifier_count; i++) {
        if (model->classifiers[i].is_chosen != (i == flipped)) order[count++] = i;
    }
    for (uint32_t i = 1; i < count; i++) {
        if (order[i] == raised) std::swap(order[i - 1], order[i]);
    }
    std::string list;
    for (uint32_t i = 0; i < count; i++) {
        list += (i > 0 ? "," : "") + std::string(model->classifiers[order[i]].name);
    }
    return list;
}

void put(mc_settings *settings, const std::string &list) {
    if (list.empty() || list.size() >= sizeof settings->group_by) return; // the last one stays
    std::memset(settings->group_by, 0, sizeof settings->group_by);
    std::memcpy(settings->group_by, list.data(), list.size());
}

} // namespace

void ui::draw_grouping(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    if (model->classifier_count == 0) return;
    ui::muted_text(ui, "Group by, outermost first");
    float left = ImGui::GetCursorPosX(), mark = ui->px(28);
    for (uint32_t i = 0; i < model->classifier_count; i++) {
        const mc_fact_classifier *classifier = &model->classifiers[i];
        bool is_on = classifier->is_chosen;
        ImGui::PushID(static_cast<int>(i));
        if (is_on && i > 0) {
            if (ui::icon_button(ui, "out", ui::icon::up, "Outwards  (Alt+B: the next order)")) {
                put(settings, make_list(model, MC_NONE, i));
            }
            if (i == 1) ui::place_item(ui, "group_out");
            ImGui::SameLine(0, 0);
        }
        ImGui::SetCursorPosX(left + mark);
        if (ui::toggle(ui, classifier->name, &is_on)) put(settings, make_list(model, i, MC_NONE));
        if (classifier->is_of_dumps) ui::hint(ui, "The heap dumps are read again for this");
        if (i == 0) ui::place_item(ui, "group_first");
        if (i == 1) ui::place_item(ui, "group_second");
        ImGui::PopID();
    }
    if (settings->group_by[0] &&
        ui::button(ui, "own", "As it was opened", ImGui::GetContentRegionAvail().x, "", true)) {
        std::memset(settings->group_by, 0, sizeof settings->group_by);
    }
    ui::line(ui);
}
