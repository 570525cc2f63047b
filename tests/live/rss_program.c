// rss_program.c - has memory of known kinds, says so, and waits: test_rss.sh looks at it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEBI ((size_t)1 << 20)

static pthread_barrier_t barrier;

// Of the stack 200 KiB are touched, and 3 MiB in an arena of its own.
static void *wait_in_thread(void *unused) {
    volatile char on_stack[200 << 10];
    (void)unused;
    for (size_t i = 0; i < sizeof on_stack; i += 1024)
        on_stack[i] = 1;
    for (int i = 0; i < 48; i++)
        memset(malloc(64 << 10), 1, 64 << 10);
    pthread_barrier_wait(&barrier);
    pause();
    return NULL;
}

// rss_program FILE: the file is mapped, and read. Then 1 MiB more is touched with each line that
// comes.
int main(int argc, char **argv) {
    pthread_t threads[3];
    volatile char sum = 0;
    int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    char *file = mmap(NULL, 3 * MEBI, PROT_READ, MAP_PRIVATE, fd, 0);
    char *around = mmap(NULL, 66 * MEBI, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *touched = around + MEBI;
    char *shared = mmap(NULL, MEBI, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (file == MAP_FAILED || around == MAP_FAILED || shared == MAP_FAILED) return 1;
    if (mprotect(touched, 64 * MEBI, PROT_READ | PROT_WRITE) != 0) return 1;
    madvise(touched, 64 * MEBI, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < 3 * MEBI; i += 4096)
        sum = (char)(sum + file[i]);
    memset(touched, 1, 5 * MEBI);
    for (int i = 0; i < 3; i++)
        memset(malloc(MEBI), 1, MEBI);
    memset(shared, 1, MEBI);
    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, wait_in_thread, NULL);
    pthread_barrier_wait(&barrier);
    printf("%llx\n", (unsigned long long)(size_t)(touched + 64 * MEBI));
    fflush(stdout);
    for (size_t size = 6 * MEBI; getchar() != EOF; size += MEBI) {
        memset(touched, 1, size < 64 * MEBI ? size : 64 * MEBI);
        puts("more");
        fflush(stdout);
    }
    return 0;
}
