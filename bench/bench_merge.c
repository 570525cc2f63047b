// bench_merge - what merging a fleet costs:
// `bench_merge [PARTS GROUPS STEPS [FANOUT [FOLDER]]]`, one JSON object. In FOLDER, which is made,
// parts that are there are taken again; all of it is kept.
//
// Four names of five are the same in all parts; of each part's groups a tenth grows, and its steps
// are up to 20 s off the minute. Merged at once, and as a tree: FANOUT parts at a time below their
// hosts, then what came of that side by side. Each merge runs in a process of its own, for the sake
// of its peak memory; reported are the time that passed, and that of the processors.
#include "bench/bench.h"
#include "engine/store/mct/mct.h"
#include "engine/store/merge/merge.h"
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PACKAGE_COUNT = 300, TYPE_NAME_SIZE = 48, PATH_SIZE = 512 };

typedef struct fleet {
    uint32_t part_count, group_count, step_count, fanout;
    const char *folder;
} fleet;

static void fail(const mc_error *error) {
    fprintf(stderr, "bench_merge: %s\n", error->message);
    exit(1);
}

static uint64_t mix(uint64_t value) { // splitmix64
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

// ---- the parts

static uint32_t add_node(mc_step_tree *tree, uint32_t parent, uint32_t role, const char *name) {
    size_t size = strlen(name), offset = tree->text.size;
    mc_text_append(&tree->text, name, size);
    uint32_t node = mc_step_tree_add(tree, (mc_step_node){.parent = parent,
                                                          .role = role,
                                                          .key_offset = offset,
                                                          .name_offset = offset,
                                                          .key_size = (uint32_t)size,
                                                          .name_size = (uint32_t)size});
    if (node == MC_NONE || tree->text.failed) exit(1);
    return node;
}

static void add_counts(mc_step_tree *tree, uint32_t node, uint64_t objects, uint64_t bytes) {
    tree->nodes[node].objects += objects;
    tree->nodes[node].bytes += bytes;
}

static void fill_step(mc_step_tree *tree, const fleet *f, uint32_t part, uint32_t step) {
    uint32_t package_nodes[PACKAGE_COUNT];
    char name[TYPE_NAME_SIZE];
    mc_step_tree_reset(tree);
    tree->key_kind = MC_KEY_PATH_PART;
    tree->time_ms = 1700000000000 - 1700000000000 % 60000 + step * 60000 +
                    (int64_t)(mix(part * 1000u + step) % 20000);
    if (mc_strings_intern(&tree->roles, "Package", 7) != 0 ||
        mc_strings_intern(&tree->roles, "Type", 4) != 1)
        exit(1);
    uint32_t root = add_node(tree, MC_NONE, MC_NONE, "Heap");
    for (uint32_t i = 0; i < PACKAGE_COUNT; i++) {
        snprintf(name, sizeof name, "org.shop.module%03u", i);
        package_nodes[i] = add_node(tree, root, 0, name);
    }
    for (uint32_t i = 0; i < f->group_count; i++) {
        uint32_t package = package_nodes[i % PACKAGE_COUNT];
        uint64_t random = mix((uint64_t)part * 0x100000 + i), objects = 1 + random % 5000;
        if (i % 10 == 0) objects += step * (1 + random % 97);
        if (i % 5 == 0)
            snprintf(name, sizeof name, "Lambda%u_%06u", part, i);
        else
            snprintf(name, sizeof name, "Class%06u", i);
        uint32_t node = add_node(tree, package, 1, name);
        uint64_t bytes = objects * (16 + 8 * (random >> 32) % 6);
        add_counts(tree, node, objects, bytes);
        add_counts(tree, package, objects, bytes);
        add_counts(tree, root, objects, bytes);
    }
}

static void get_path(char path[PATH_SIZE], const fleet *f, const char *kind, uint32_t number) {
    snprintf(path, PATH_SIZE, "%s/%s%05u.mct", f->folder, kind, number);
}

static void make_part(const fleet *f, uint32_t part) {
    char path[PATH_SIZE];
    mc_error error = {0};
    mc_mct_writer *writer = NULL;
    mc_step_tree tree = {0};
    get_path(path, f, "host", part);
    if (access(path, F_OK) == 0) return;
    mc_mct_writer_desc desc = {.path = path, .sync = MC_MCT_SYNC_NEVER};
    if (mc_mct_writer_create(&desc, &writer, &error) != MC_OK) fail(&error);
    for (uint32_t step = 0; step < f->step_count; step++) {
        fill_step(&tree, f, part, step);
        if (mc_mct_writer_add_step(writer, &tree, "generated", &error) != MC_OK) fail(&error);
    }
    if (mc_mct_writer_finish(writer, &error) != MC_OK) fail(&error);
    mc_mct_writer_destroy(writer);
    mc_step_tree_deinit(&tree);
}

// ---- merging

typedef struct input {
    mc_merge_part *parts;
    uint32_t count;
} input;

static mc_result open_part(void *user, uint32_t part, mc_trace **trace, mc_error *error) {
    const input *in = user;
    mc_mct_open_desc desc = {.path = in->parts[part].path};
    return mc_mct_open(&desc, trace, NULL, error);
}

static input list_parts(const fleet *f, const char *kind, uint32_t first, uint32_t count) {
    input in = {.parts = calloc(count, sizeof *in.parts), .count = count};
    if (!in.parts) exit(1);
    for (uint32_t i = 0; i < count; i++) {
        char path[PATH_SIZE], name[32];
        get_path(path, f, kind, first + i);
        snprintf(name, sizeof name, "host%05u", first + i);
        in.parts[i] = (mc_merge_part){.name = strdup(name), .path = strdup(path)};
        if (!in.parts[i].name || !in.parts[i].path) exit(1);
    }
    return in;
}

static void merge(const input *in, const char *under, const char *path) {
    mc_error error = {0};
    mc_merge_report report;
    unlink(path);
    mc_merge_desc desc = {.parts = in->parts,
                          .part_count = in->count,
                          .open = open_part,
                          .user = (void *)in,
                          .under = under,
                          .alignment = MC_MERGE_BUCKETS,
                          .bucket_ms = 60000,
                          .hold_ms = -1,
                          .path = path};
    if (mc_trace_merge(&desc, &report, &error) != MC_OK) fail(&error);
}

typedef struct cost {
    double wall_s, processor_s, peak_mib;
    uint32_t run_count;
} cost;

static double get_seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void merge_apart(const input *in, const char *under, const char *path, cost *sum) {
    struct rusage usage;
    int status = 0;
    uint64_t begin_ns = mc_clock_now_ns();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        merge(in, under, path);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) exit(1);
    sum->wall_s += (double)(mc_clock_now_ns() - begin_ns) / 1e9;
    sum->processor_s += get_seconds(usage.ru_utime) + get_seconds(usage.ru_stime);
    double peak_mib = (double)usage.ru_maxrss / 1024;
    if (peak_mib > sum->peak_mib) sum->peak_mib = peak_mib;
    sum->run_count++;
}

static void report(const char *name, cost c, const char *path) {
    struct stat info = {0};
    if (stat(path, &info) != 0) exit(1);
    printf(",\n  \"%s\": {\"merges\": %u, \"wall_s\": %.2f, \"processor_s\": %.2f, \"peak_mib\": "
           "%.0f, \"file_mib\": %.0f}",
           name, c.run_count, c.wall_s, c.processor_s, c.peak_mib, (double)info.st_size / 1048576);
}

static void merge_as_tree(const fleet *f) {
    char path[PATH_SIZE];
    cost leaves = {0}, root = {0};
    uint32_t group_count = (f->part_count + f->fanout - 1) / f->fanout;
    for (uint32_t i = 0; i < group_count; i++) {
        uint32_t first = i * f->fanout, left = f->part_count - first;
        input in = list_parts(f, "host", first, left < f->fanout ? left : f->fanout);
        get_path(path, f, "rack", i);
        merge_apart(&in, "host", path, &leaves);
    }
    report("tree_leaves", leaves, path);
    input in = list_parts(f, "rack", 0, group_count);
    get_path(path, f, "tree", 0);
    merge_apart(&in, NULL, path, &root);
    report("tree_root", root, path);
}

int main(int argc, char **argv) {
    fleet f = {.part_count = argc > 1 ? (uint32_t)atoi(argv[1]) : 50,
               .group_count = argc > 2 ? (uint32_t)atoi(argv[2]) : 20000,
               .step_count = argc > 3 ? (uint32_t)atoi(argv[3]) : 10,
               .fanout = argc > 4 ? (uint32_t)atoi(argv[4]) : 32,
               .folder = argc > 5 ? argv[5] : "bench_merge.parts"};
    char path[PATH_SIZE];
    cost flat = {0};
    if (f.part_count == 0 || f.group_count == 0 || f.step_count == 0 || f.fanout == 0) return 2;
    mkdir(f.folder, 0777);
    printf("{\n  \"benchmark\": \"merge\",\n  \"parts\": %u,\n  \"groups\": %u,\n  \"steps\": %u",
           f.part_count, f.group_count, f.step_count);
    for (uint32_t i = 0; i < f.part_count; i++)
        make_part(&f, i);
    input in = list_parts(&f, "host", 0, f.part_count);
    get_path(path, &f, "flat", 0);
    merge_apart(&in, "host", path, &flat);
    report("at_once", flat, path);
    merge_as_tree(&f);
    printf("\n}\n");
    return 0;
}
