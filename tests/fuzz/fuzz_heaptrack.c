// fuzz_heaptrack - whatever comes as a recording of heaptrack (fuzz_film.h). The first bytes of the
// recording itself may be missing in the input.
#include "engine/import/heaptrack/heaptrack.h"
#include "engine/import/heaptrack/heaptrack_import.h"
#include "tests/fuzz/fuzz_film.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size == 0) return 0;
    mc_heaptrack_detect(input, size);
    fuzz_film(&mc_heaptrack_film, "v 10400 3\n", input, size);
    return 0;
}
