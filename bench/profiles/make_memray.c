// make_memray - writes a recording as memray 1.20 writes them (file format 13), of any number of
// events, not packed.
//
// usage: make_memray EVENTS SITES FILE [SEED]
//
// A walk through a tree of SITES call paths, three sizes at each: about a third of the events are
// allocations, a third frees, half of these soon, a third calls and returns. At most 65,536 blocks
// are alive, and one of 500 that stay. A measurement of the memory each 100,000 events, 10 ms.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint32_t pick(uint32_t count) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(((state >> 32) * count) >> 32);
}

static FILE *out;
static unsigned char bytes[1 << 20];
static size_t used;

static void put(unsigned char byte) {
    if (used == sizeof bytes) {
        if (fwrite(bytes, 1, used, out) != used) exit(1);
        used = 0;
    }
    bytes[used++] = byte;
}

static void put_number(uint64_t number) {
    for (; number >= 128; number >>= 7)
        put((unsigned char)(number | 128));
    put((unsigned char)number);
}

static void put_signed(int64_t number) {
    put_number((uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

static void put_bytes(const void *from, size_t size) {
    for (size_t i = 0; i < size; i++)
        put(((const unsigned char *)from)[i]);
}

static void put_fixed(uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++)
        put((unsigned char)(number >> (8 * i)));
}

static uint64_t recent[15], last_address;

// Its place among the addresses before, or all of it.
static void put_address(unsigned char allocator, uint64_t address) {
    unsigned place = 0;
    while (place < 15 && recent[place] != address)
        place++;
    put((unsigned char)(128 | place << 3 | allocator));
    if (place < 15) return;
    put_signed((int64_t)((address >> 3) - last_address));
    last_address = address >> 3;
    memmove(recent + 1, recent, 14 * sizeof *recent);
    recent[0] = address;
}

enum { FREE = 5, MALLOC = 6, RING = 1 << 16 };

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    uint64_t events = strtoull(argv[1], NULL, 10);
    uint32_t sites = (uint32_t)strtoul(argv[2], NULL, 10);
    state = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
    out = fopen(argv[3], "wb");
    // A path's callers come before it; what it calls is a list.
    uint32_t *parents = calloc(sites + 1, sizeof *parents),
             *first = calloc(sites + 1, sizeof *first), *next = calloc(sites + 1, sizeof *next);
    uint64_t *ring = calloc(RING, sizeof *ring); // what is alive, and soon no more
    if (!out || !parents || !first || !next || !ring || sites < 2) return 1;
    put_bytes("memray\0\15\0\0\0\xf0\x02\x0b\x03\0\0", 17);
    put_fixed(events, 8);
    put_fixed(sites, 8);
    put_fixed(UINT64_C(1750000000000), 8);
    put_fixed(UINT64_C(1750000000000) + events / 10000, 8);
    put_bytes("shop.py", 8);
    put_fixed(4711, 4);
    put_fixed(77, 8);
    put_fixed(0, 8);
    put_bytes("\1\0\0\0\0\0", 6);
    put(12);
    put_fixed(77, 8);
    for (uint32_t i = 1; i <= sites; i++) {
        parents[i] = pick(i < 40 ? i : i / 4); // 0: it is called by none
        next[i] = first[parents[i]];
        first[parents[i]] = i;
        if (i > sites / 4) continue; // a function is called on several paths
        char name[64];
        put(14);
        put_number(i);
        put_bytes(name, (size_t)snprintf(name, sizeof name, "work_%" PRIu32, i) + 1);
        put_bytes("/srv/shop.py", 13);
        put_signed(3);
        put_number(0);
    }
    uint32_t at = 0, depth = 0;
    for (uint64_t i = 0, slot = 0; i < events; i++) {
        uint32_t what = pick(6), child = at;
        if (what < 2) {
            if (depth == 0 || (pick(2) && first[at])) {
                child = first[at];
                for (uint32_t skipped = pick(8); skipped > 0 && next[child]; skipped--)
                    child = next[child];
                put(64);
                put_number(child % (sites / 4) + 1);
                put_signed(2 * pick(20));
                at = child;
                depth++;
            } else {
                put(16);
                at = parents[at];
                depth--;
            }
        } else if (what < 4) {
            uint64_t *block = &ring[slot++ % RING];
            if (*block && pick(500)) put_address(FREE, *block);
            *block = ((uint64_t)pick(1 << 24) << 4) + (UINT64_C(0x7f) << 40);
            put_address(MALLOC, *block);
            put_number(16 + 8 * ((at * 7 + pick(3)) % 200));
        } else { // of the last ones or of any
            uint64_t *block = &ring[(pick(2) ? slot - 1 - pick(16) : pick(RING)) % RING];
            if (*block) put_address(FREE, *block);
            *block = 0;
        }
        if (i % 100000 == 99999) {
            put(2);
            put_number((uint64_t)64 << 20);
            put_number((i + 1) / 10000);
        }
    }
    put(1);
    fwrite(bytes, 1, used, out);
    return fclose(out) != 0;
}
