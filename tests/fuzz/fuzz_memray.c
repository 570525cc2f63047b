// fuzz_memray - whatever comes as a recording of memray (fuzz_film.h), and as lines of Python's
// code.
#include "engine/import/memray/memray_import.h"
#include "engine/import/memray/memray_records.h"
#include "tests/fuzz/fuzz_film.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    static const uint32_t pythons[] = {0x03090000, 0x030a0000, 0x030b0000};
    if (size == 0) return 0;
    mc_span table = {(const char *)input, size};
    mc_memray_detect(input, size);
    (void)mc_memray_find_line(pythons[input[0] % 3], table, 1, (int64_t)size);
    fuzz_film(&mc_memray_film, "", input, size);
    return 0;
}
