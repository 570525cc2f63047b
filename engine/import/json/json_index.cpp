#include "engine/import/json/json_index.h"

#include <charconv>
#include <cmath>
#include <memory>
#include <new>
#include <simdjson.h>
extern "C" {
#include "engine/base/memory.h"
}

namespace {
// Pieces are much smaller than this but for a string or white space of such a size.
constexpr size_t largest_piece = 0xf0000000u;
constexpr uint32_t no_tokens[1] = {0};
} // namespace

struct mc_json_index {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> stage;
};

mc_json_index *mc_json_index_create(void) {
    void *memory = mc_alloc(1, sizeof(mc_json_index));
    return memory ? new (memory) mc_json_index : nullptr;
}

void mc_json_index_destroy(mc_json_index *index) {
    if (!index) return;
    index->~mc_json_index();
    mc_free(index);
}

static bool reserve(mc_json_index *index, size_t size) noexcept {
    if (index->stage && index->stage->capacity() >= size) return true;
    // Pieces differ a little in size.
    const size_t step = 1u << 16;
    size = (size + step - 1) / step * step;
    // The depth only matters to simdjson's second stage, which is not used.
    index->stage.reset();
    try {
        return simdjson::get_active_implementation()->create_dom_parser_implementation(
                   size, 1, index->stage) == simdjson::SUCCESS;
    } catch (...) {
        return false;
    }
}

mc_json_index_result mc_json_index_find(mc_json_index *index, const unsigned char *data,
                                        size_t size, const uint32_t **tokens, uint32_t *count) {
    *tokens = no_tokens;
    *count = 0;
    if (size == 0) return MC_JSON_INDEX_OK;
    if (size > largest_piece) return MC_JSON_INDEX_TOO_LARGE;
    if (!reserve(index, size)) {
        index->stage.reset();
        return MC_JSON_INDEX_OUT_OF_MEMORY;
    }
    switch (index->stage->stage1(data, size, simdjson::stage1_mode::regular)) {
    case simdjson::SUCCESS: break;
    case simdjson::EMPTY: return MC_JSON_INDEX_OK; // nothing but white space
    default: return MC_JSON_INDEX_INVALID;
    }
    *tokens = index->stage->structural_indexes.get();
    *count = index->stage->n_structural_indexes;
    return MC_JSON_INDEX_OK;
}

bool mc_json_read_real(const char *begin, const char *end, double *value) {
    *value = 0;
    const std::from_chars_result result = std::from_chars(begin, end, *value);
    return result.ec == std::errc() && result.ptr == end && std::isfinite(*value);
}
