#include "app/window/program_list.h"

static bool is_same(const mc_program *a, const mc_program *b) {
    return a->pid == b->pid && a->start_ticks == b->start_ticks;
}

static const mc_program *find(const mc_program *programs, uint32_t count,
                              const mc_program *program) {
    for (uint32_t i = 0; i < count; i++)
        if (is_same(&programs[i], program)) return &programs[i];
    return NULL;
}

static bool is_listed(const mc_program_list *list, const mc_program *program) {
    for (uint32_t i = 0; i < list->count; i++)
        if (is_same(&list->rows[i].program, program)) return true;
    return false;
}

// The rows below move up, so they change, too.
static void remove_ended(mc_program_list *list, uint64_t now_ns) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->rows[i].has_ended) continue;
        if (kept < i) {
            list->rows[kept] = list->rows[i];
            list->rows[kept].changed_ns = now_ns;
        }
        kept++;
    }
    list->count = kept;
}

bool mc_program_list_update(mc_program_list *list, const mc_program *programs, uint32_t count,
                            uint64_t now_ns, bool is_pointed) {
    bool has_changed = false;
    for (uint32_t i = 0; i < list->count; i++) {
        mc_program_row *row = &list->rows[i];
        const mc_program *now = find(programs, count, &row->program);
        if (now) {
            row->program = *now;
        } else if (!row->has_ended) {
            row->has_ended = has_changed = true;
            row->changed_ns = now_ns;
        }
    }
    uint32_t before = list->count;
    if (!is_pointed) remove_ended(list, now_ns);
    has_changed |= list->count != before;
    for (uint32_t i = 0; i < count && list->count < MC_PROGRAM_LIST_MOST; i++) {
        if (is_listed(list, &programs[i])) continue;
        list->rows[list->count++] = (mc_program_row){.program = programs[i], .changed_ns = now_ns};
        has_changed = true;
    }
    return has_changed;
}

bool mc_program_list_can_take(const mc_program_list *list, uint32_t row, uint64_t now_ns) {
    if (row >= list->count || list->rows[row].has_ended) return false;
    return now_ns - list->rows[row].changed_ns >= MC_PROGRAM_LIST_CALM_NS;
}
