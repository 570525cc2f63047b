// Which step of the one stands beside which of the other.
#include "engine/base/memory.h"
#include "engine/trace/versus/versus_store.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const mc_alignment_names[] = {"end", "step", "time", NULL};

static bool parse_pair(const char *text, uint32_t pair[MC_VERSUS_SIDES]) {
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        char *end = NULL;
        errno = 0;
        unsigned long step = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
        if (!end || *end != (side == MC_BEFORE ? ':' : '\0') || errno != 0 || step >= MC_NONE)
            return false;
        pair[side] = (uint32_t)step;
        text = end + 1;
    }
    return true;
}

bool mc_versus_alignment_parse(const char *text, mc_versus_alignment *alignment) {
    *alignment = (mc_versus_alignment){.kind = MC_ALIGN_PAIR};
    for (uint32_t i = 0; mc_alignment_names[i]; i++) {
        if (strcmp(text, mc_alignment_names[i]) != 0) continue;
        alignment->kind = (mc_alignment)i;
        return true;
    }
    return parse_pair(text, alignment->pair);
}

// The steps of a side that count; they are numbered from the first of them on.
typedef struct span {
    const mc_trace *trace;
    uint32_t first, count;
} span;

static span get_span(const mc_versus_desc *desc, mc_versus_side side) {
    const mc_trace *trace = desc->sides[side];
    const uint32_t *window = desc->window[side], *end = desc->end[side];
    uint32_t first = window ? window[0] : 0, last = window ? window[1] : trace->step_count - 1;
    assert(first <= last && last < trace->step_count);
    if (end) {
        assert(*end >= first && *end <= last);
        last = *end;
    }
    return (span){trace, first, last - first + 1};
}

// The last of the span's steps, and all that count behind it.
static span get_rest(const mc_versus_desc *desc, mc_versus_side side, const span *from) {
    const uint32_t *window = desc->window[side];
    uint32_t last = window ? window[1] : from->trace->step_count - 1;
    uint32_t first = from->first + from->count - 1;
    return (span){from->trace, first, last - first + 1};
}

static int64_t get_time(const span *from, uint32_t step) {
    return from->trace->steps[from->first + step].info.time_ms;
}

static int64_t get_since(const span *from, uint32_t step) {
    return get_time(from, step) - get_time(from, 0);
}

// The step whose time since the first is nearest; `at` is where to look from on.
static uint32_t find_nearest(const span *from, int64_t since_ms, uint32_t at) {
    while (at + 1 < from->count) {
        int64_t here = get_since(from, at), next = get_since(from, at + 1);
        if (next - since_ms >= since_ms - here) break;
        at++;
    }
    return at;
}

// Of a step of the trace: what each side has there, and when that is.
static void set_step(mc_trace *trace, mc_versus_store *store, const span spans[MC_VERSUS_SIDES],
                     uint32_t at, const uint32_t step[MC_VERSUS_SIDES], int64_t time_ms) {
    mc_step_info *info = &trace->steps[at].info;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        store->step[side][at] = spans[side].first + step[side];
    *info = store->sides[MC_AFTER]->steps[store->step[MC_AFTER][at]].info;
    if (store->strings_after && info->is_incomplete)
        info->missing = store->strings_after[info->missing];
    info->time_ms = time_ms < MC_TIME_MIN   ? MC_TIME_MIN
                    : time_ms > MC_TIME_MAX ? MC_TIME_MAX
                                            : time_ms;
}

// Steps are written from `at` on; `begin_ms` is when the spans begin.
typedef struct filler {
    mc_trace *trace;
    mc_versus_store *store;
    uint32_t at;
    int64_t begin_ms;
} filler;

static void add_step(filler *self, const span spans[MC_VERSUS_SIDES],
                     const uint32_t step[MC_VERSUS_SIDES], int64_t since_ms) {
    set_step(self->trace, self->store, spans, self->at++, step, self->begin_ms + since_ms);
}

// All times since the first step, of either side.
static void align_by_time(filler *self, const span spans[MC_VERSUS_SIDES]) {
    uint32_t next[MC_VERSUS_SIDES] = {0}, near[MC_VERSUS_SIDES] = {0};
    for (;;) {
        int64_t since_ms = INT64_MAX;
        for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
            if (next[side] < spans[side].count && get_since(&spans[side], next[side]) < since_ms)
                since_ms = get_since(&spans[side], next[side]);
        if (since_ms == INT64_MAX) return;
        for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
            const span *from = &spans[side];
            bool is_its = next[side] < from->count && get_since(from, next[side]) == since_ms;
            near[side] = is_its ? next[side]++ : find_nearest(from, since_ms, near[side]);
        }
        add_step(self, spans, near, since_ms);
    }
}

static uint32_t clamp(int64_t step, uint32_t count) {
    return step < 0 ? 0 : step >= count ? count - 1 : (uint32_t)step;
}

// The same distance all along: `ahead` is how much farther `before` is. Times are those of `after`,
// and go on as those of `before` where it has no more.
static void align_by_number(filler *self, const span spans[MC_VERSUS_SIDES], int64_t ahead) {
    const span *before = &spans[MC_BEFORE], *after = &spans[MC_AFTER];
    int64_t first = ahead > 0 ? -ahead : 0, last = (int64_t)before->count - 1 - ahead;
    if (last < (int64_t)after->count - 1) last = (int64_t)after->count - 1;
    for (int64_t i = first; i <= last; i++) {
        uint32_t step[MC_VERSUS_SIDES] = {clamp(i + ahead, before->count), clamp(i, after->count)};
        int64_t since_ms = get_since(after, step[MC_AFTER]);
        // What `before` went on by, or was earlier.
        if (i != step[MC_AFTER])
            since_ms += get_time(before, step[MC_BEFORE]) -
                        get_time(before, clamp(step[MC_AFTER] + ahead, before->count));
        add_step(self, spans, step, since_ms);
    }
}

// What is left out of either side comes behind both, so that they end beside each other.
static void align_rest(filler *self, const mc_versus_desc *desc,
                       const span spans[MC_VERSUS_SIDES]) {
    const span rest[] = {get_rest(desc, MC_BEFORE, &spans[MC_BEFORE]),
                         get_rest(desc, MC_AFTER, &spans[MC_AFTER])};
    if (rest[MC_BEFORE].count == 1 && rest[MC_AFTER].count == 1) return;
    self->begin_ms = self->trace->steps[--self->at].info.time_ms; // the spans' last, once more
    if (desc->alignment.kind == MC_ALIGN_TIME)
        align_by_time(self, rest);
    else
        align_by_number(self, rest, 0);
}

// Where a side goes on to a step of its own, with what was noted of it.
static mc_result copy_notes(mc_trace *trace, const mc_versus_store *store, mc_error *error) {
    static const char *const names[] = {[MC_BEFORE] = "A: ", [MC_AFTER] = "B: "};
    mc_text text = {0};
    bool is_fine = true;
    for (uint32_t at = 0; at < trace->step_count && is_fine; at++) {
        mc_text_clear(&text);
        for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
            const uint32_t *step = store->step[side];
            if (at > 0 && step[at] == step[at - 1]) continue;
            const char *note = mc_trace_get_note(store->sides[side], step[at]);
            if (!note) continue;
            mc_text_format(&text, "%s%s%s", text.size > 0 ? "; " : "", names[side], note);
        }
        is_fine = !text.failed && mc_trace_set_note(trace, at, text.data, text.size);
    }
    mc_text_deinit(&text);
    return is_fine ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_versus_align(const mc_versus_desc *desc, mc_trace *trace, mc_versus_store *store,
                          mc_error *error) {
    const span spans[] = {get_span(desc, MC_BEFORE), get_span(desc, MC_AFTER)};
    const span *before = &spans[MC_BEFORE], *after = &spans[MC_AFTER];
    const mc_versus_alignment *alignment = &desc->alignment;
    size_t most = (size_t)before->trace->step_count + after->trace->step_count;
    trace->steps = mc_alloc_zero(most, sizeof *trace->steps);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        store->step[side] = mc_alloc(most, sizeof *store->step[side]);
        const uint32_t *window = desc->window[side];
        store->is_windowed[side] =
            window && window[1] - window[0] + 1 < spans[side].trace->step_count;
    }
    if (!trace->steps || !store->step[MC_BEFORE] || !store->step[MC_AFTER])
        return mc_error_out_of_memory(error);
    int64_t ahead = 0;
    if (alignment->kind == MC_ALIGN_END) ahead = (int64_t)before->count - after->count;
    if (alignment->kind == MC_ALIGN_PAIR)
        ahead = (int64_t)clamp((int64_t)alignment->pair[MC_BEFORE] - before->first, before->count) -
                clamp((int64_t)alignment->pair[MC_AFTER] - after->first, after->count);
    filler self = {.trace = trace, .store = store, .begin_ms = get_time(after, 0)};
    if (alignment->kind == MC_ALIGN_TIME)
        align_by_time(&self, spans);
    else
        align_by_number(&self, spans, ahead);
    store->end_step = self.at - 1;
    align_rest(&self, desc, spans);
    trace->step_count = self.at;
    trace->has_references = after->trace->has_references;
    trace->has_referrers = after->trace->has_referrers;
    return copy_notes(trace, store, error);
}
