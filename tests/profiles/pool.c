// A healthy program that fills a pool and then works with it for long without allocating.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 4000, WORK = 60000 };

static unsigned char **pool;
static unsigned long sum;

static __attribute__((noinline)) unsigned char *fill_pool(int i) {
    unsigned char *block = malloc(BLOCK_SIZE);
    memset(block, i, BLOCK_SIZE);
    return block;
}

static __attribute__((noinline)) void work(const unsigned char *block) {
    for (int i = 0; i < WORK; i++)
        sum += block[i % BLOCK_SIZE] ^ (unsigned)i;
}

// pool BLOCKS TURNS
int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 400, turns = argc > 2 ? atoi(argv[2]) : 1000;
    pool = calloc((size_t)count, sizeof *pool);
    for (int i = 0; i < count; i++) {
        pool[i] = fill_pool(i);
        work(pool[i]);
    }
    for (int i = 0; i < turns; i++)
        work(pool[i % count]);
    printf("%lu\n", sum);
    return 0;
}
