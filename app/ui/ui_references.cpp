#include "app/ui/ui_internal.h"

#include <cstdio>

namespace {

const char *const column_names[] = {"Partner", "Here", "There", "Share", ""};
const uint32_t limits[] = {1, 3, 5, 10, 20, 50, 100, 0};
const char *const limit_names[] = {"1", "3", "5", "10", "20", "50", "100", "All"};
constexpr uint32_t limit_count = sizeof limits / sizeof *limits;

void draw_filter(mc_ui *ui, mc_settings *settings) {
    float width = ImGui::GetContentRegionAvail().x, list = ui->px(64), gap = ui->px(8);
    static const char *const names[] = {"Both", "In", "Out"};
    uint32_t which = settings->look.show_incoming && settings->look.show_outgoing ? 0
                     : settings->look.show_incoming                               ? 1
                     : settings->look.show_outgoing                               ? 2
                                                                                  : 3;
    if (ui::segmented(ui, "direction", names, 3, width - list - gap, &which)) {
        settings->look.show_incoming = which != 2;
        settings->look.show_outgoing = which != 1;
    }
    ImGui::SameLine(0, gap);
    uint32_t limit = 0;
    while (limit < limit_count && limits[limit] != settings->look.most_references) {
        limit++;
    }
    char other[32];
    snprintf(other, sizeof other, "%u", static_cast<unsigned>(settings->look.most_references));
    if (ui::drop_down(ui, "most", list, limit < limit_count ? limit_names[limit] : other,
                      limit_names, limit_count, &limit)) {
        settings->look.most_references = limits[limit];
    }
    ui::hint(ui, "How many of the strongest are shown  (; and ')");
}

// How the roots hold it: what a branch holds is behind what leads to it.
void draw_held(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    const mc_fact_retaining_paths *held = &model->lists.held;
    const ui::list_style style = {20, {58, 28, 0, 0}, 8, 0, true, {"held", "held_2", nullptr}};
    ui->answer->lit_path_row = MC_NONE;
    if (!held->is_known || (held->list.count == 0 && !held->note)) return;
    ui::muted_text(ui, held->note ? held->note : "How the GC roots hold it, and what is retained",
                   true);
    if (held->list.count == 0) return;
    uint32_t clicked = ui::list(ui, "held", &held->list, &style, &ui->answer->lit_path_row);
    if (clicked != MC_NONE) ui::act(ui, MC_ACTION_SHOW_HELD, clicked);
    ui::toggle(ui, "Streets on the ground", &settings->look.streets);
    ui::hint(ui, "The strongest of these ways, in the city  (Alt+J; Alt+; and Alt+' for how many)");
}

} // namespace

void ui::draw_references(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    const mc_fact_references *references = &model->lists.references;
    ui->answer->lit_row = MC_NONE;
    if (references->can_filter) draw_filter(ui, settings);
    if (references->list.count > 0) {
        list_style style = {22, {44, 48, 50, 0}, 8, 0, true, {"partner", "partner_2", "partner_3"}};
        if (references->has_details) style.row_height = 38;
        list_header(ui, &style, column_names, &settings->sort_column, &settings->sort_ascending,
                    references->list.count > style.most_rows);
        uint32_t clicked = list(ui, "references", &references->list, &style, &ui->answer->lit_row);
        if (clicked != MC_NONE) act(ui, MC_ACTION_SHOW_PARTNER, clicked);
    }
    if (references->note) muted_text(ui, references->note, true);
    bool arcs = settings->look.arcs != 0;
    if (references->can_filter && toggle(ui, "Arcs over buildings", &arcs))
        settings->look.arcs = arcs;
    draw_held(ui, model, settings);
}
