#include "engine/import/formats.h"

#include "engine/base/ascii.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/collapsed/collapsed_import.h"
#include "engine/import/dhat/dhat_import.h"
#include "engine/import/gcdump/gcdump_import.h"
#include "engine/import/godump/go_import.h"
#include "engine/import/graph/graph_import.h"
#include "engine/import/heaptext/heap_text_import.h"
#include "engine/import/heaptrack/heaptrack_import.h"
#include "engine/import/histogram/histogram_import.h"
#include "engine/import/hprof/hprof_import.h"
#include "engine/import/jfr/jfr_import.h"
#include "engine/import/json/json_import.h"
#include "engine/import/massif/massif_import.h"
#include "engine/import/memray/memray_import.h"
#include "engine/import/perfetto/perfetto_import.h"
#include "engine/import/pprof/pprof_import.h"
#include "engine/import/rows/rows_import.h"
#include "engine/import/ruby/ruby_import.h"
#include "engine/import/smaps/smaps_import.h"
#include "engine/import/tracemalloc/tracemalloc_import.h"
#include "engine/import/v8/v8_import.h"
#include "engine/import/v8profile/v8_profile_import.h"
#include <string.h>

#define PREFIX_SIZE ((size_t)64 << 10)      // of what comes out of a packed file
#define SHORT_PREFIX_SIZE ((size_t)4 << 10) // the same, where that is enough

// What is more particular comes first: DHAT's and V8's profiles are JSON, too, and a class
// histogram may stand behind a memory map.
const mc_format *const mc_formats[MC_FORMAT_COUNT] = {
    &mc_hprof_format,     &mc_graph_format,      &mc_v8_format,        &mc_ruby_format,
    &mc_dhat_format,      &mc_v8_profile_format, &mc_json_format,      &mc_smaps_format,
    &mc_histogram_format, &mc_rows_format,       &mc_collapsed_format, &mc_pprof_format,
    &mc_heaptrack_format, &mc_massif_format,     &mc_heap_text_format, &mc_tracemalloc_format,
    &mc_jfr_format,       &mc_memray_format,     &mc_go_format,        &mc_gcdump_format,
    &mc_heapgraph_format, &mc_perfetto_format};

static const mc_format *detect(const unsigned char *data, size_t size, bool *is_unclear) {
    for (size_t i = 0; i < MC_FORMAT_COUNT; i++) {
        mc_format_match match = mc_formats[i]->detect(data, size);
        if (match == MC_FORMAT_MATCHES) return mc_formats[i];
        *is_unclear |= match == MC_FORMAT_UNCLEAR;
    }
    return NULL;
}

const mc_format *mc_formats_detect(const mc_file_map *mapping, bool *is_unclear) {
    unsigned char prefix[PREFIX_SIZE];
    *is_unclear = mapping->size == 0;
    if (mapping->size == 0) return NULL;
    if (mc_inflate_detect(mapping->data, mapping->size) == MC_COMPRESSION_NONE)
        return detect(mapping->data, mapping->size, is_unclear);
    size_t size = mc_inflate_prefix(mapping->data, mapping->size, prefix, SHORT_PREFIX_SIZE);
    for (size_t i = 0; i < MC_FORMAT_COUNT; i++)
        if (mc_formats[i]->is_told_early &&
            mc_formats[i]->detect(prefix, size) == MC_FORMAT_MATCHES)
            return mc_formats[i];
    size = mc_inflate_prefix(mapping->data, mapping->size, prefix, sizeof prefix);
    return detect(prefix, size, is_unclear);
}

static bool ends_with(const char *name, size_t size, const char *end) {
    size_t length = strlen(end);
    return size > length && memcmp(name + size - length, end, length) == 0;
}

static const mc_format *find_by_name(const char *name, size_t size) {
    for (size_t i = 0; i < MC_FORMAT_COUNT; i++)
        for (const char *const *at = mc_formats[i]->extensions; *at; at++)
            if (ends_with(name, size, *at)) return mc_formats[i];
    return NULL;
}

// Without the number of a process behind it: "massif.out.4711".
static size_t drop_number(const char *name, size_t size) {
    size_t end = size;
    while (end > 0 && mc_is_digit(name[end - 1]))
        end--;
    return end < size && end > 1 && name[end - 1] == '.' ? end - 1 : size;
}

// Some formats are always packed: "heaptrack.shop.4711.zst".
const mc_format *mc_formats_find_by_name(const char *name) {
    size_t size = strlen(name), plain = size;
    if (ends_with(name, size, ".gz"))
        plain -= 3;
    else if (ends_with(name, size, ".zst"))
        plain -= 4;
    const mc_format *found = find_by_name(name, drop_number(name, plain));
    return found || plain == size ? found : find_by_name(name, size);
}
