#include "engine/import/stacks/film.h"

#include "engine/base/memory.h"
#include <string.h>

#define SNAPSHOTS_A_MOMENT 2 // at most, and two more
#define INTERVAL_MS 10       // at first
#define AHEAD 8              // kinds that are fetched into the cache

void mc_film_init(mc_film *film, uint32_t moment_count) {
    *film = (mc_film){.moment_count = moment_count};
    mc_film_restart(film);
}

static void free_snapshots(mc_film *film) {
    for (size_t i = 0; i < film->snapshot_count; i++)
        mc_free(film->snapshots[i].changes);
    film->snapshot_count = 0;
}

void mc_film_deinit(mc_film *film) {
    free_snapshots(film);
    mc_free(film->snapshots);
    mc_free(film->kinds);
    mc_free(film->changed_kinds);
    mc_free(film->shown);
    mc_free(film->packed);
    mc_free(film->at_peak);
    mc_free(film->replayed);
    mc_free(film->peak_kinds);
    memset(film, 0, sizeof *film);
}

void mc_film_restart(mc_film *film) {
    free_snapshots(film);
    for (size_t i = 0; i < film->kind_count; i++)
        film->kinds[i] = (mc_film_kind){.changed = 0};
    if (film->kind_count > 0) memset(film->shown, 0, film->kind_count * sizeof *film->shown);
    film->changed_count = film->at_peak_count = 0;
    film->snapshot_number = film->peak_number = 1;
    film->interval_ms = INTERVAL_MS;
    film->next_ms = film->time_ms + INTERVAL_MS;
    film->resident_bytes = film->peak_resident = MC_FILM_UNKNOWN;
    film->bytes = film->peak_bytes = film->most_bytes = film->alloc_bytes = 0;
    film->peak_ms = film->time_ms;
    film->last_kind = MC_NONE;
}

uint32_t mc_film_add_kind(mc_film *film) {
    size_t count = film->kind_count + 1;
    if (count >= MC_NONE ||
        !mc_reserve(&film->kinds, &film->kind_capacity, count, sizeof *film->kinds) ||
        !mc_reserve(&film->shown, &film->shown_capacity, count, sizeof *film->shown)) {
        film->has_failed = true;
        return MC_NONE;
    }
    film->shown[film->kind_count] = (mc_film_counts){.objects = 0};
    film->kinds[film->kind_count] = (mc_film_kind){.changed = 0};
    return (uint32_t)film->kind_count++;
}

// ---- events

static void note_change(mc_film *film, uint32_t kind) {
    if (!mc_reserve(&film->changed_kinds, &film->changed_capacity, film->changed_count + 1,
                    sizeof *film->changed_kinds)) {
        film->has_failed = true;
        return;
    }
    film->kinds[kind].changed = film->snapshot_number;
    film->changed_kinds[film->changed_count++] = kind;
}

// Before its first change since the peak.
static void note_peak(mc_film *film, uint32_t kind) {
    if (!mc_reserve(&film->at_peak, &film->at_peak_capacity, film->at_peak_count + 1,
                    sizeof *film->at_peak)) {
        film->has_failed = true;
        return;
    }
    film->kinds[kind].noted = film->peak_number;
    film->at_peak[film->at_peak_count++] = (mc_film_change){kind, film->kinds[kind].now};
}

static inline void allocate(mc_film *film, uint32_t kind, uint64_t objects, uint64_t size) {
    mc_film_kind *k = &film->kinds[kind];
    film->is_too_much |= size > INT64_MAX - film->alloc_bytes;
    if (film->has_failed || film->is_too_much) return;
    film->alloc_bytes += size;
    film->bytes += size;
    if (k->changed != film->snapshot_number) note_change(film, kind);
    if (film->bytes <= film->peak_bytes && k->noted != film->peak_number) note_peak(film, kind);
    k->now.objects += objects;
    k->now.bytes += size;
    k->now.alloc_objects += objects;
    k->now.alloc_bytes += size;
    film->last_kind = kind;
    if (film->bytes > film->most_bytes) film->most_bytes = film->bytes;
    if (film->bytes <= film->peak_bytes) return;
    film->peak_bytes = film->bytes;
    film->peak_ms = film->time_ms;
    film->peak_resident = film->resident_bytes;
    if (film->at_peak_count == 0) return;
    film->at_peak_count = 0;
    film->peak_number++;
}

static inline void free_objects(mc_film *film, uint32_t kind, uint64_t objects, uint64_t size) {
    mc_film_kind *k = &film->kinds[kind];
    // More is freed than there is: what it was is not known.
    if (film->has_failed || k->now.objects < objects || k->now.bytes < size) return;
    if (k->changed != film->snapshot_number) note_change(film, kind);
    if (k->noted != film->peak_number) note_peak(film, kind);
    k->now.objects -= objects;
    k->now.bytes -= size;
    film->bytes -= size;
    if (film->last_kind == kind) k->now.temporary += objects;
    film->last_kind = MC_NONE;
}

void mc_film_allocate(mc_film *film, uint32_t kind, uint64_t size) {
    allocate(film, kind, 1, size);
}
void mc_film_free(mc_film *film, uint32_t kind, uint64_t size) {
    free_objects(film, kind, 1, size);
}
void mc_film_allocate_sample(mc_film *film, uint32_t kind, uint64_t objects, uint64_t bytes) {
    allocate(film, kind, objects, bytes);
}
void mc_film_free_sample(mc_film *film, uint32_t kind, uint64_t objects, uint64_t bytes) {
    free_objects(film, kind, objects, bytes);
}

// ---- changes

#define WORDS 6 // of a change: the kind, and each of the counts
#define CHANGE_MOST (WORDS * 10)

typedef struct change {
    uint32_t kind;
    uint64_t counts[WORDS - 1]; // added to what was; modulo 2^64
} change;

static uint8_t *put_number(uint8_t *at, uint64_t number) {
    for (; number >= 128; number >>= 7)
        *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

static const uint8_t *take_number(const uint8_t *at, uint64_t *number) {
    *number = 0;
    for (uint32_t shift = 0;; shift += 7) {
        *number |= (uint64_t)(*at & 127) << shift;
        if (*at++ < 128) return at;
    }
}

// Small whichever its sign is.
static uint64_t fold(uint64_t number) {
    return number << 1 ^ (0 - (number >> 63));
}
static uint64_t unfold(uint64_t number) {
    return number >> 1 ^ (0 - (number & 1));
}

static uint8_t *put_change(uint8_t *at, const change *c) {
    at = put_number(at, c->kind);
    for (int i = 0; i < WORDS - 1; i++)
        at = put_number(at, fold(c->counts[i]));
    return at;
}

static const uint8_t *take_change(const uint8_t *at, change *c) {
    uint64_t number;
    at = take_number(at, &number);
    c->kind = (uint32_t)number;
    for (int i = 0; i < WORDS - 1; i++) {
        at = take_number(at, &number);
        c->counts[i] = unfold(number);
    }
    return at;
}

static change get_change(uint32_t kind, const mc_film_counts *from, const mc_film_counts *to) {
    return (change){kind,
                    {to->objects - from->objects, to->bytes - from->bytes,
                     to->alloc_objects - from->alloc_objects, to->alloc_bytes - from->alloc_bytes,
                     to->temporary - from->temporary}};
}

static void apply_change(mc_film_counts *counts, const change *c) {
    counts->objects += c->counts[0];
    counts->bytes += c->counts[1];
    counts->alloc_objects += c->counts[2];
    counts->alloc_bytes += c->counts[3];
    counts->temporary += c->counts[4];
}

// ---- snapshots

static bool take_snapshot(mc_film *film) {
    mc_film_snapshot taken = {.time_ms = film->time_ms,
                              .resident_bytes = film->resident_bytes,
                              .most_bytes = film->most_bytes,
                              .bytes = film->bytes,
                              .peak_number = film->at_peak_count == 0 ? film->peak_number : 0};
    if (!mc_reserve(&film->snapshots, &film->snapshot_capacity, film->snapshot_count + 1,
                    sizeof *film->snapshots) ||
        !mc_reserve(&film->packed, &film->packed_capacity, (film->changed_count + 1) * CHANGE_MOST,
                    1))
        return false;
    uint8_t *end = film->packed;
    for (size_t i = 0; i < film->changed_count; i++) {
        uint32_t kind = film->changed_kinds[i];
        if (i + AHEAD < film->changed_count) {
            const uint32_t soon = film->changed_kinds[i + AHEAD];
            mc_film_prefetch(film, soon);
            __builtin_prefetch(&film->shown[soon], 1);
            __builtin_prefetch((const char *)&film->shown[soon + 1] - 1, 1);
        }
        change c = get_change(kind, &film->shown[kind], &film->kinds[kind].now);
        film->shown[kind] = film->kinds[kind].now;
        end = put_change(end, &c);
    }
    taken.size = (size_t)(end - film->packed);
    taken.changes = mc_alloc(taken.size + 1, 1);
    if (!taken.changes) return false;
    memcpy(taken.changes, film->packed, taken.size);
    film->snapshots[film->snapshot_count++] = taken;
    film->changed_count = 0;
    film->snapshot_number++;
    film->most_bytes = film->bytes;
    return true;
}

// What two snapshots have changed together.
typedef struct sums {
    uint32_t *places; // by kind: in `items`, and one; 0: not there
    change *items;
    size_t count, capacity;
} sums;

static bool add_changes(sums *s, const mc_film_snapshot *snapshot) {
    const uint8_t *at = snapshot->changes, *end = at + snapshot->size;
    for (change c; at < end;) {
        at = take_change(at, &c);
        uint32_t *place = &s->places[c.kind];
        if (*place == 0) {
            if (!mc_reserve(&s->items, &s->capacity, s->count + 1, sizeof c)) return false;
            s->items[s->count++] = c;
            *place = (uint32_t)s->count;
            continue;
        }
        for (int i = 0; i < WORDS - 1; i++)
            s->items[*place - 1].counts[i] += c.counts[i];
    }
    return true;
}

// Into the one behind it.
static bool merge(mc_film *film, sums *s, mc_film_snapshot *from, mc_film_snapshot *into) {
    s->count = 0;
    bool fits = add_changes(s, from) && add_changes(s, into) &&
                mc_reserve(&film->packed, &film->packed_capacity, (s->count + 1) * CHANGE_MOST, 1);
    uint8_t *end = film->packed;
    for (size_t i = 0; i < s->count; i++) {
        s->places[s->items[i].kind] = 0;
        if (fits) end = put_change(end, &s->items[i]);
    }
    uint8_t *changes = fits ? mc_alloc((size_t)(end - film->packed) + 1, 1) : NULL;
    if (!changes) return false;
    mc_free(from->changes);
    mc_free(into->changes);
    from->changes = NULL;
    into->changes = changes;
    into->size = (size_t)(end - film->packed);
    memcpy(changes, film->packed, into->size);
    if (from->most_bytes > into->most_bytes) into->most_bytes = from->most_bytes;
    return true;
}

// Keeps those that `is_kept` says; the last one is always.
static bool thin_out(mc_film *film, bool (*is_kept)(const mc_film *film, size_t index)) {
    sums s = {.places = mc_alloc_zero(film->kind_count + 1, sizeof *s.places)};
    size_t kept = 0, count = film->snapshot_count;
    bool fits = s.places != NULL;
    for (size_t i = 0; i < count && fits; i++) {
        if (i + 1 < count && !is_kept(film, i)) {
            fits = merge(film, &s, &film->snapshots[i], &film->snapshots[i + 1]);
            continue;
        }
        mc_film_snapshot moved = film->snapshots[i];
        film->snapshots[i].changes = NULL;
        film->snapshots[kept++] = moved;
    }
    if (fits) film->snapshot_count = kept;
    mc_free(s.places);
    mc_free(s.items);
    return fits;
}

static bool is_odd(const mc_film *film, size_t index) {
    (void)film;
    return index % 2 == 1;
}

void mc_film_set_time(mc_film *film, int64_t time_ms) {
    if (time_ms < film->time_ms || film->has_failed) return;
    film->time_ms = time_ms;
    if (time_ms < film->next_ms) return;
    film->has_failed |= !take_snapshot(film);
    film->next_ms = time_ms + film->interval_ms;
    if (film->snapshot_count <= (size_t)film->moment_count * SNAPSHOTS_A_MOMENT + 1) return;
    film->has_failed |= !thin_out(film, is_odd);
    film->interval_ms *= 2;
    film->next_ms = film->snapshots[film->snapshot_count - 1].time_ms + film->interval_ms;
}

// ---- afterwards

// The moments are those at which as many equal parts of the time have passed.
static bool is_moment(const mc_film *film, size_t index) {
    const mc_film_snapshot *last = &film->snapshots[film->snapshot_count - 1];
    double first = index > 0 ? (double)film->snapshots[index - 1].time_ms : 0;
    double part = (double)last->time_ms / film->moment_count;
    if (part <= 0) return false;
    return (int64_t)((double)film->snapshots[index].time_ms / part) > (int64_t)(first / part);
}

// As kinds were when the most was alive.
static bool copy_peak(mc_film *film) {
    film->peak_kinds = mc_alloc(film->kind_count + 1, sizeof *film->peak_kinds);
    if (!film->peak_kinds) return false;
    if (film->kind_count > 0)
        memcpy(film->peak_kinds, film->kinds, film->kind_count * sizeof *film->kinds);
    for (size_t i = 0; i < film->at_peak_count; i++)
        film->peak_kinds[film->at_peak[i].kind].now = film->at_peak[i].counts;
    return true;
}

static bool is_at_peak(const mc_film *film, const mc_film_snapshot *snapshot) {
    return film->peak_bytes > 0 && snapshot->peak_number == film->peak_number &&
           snapshot->bytes == film->peak_bytes;
}

mc_result mc_film_finish(mc_film *film, mc_error *error) {
    if (film->is_too_much)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "all allocations together are more than 2^63 - 1 bytes");
    const mc_film_snapshot *last =
        film->snapshot_count > 0 ? &film->snapshots[film->snapshot_count - 1] : NULL;
    bool has_rest = !last || film->changed_count > 0 || last->time_ms < film->time_ms;
    bool fits =
        !film->has_failed && (!has_rest || take_snapshot(film)) && thin_out(film, is_moment);
    bool is_step = film->peak_bytes > 0;
    for (size_t i = 0; i < film->snapshot_count && fits; i++)
        if (is_at_peak(film, &film->snapshots[i])) is_step = false;
    if (fits && is_step) fits = copy_peak(film);
    film->replayed = mc_alloc_zero(film->kind_count + 1, sizeof *film->replayed);
    film->last_ms = INT64_MIN;
    return fits && film->replayed ? MC_OK : mc_error_out_of_memory(error);
}

static int64_t get_step_time(mc_film *film, int64_t time_ms) {
    if (film->last_ms != INT64_MIN && time_ms <= film->last_ms) time_ms = film->last_ms + 1;
    film->last_ms = time_ms;
    return time_ms;
}

// The peak comes behind the snapshots of its time or before, but not behind the end.
static bool is_peak_next(const mc_film *film) {
    const mc_film_snapshot *next = &film->snapshots[film->next_snapshot];
    return film->peak_kinds && !film->is_peak_passed &&
           (next->time_ms > film->peak_ms || film->next_snapshot + 1 == film->snapshot_count);
}

bool mc_film_next_step(mc_film *film, mc_film_step *step) {
    if (film->next_snapshot == film->snapshot_count) return false;
    if (is_peak_next(film)) {
        film->is_peak_passed = true;
        *step = (mc_film_step){.time_ms = get_step_time(film, film->peak_ms),
                               .is_peak = true,
                               .resident_bytes = film->peak_resident,
                               .most_bytes = film->peak_bytes,
                               .kinds = film->peak_kinds};
        return true;
    }
    const mc_film_snapshot *next = &film->snapshots[film->next_snapshot++];
    const uint8_t *at = next->changes, *end = at + next->size;
    for (change c; at < end;) {
        at = take_change(at, &c);
        apply_change(&film->replayed[c.kind].now, &c);
    }
    *step = (mc_film_step){.time_ms = get_step_time(film, next->time_ms),
                           .is_peak = is_at_peak(film, next),
                           .is_last = film->next_snapshot == film->snapshot_count,
                           .resident_bytes = next->resident_bytes,
                           .most_bytes = next->most_bytes,
                           .kinds = film->replayed};
    return true;
}
