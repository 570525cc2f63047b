#include "engine/import/bytes/protobuf.h"

#include <string.h>

#define FIELD_MOST ((UINT64_C(1) << 29) - 1)

static bool fail(mc_proto *proto, const unsigned char *at, const char *expected) {
    proto->bad = at;
    proto->expected = expected;
    proto->at = proto->end;
    return false;
}

bool mc_proto_read_long_varint(mc_proto *proto, uint64_t *value) {
    const unsigned char *begin = proto->at;
    *value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        if (proto->at == proto->end) return fail(proto, begin, "a number that ends");
        unsigned char byte = *proto->at++;
        *value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return fail(proto, begin, "a number of at most ten bytes");
}

static bool take_bytes(mc_proto *proto, mc_proto_field *field) {
    uint64_t size;
    if (!mc_proto_read_varint(proto, &size)) return false;
    if (size > (uint64_t)(proto->end - proto->at))
        return fail(proto, field->begin, "a field that ends within its message");
    field->bytes = proto->at;
    proto->at += size;
    field->end = proto->at;
    return true;
}

static bool take_fixed(mc_proto *proto, mc_proto_field *field, size_t size) {
    if ((size_t)(proto->end - proto->at) < size)
        return fail(proto, field->begin, "a number that ends");
    for (size_t i = 0; i < size; i++)
        field->value |= (uint64_t)proto->at[i] << (8 * i);
    proto->at += size;
    return true;
}

bool mc_proto_next_of_any(mc_proto *proto, mc_proto_field *field) {
    uint64_t tag;
    if (proto->at == proto->end) return false;
    *field = (mc_proto_field){.begin = proto->at};
    if (!mc_proto_read_varint(proto, &tag)) return false;
    if (tag >> 3 == 0 || tag >> 3 > FIELD_MOST)
        return fail(proto, field->begin, "the number of a field");
    field->number = (uint32_t)(tag >> 3);
    field->wire = (mc_proto_wire)(tag & 7);
    switch (field->wire) {
    case MC_PROTO_VARINT: return mc_proto_read_varint(proto, &field->value);
    case MC_PROTO_FIXED64: return take_fixed(proto, field, 8);
    case MC_PROTO_BYTES: return take_bytes(proto, field);
    case MC_PROTO_FIXED32: return take_fixed(proto, field, 4);
    default: return fail(proto, field->begin, "a field of a known kind");
    }
}
