#include "engine/import/perfetto/perfetto_interned.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <string.h>

void mc_perfetto_interned_deinit(mc_perfetto_interned *interned) {
    mc_free(interned->items);
    mc_slots_deinit(&interned->slots);
    memset(interned, 0, sizeof *interned);
}

static uint32_t hash(uint32_t scope, mc_perfetto_table table, uint64_t iid) {
    return (uint32_t)mc_hash_u64(iid, (uint64_t)scope << 8 | table);
}

static uint32_t find(const mc_perfetto_interned *interned, uint32_t scope, mc_perfetto_table table,
                     uint64_t iid) {
    uint32_t h = hash(scope, table, iid);
    for (uint32_t at = h, found; (found = mc_slots_find(&interned->slots, h, &at)) != MC_NONE;) {
        const mc_perfetto_message *item = &interned->items[found];
        if (item->iid == iid && item->scope == scope && item->table == table) return found;
    }
    return MC_NONE;
}

bool mc_perfetto_interned_add(mc_perfetto_interned *interned, uint32_t scope,
                              mc_perfetto_table table, const mc_proto_field *field,
                              const unsigned char **wrong) {
    mc_perfetto_message item = {.scope = scope, .table = table, .frame = MC_NONE};
    *wrong = field->wire == MC_PROTO_BYTES ? NULL : field->begin;
    if (*wrong) return true;
    item.body = mc_proto_begin(field->bytes, field->end);
    mc_proto body = item.body;
    mc_proto_field part;
    while (mc_proto_next(&body, &part))
        if (part.number == 1 && part.wire == MC_PROTO_VARINT) item.iid = part.value;
    *wrong = body.bad;
    if (*wrong || find(interned, scope, table, item.iid) != MC_NONE) return true;
    if (interned->count >= MC_NONE / 4 ||
        !mc_reserve(&interned->items, &interned->capacity, interned->count + 1, sizeof item) ||
        !mc_slots_add(&interned->slots, hash(scope, table, item.iid), (uint32_t)interned->count))
        return false;
    interned->items[interned->count++] = item;
    return true;
}

mc_perfetto_message *mc_perfetto_interned_find(const mc_perfetto_interned *interned, uint32_t scope,
                                               mc_perfetto_table table, uint64_t iid) {
    uint32_t found = find(interned, scope, table, iid);
    return found == MC_NONE ? NULL : &interned->items[found];
}
