// A leak in C, and a healthy twin, for profilers that write addresses alone.
#include <stdlib.h>
#include <string.h>

struct session {
    char *body;
    struct session *next;
};

static struct session *sessions;

static __attribute__((noinline)) void open_session(void) {
    struct session *s = malloc(sizeof *s);
    s->body = malloc(4000);
    memset(s->body, 1, 4000);
    s->next = sessions;
    sessions = s;
}

static __attribute__((noinline)) void end_session(void) {
    struct session *s = sessions;
    if (!s) return;
    sessions = s->next;
    free(s->body);
    free(s);
}

static __attribute__((noinline)) void *make_block(int i) {
    return malloc(600 + (size_t)i % 7);
}

// shop leak|healthy COUNT
int main(int argc, char **argv) {
    int leaks = argc > 1 && strcmp(argv[1], "leak") == 0, count = argc > 2 ? atoi(argv[2]) : 1000;
    for (int i = 0; i < count; i++) {
        open_session();
        for (int k = 0; k < 20; k++)
            free(make_block(k));
        if (!leaks) end_session();
    }
    return 0;
}
