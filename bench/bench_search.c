// How long a keystroke in the search box takes, from 10,000 to 1,000,000 leaves: a word typed
// letter by letter, words that match nothing and nearly everything, one that crosses keys, and
// regular expressions.
#include "app/bench/generate.h"
#include "bench/bench.h"
#include "engine/analyze/search.h"

typedef struct bench_case {
    const char *name, *before, *pattern; // `before`: what is found first, not measured
    mc_search_mode mode;
} bench_case;

static const bench_case CASES[] = {
    {"first-letter", NULL, "l", MC_SEARCH_SUBSTRING},
    {"second-letter", "l", "li", MC_SEARCH_SUBSTRING},
    {"word", NULL, "linkedma", MC_SEARCH_SUBSTRING},
    {"word-typed-on", "linkedm", "linkedma", MC_SEARCH_SUBSTRING},
    {"nothing", NULL, "zzz", MC_SEARCH_SUBSTRING},
    {"crossing", NULL, "0#linked", MC_SEARCH_SUBSTRING},
    {"regex", NULL, "linked.*node.*9$", MC_SEARCH_REGEX},
};

static mc_search_result find(mc_search *search, const char *pattern, mc_search_mode mode) {
    mc_search_result result;
    if (mc_search_find(search, pattern, strlen(pattern), mode, NULL, &result, NULL) != MC_OK)
        exit(1);
    return result;
}

static void measure(bench_runs *bench, mc_search *search, const bench_case *what,
                    uint32_t leaf_count) {
    uint32_t hits = 0;
    while (bench_goes_on(bench)) {
        // Something else first, so that what was found last is of no use.
        find(search, "~", MC_SEARCH_SUBSTRING);
        if (what->before) find(search, what->before, what->mode);
        bench_start(bench);
        hits = find(search, what->pattern, what->mode).own_count;
        bench_stop(bench);
    }
    char parameters[128];
    snprintf(parameters, sizeof parameters, "\"pattern\": \"%s\", \"leaves\": %u, \"hits\": %u",
             what->pattern, leaf_count, hits);
    bench_report(bench, what->name, parameters);
}

int main(int argc, char **argv) {
    static const uint32_t SIZES[] = {10000, 100000, 300000, 1000000};
    bench_runs bench = bench_begin("search", argc > 1 ? argv[1] : "unknown");
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        mc_generate_desc desc = {.leaf_count = SIZES[i], .step_count = 2, .seed = 1};
        mc_trace *trace;
        mc_search *search;
        if (mc_generate_trace(&desc, NULL, &trace, NULL) != MC_OK) return 1;
        if (mc_search_create(trace, &search, NULL) != MC_OK) return 1;
        for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++)
            measure(&bench, search, &CASES[k], SIZES[i]);
        mc_search_destroy(search);
        mc_trace_destroy(trace);
    }
    bench_end();
    return 0;
}
