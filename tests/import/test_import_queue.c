// The queue that reads documents in threads: order, errors, and being ended in the middle.
#include "engine/import/json/import_queue.h"
#include "tests/test.h"
#include <inttypes.h>

#define DOCUMENT_COUNT 200

static char documents[DOCUMENT_COUNT][2048];

// Every seventh is wrong; they differ much in size.
static void make_documents(void) {
    for (int i = 0; i < DOCUMENT_COUNT; i++) {
        int used = snprintf(documents[i], sizeof documents[i],
                            "{\"time\":%d,\"root\":{\"key\":\"r\",\"bytes\":%d,\"objects\":%s,"
                            "\"children\":[",
                            i, i, i % 7 == 3 ? "-1" : "1");
        for (int k = 0; k < i % 13 * 3; k++)
            used += snprintf(documents[i] + used, sizeof documents[i] - (size_t)used,
                             "%s{\"key\":\"%d\",\"bytes\":0,\"objects\":0}", k ? "," : "", k);
        snprintf(documents[i] + used, sizeof documents[i] - (size_t)used, "]}}");
    }
}

static void check_next(mc_import_queue *queue, int *next) {
    mc_import_job *job;
    while (!(job = mc_import_queue_wait(queue, 1)))
        continue;
    CHECK(job->element_index == (uint64_t)*next);
    CHECK(job->has_time && job->time_ms == *next);
    if (*next % 7 == 3) {
        CHECK(job->result == MC_ERROR_BAD_DATA && strstr(job->error.message, "root.objects"));
    } else {
        CHECK(job->result == MC_OK);
        CHECK(job->tree.node_count == (size_t)(1 + *next % 13 * 3));
        CHECK(job->tree.nodes[0].bytes == (uint64_t)*next);
    }
    mc_import_queue_release(queue);
    (*next)++;
}

static void submit(mc_import_queue *queue, mc_import_job *job, const mc_source_file *file,
                   int index) {
    job->file = file;
    job->data = (const unsigned char *)documents[index];
    job->size = strlen(documents[index]);
    job->offset = 0;
    job->element_index = (uint64_t)index;
    job->is_compressed = job->is_unpacked = false;
    job->is_counted = true;
    mc_import_queue_submit(queue);
}

static void run(uint32_t thread_count, int end) {
    const mc_source_file file = {.kind = MC_SOURCE_STEP};
    mc_import_watch watch = {0};
    mc_import_queue *queue;
    mc_error error = {0};
    int next = 0;
    uint64_t size = 0;
    REQUIRE(mc_import_queue_create(thread_count, &watch, &queue, &error) == MC_OK);
    for (int i = 0; i < end; i++) {
        mc_import_job *job;
        while (!(job = mc_import_queue_get_free(queue)))
            check_next(queue, &next);
        submit(queue, job, &file, i);
        size += strlen(documents[i]);
    }
    if (end == DOCUMENT_COUNT) {
        while (mc_import_queue_get_count(queue) > 0)
            check_next(queue, &next);
        CHECK(next == DOCUMENT_COUNT);
        CHECK(atomic_load(&watch.done) == size);
    }
    mc_import_queue_destroy(queue);
}

int main(void) {
    static const uint32_t thread_counts[] = {0, 1, 2, 5, 16, 100};
    make_documents();
    for (size_t i = 0; i < sizeof thread_counts / sizeof *thread_counts; i++)
        for (int end = 0; end <= DOCUMENT_COUNT; end += DOCUMENT_COUNT / 8)
            run(thread_counts[i], end);
    return test_finish();
}
