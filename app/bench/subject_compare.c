// Two pictures: how many pixels differ, and by how much; what one device draws beside another.
#include "app/bench/subjects.h"
#include "app/png_file.h"

typedef struct difference {
    uint64_t pixel_count, different_count; // by more than `ROUNDING`
    uint32_t largest;                      // of a channel, of 255
    uint64_t sum;                          // of all channels
} difference;

enum { ROUNDING = 4 }; // levels of 255 that stored pictures of 64 levels may be off, and one more

static void add_pixel(difference *d, const uint8_t *a, const uint8_t *b) {
    uint32_t most = 0;
    for (int channel = 0; channel < 3; channel++) {
        uint32_t off = a[channel] > b[channel] ? (uint32_t)(a[channel] - b[channel])
                                               : (uint32_t)(b[channel] - a[channel]);
        d->sum += off;
        most = off > most ? off : most;
    }
    d->pixel_count++;
    d->different_count += most > ROUNDING;
    d->largest = most > d->largest ? most : d->largest;
}

static void report_difference(mc_bench_report *report, const difference *d) {
    double channels = 3.0 * (double)d->pixel_count;
    mc_bench_report_number(report, "pixels", (double)d->pixel_count, "n");
    mc_bench_report_number(report, "different", (double)d->different_count, "n");
    mc_bench_report_number(report, "largest", (double)d->largest / 255.0, "share");
    mc_bench_report_number(report, "mean", (double)d->sum / channels / 255.0, "share");
}

int mc_bench_compare(const mc_bench_options *options, mc_bench_report *report) {
    mc_png pictures[2] = {{0}};
    mc_error error = {0};
    if (options->path_count != 2)
        return mc_command_wrong_usage("bench compare: expected two PNG files");
    mc_result result = MC_OK;
    for (int i = 0; i < 2 && result == MC_OK; i++)
        result = mc_png_read(options->paths[i], &pictures[i], &error);
    if (result == MC_OK &&
        (pictures[0].width != pictures[1].width || pictures[0].height != pictures[1].height))
        result = mc_fail(&error, MC_ERROR_BAD_DATA,
                         "%s: expected a picture of %u x %u pixels, as %s is, found %u x %u",
                         options->paths[1], pictures[0].width, pictures[0].height,
                         options->paths[0], pictures[1].width, pictures[1].height);
    if (result == MC_OK) {
        difference d = {0};
        size_t size = (size_t)pictures[0].width * pictures[0].height * 4;
        for (size_t i = 0; i < size; i += 4)
            add_pixel(&d, pictures[0].rgba + i, pictures[1].rgba + i);
        mc_bench_report_print_machine(report, options->commit, NULL, NULL);
        mc_bench_report_begin(report, "pictures");
        report_difference(report, &d);
        mc_bench_report_end(report, MC_OK);
    }
    mc_png_deinit(&pictures[0]);
    mc_png_deinit(&pictures[1]);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}
