// make_heaptrack - writes a recording as heaptrack writes them, of any number of events, packed by
// zstd.
//
// usage: make_heaptrack EVENTS SITES FILE [SEED]
//
// A program of SITES call paths, 4 to 20 frames deep, that share their outer parts; three sizes at
// each on average. Four of five allocations are freed, most of them soon. A tick of the clock and
// the resident memory each 10,000 events, 10 ms.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static uint64_t state;

static uint32_t pick(uint32_t count) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(((state >> 32) * count) >> 32);
}

static FILE *out;
static ZSTD_CCtx *packer;
static char text[1 << 20], packed[1 << 21];
static size_t used;

static void flush(ZSTD_EndDirective end) {
    ZSTD_inBuffer input = {text, used, 0};
    for (size_t left = 1; left != 0 && (end == ZSTD_e_end || input.pos < input.size);) {
        ZSTD_outBuffer output = {packed, sizeof packed, 0};
        left = ZSTD_compressStream2(packer, &output, &input, end);
        if (ZSTD_isError(left)) exit(1);
        if (fwrite(packed, 1, output.pos, out) != output.pos) exit(1);
    }
    used = 0;
}

#define PUT(...)                                                                \
    do {                                                                        \
        used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__); \
        if (used > sizeof text - 4096) flush(ZSTD_e_continue);                  \
    } while (0)

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    uint64_t events = strtoull(argv[1], NULL, 10);
    uint32_t sites = (uint32_t)strtoul(argv[2], NULL, 10), kinds = 0, traces = 0,
             functions = sites / 4 + 16;
    state = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
    out = fopen(argv[3], "wb");
    packer = ZSTD_createCCtx();
    uint64_t *ring = calloc(1 << 16, sizeof *ring); // what is alive, and soon no more
    uint32_t *leaves = malloc(sites * sizeof *leaves),
             *outer = malloc(((size_t)sites * 8 + 1024) * sizeof *outer);
    if (!out || !packer || !ring || !leaves || !outer) return 1;
    PUT("v 10400 3\nX ./shop\nI 1000 5e2922\ns 9 /bin/shop\ns 6 shop.c\n");
    for (uint32_t i = 0; i < functions; i++) {
        char name[64];
        int size =
            snprintf(name, sizeof name, "acme::shop::part%" PRIu32 "::work(int, char const*)", i);
        PUT("s %x %s\n", size, name);
        PUT("i %x 1 %" PRIx32 " 2 %x\n", 0x400000 + i * 64, i + 3, i % 900 + 10);
    }
    for (uint32_t i = 0; i < 256; i++) { // main and what it calls
        PUT("t %" PRIx32 " %" PRIx32 "\n", pick(functions) + 1, i ? outer[pick(i)] : 0);
        outer[traces] = traces + 1;
        traces++;
    }
    for (uint32_t i = 0; i < sites; i++) {
        uint32_t parent = outer[pick(traces)];
        for (uint32_t k = 1 + pick(6); k-- > 0;) {
            PUT("t %" PRIx32 " %" PRIx32 "\n", pick(functions) + 1, parent);
            parent = outer[traces] = traces + 1;
            traces++;
        }
        leaves[i] = parent;
        for (uint32_t k = 1 + pick(5); k-- > 0; kinds++)
            PUT("a %" PRIx32 " %" PRIx32 "\n", 16 + 8 * pick(200), parent);
    }
    for (uint64_t i = 0, at = 0; i < events; i++) {
        uint64_t slot = at % (1 << 16);
        if (ring[slot] && pick(10) < 8) {
            PUT("- %" PRIx64 "\n", ring[slot] - 1);
            ring[slot] = 0;
        } else {
            // Few kinds have most of the allocations.
            uint32_t kind = pick(4) ? pick(kinds / 50 + 1) : pick(kinds);
            PUT("+ %" PRIx32 "\n", kind);
            ring[slot] = (uint64_t)kind + 1;
            at += 1 + pick(3);
        }
        if (i % 10000 == 9999)
            PUT("c %" PRIx64 "\nR %" PRIx64 "\n", (i + 1) / 1000, 1000 + i / 100000);
    }
    flush(ZSTD_e_end);
    fprintf(stderr, "%" PRIu64 " events, %" PRIu32 " kinds, %" PRIu32 " call paths\n", events,
            kinds, traces);
    return fclose(out) != 0;
}
