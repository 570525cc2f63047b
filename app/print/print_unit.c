#include "app/print/print_unit.h"

#include "app/unit_text.h"

static const char *const growth_names[] = {
    [MC_GROWTH_NONE] = "none", [MC_GROWTH_STOPPED] = "stopped", [MC_GROWTH_GOES_ON] = "goes-on"};

double mc_units_get_share(const mc_units *units, const mc_growth_unit *unit) {
    return units->bytes > 0 ? (double)unit->bytes / (double)units->bytes : 0;
}

// In one line, as the state is.
static void put_parts(mc_print *print, const mc_trace *trace, const mc_growth_unit *unit) {
    mc_print_begin_list(print, "parts");
    for (uint32_t i = 0; i < unit->part_count; i++) {
        const mc_unit_part *part = &unit->parts[i];
        mc_print_put(print, NULL,
                     MC_OBJECT({"key", mc_cell_key(trace, part->node)},
                               {"per_unit", mc_cell_decimal(part->per_unit, 4)},
                               {"objects", mc_cell_count((uint64_t)part->objects)},
                               {"bytes", mc_cell_number(part->bytes)},
                               {"share", mc_cell_share(part->share)},
                               {"shared", mc_cell_bool(part->is_shared)}));
    }
    mc_print_end_list(print);
}

static void put_formula(mc_print *print, const mc_trace *trace, const mc_growth_unit *unit) {
    mc_text formula = {0};
    mc_unit_append_formula(trace, unit, unit->part_count, &formula);
    print->out->failed |= formula.failed;
    mc_print_put(print, "formula", mc_cell_line(&formula));
    mc_text_deinit(&formula);
}

void mc_print_unit(mc_print *print, const char *key, const mc_trace *trace, mc_step_range window,
                   const mc_units *units, const mc_growth_unit *unit) {
    if (!unit) {
        mc_print_put(print, key, mc_cell_null());
        return;
    }
    const mc_growth *growth = &unit->trend.growth;
    uint32_t first = window.first_step;
    bool has_grown = growth->kind != MC_GROWTH_NONE;
    mc_print_begin_object(print, key);
    put_formula(print, trace, unit);
    MC_PRINT(print, {"count", mc_cell_count(unit->count)}, {"base", mc_cell_key(trace, unit->base)},
             {"bytes_each", mc_cell_number(mc_unit_get_bytes_each(unit))},
             {"bytes", mc_cell_number(unit->bytes)},
             {"share", mc_cell_share(mc_units_get_share(units, unit))},
             {"variation", mc_cell_decimal(unit->variation, 4)},
             {"sampled", mc_cell_bool(unit->is_sampled)},
             {"growth", mc_cell_text(growth_names[growth->kind])},
             {"since_step", mc_cell_index(has_grown ? first + growth->since : MC_NONE)},
             {"until_step", mc_cell_index(has_grown ? first + growth->until : MC_NONE)});
    put_parts(print, trace, unit);
    mc_print_end_object(print);
}
