#include "app/query/store.h"

#include "engine/base/memory.h"

static void destroy(mc_query_store *store, mc_query_kept *kept) {
    store->source->memory -= kept->size;
    mc_query_rows_deinit(&kept->rows);
    mc_free(kept);
}

static mc_query_kept *find(const mc_query_store *store, const mc_query_table *table,
                           const mc_query_part *part, uint64_t wanted) {
    for (size_t i = 0; i < store->count; i++) {
        mc_query_kept *kept = store->items[i].kept;
        if (kept->table == table && kept->part.step == part->step &&
            kept->part.metric == part->metric && kept->part.is_weighted == part->is_weighted &&
            (kept->rows.wanted & wanted) == wanted)
            return kept;
    }
    return NULL;
}

static bool is_spare(const mc_query_kept *kept, bool has_dumps) {
    return kept->use_count == 0 && (has_dumps || kept->table->parts != MC_QUERY_BY_DUMP);
}

// Forgets what nobody reads, the longest unused first, until half of the memory is free.
static void make_room(mc_query_store *store, bool has_dumps) {
    while (store->source->memory > store->source->memory_limit / 2) {
        size_t oldest = SIZE_MAX;
        for (size_t i = 0; i < store->count; i++)
            if (is_spare(store->items[i].kept, has_dumps) &&
                (oldest == SIZE_MAX ||
                 store->items[i].kept->used < store->items[oldest].kept->used))
                oldest = i;
        if (oldest == SIZE_MAX) return;
        destroy(store, store->items[oldest].kept);
        store->items[oldest] = store->items[--store->count];
    }
}

static void count_memory(mc_query_store *store, mc_query_kept *kept) {
    size_t size = mc_query_rows_memory_size(&kept->rows);
    store->source->memory += size - kept->size;
    kept->size = size;
}

static mc_result fill(mc_query_store *store, mc_query_kept *kept, mc_error *error) {
    mc_query_source *source = store->source;
    mc_result result = kept->table->fill(source, &kept->part, &kept->rows, error);
    if (result != MC_OK) return result;
    count_memory(store, kept);
    if (source->memory > source->memory_limit)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "the query takes more memory than is allowed (--memory)");
    return MC_OK;
}

mc_result mc_query_store_take(mc_query_store *store, const mc_query_table *table,
                              const mc_query_part *part, uint64_t wanted, mc_query_kept **kept,
                              mc_error *error) {
    bool is_kept = part->node == MC_NONE;
    for (uint32_t i = 0; i < table->column_count; i++)
        if ((wanted >> i & 1) && !mc_query_column_is_stored(&table->columns[i]))
            wanted |= UINT64_C(1) << table->columns[i].of;
    *kept = is_kept ? find(store, table, part, wanted) : NULL;
    if (!*kept) {
        make_room(store, false);
        *kept = mc_alloc_zero(1, sizeof **kept);
        if (!*kept || (is_kept && !mc_reserve(&store->items, &store->capacity, store->count + 1,
                                              sizeof *store->items))) {
            mc_free(*kept);
            *kept = NULL;
            return mc_error_out_of_memory(error);
        }
        (*kept)->table = table;
        (*kept)->part = *part;
        mc_query_rows_init(&(*kept)->rows, table->columns, table->column_count, wanted);
        mc_result result = fill(store, *kept, error);
        if (result != MC_OK) {
            destroy(store, *kept);
            *kept = NULL;
            return result;
        }
        if (is_kept) store->items[store->count++].kept = *kept;
    }
    (*kept)->use_count++;
    (*kept)->used = ++store->clock;
    return MC_OK;
}

void mc_query_store_release(mc_query_store *store, mc_query_kept *kept) {
    if (!kept) return;
    kept->use_count--;
    if (kept->part.node != MC_NONE)
        destroy(store, kept);
    else
        count_memory(store, kept);
}

void mc_query_store_tidy(mc_query_store *store) {
    make_room(store, true);
}

void mc_query_store_deinit(mc_query_store *store) {
    for (size_t i = 0; i < store->count; i++)
        destroy(store, store->items[i].kept);
    mc_free(store->items);
    store->items = NULL;
    store->count = store->capacity = 0;
}
