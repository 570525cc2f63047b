#include "engine/import/hprof/hprof_root_records.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_scan.h"

void mc_hprof_root_records_deinit(mc_hprof_root_records *records) {
    mc_free(records->items);
    *records = (mc_hprof_root_records){.items = NULL};
}

bool mc_hprof_root_records_add(mc_hprof_root_records *records, const unsigned char *record,
                               uint32_t id_size, uint32_t target) {
    size_t size = 1 + (size_t)mc_hprof_measure_root(*record, id_size);
    if (!mc_reserve(&records->items, &records->capacity, records->count + 1,
                    sizeof *records->items))
        return false;
    mc_hprof_root_record *added = &records->items[records->count++];
    *added = (mc_hprof_root_record){.target = target};
    memcpy(added->record, record, size < sizeof added->record ? size : sizeof added->record);
    return true;
}

bool mc_hprof_root_records_merge(mc_hprof_root_records *records,
                                 const mc_hprof_root_records *other) {
    size_t count = records->count + other->count;
    if (!mc_reserve(&records->items, &records->capacity, count, sizeof *records->items))
        return false;
    if (other->count > 0)
        memcpy(records->items + records->count, other->items, other->count * sizeof *other->items);
    records->count = count;
    return true;
}
