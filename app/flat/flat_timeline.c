#include "app/flat/flat_timeline.h"

#include <math.h>

static double get_width(const mc_flat_row *row, uint32_t index) {
    return row->widths ? row->widths[index] : row->width;
}

// In the mean of the squares. Trees that would overlap stand as a group whose middle is where
// theirs together would be (pool adjacent violators).
void mc_flat_row_place(const mc_flat_row *row, const double *points, uint32_t count,
                       double *middles) {
    uint32_t first[MC_FLAT_MOST_TREES], group_count = 0;        // the first tree of each group
    double mean[MC_FLAT_MOST_TREES], shift[MC_FLAT_MOST_TREES]; // from the first, side by side
    if (count == 0) return;
    shift[0] = 0;
    for (uint32_t i = 1; i < count; i++)
        shift[i] = shift[i - 1] + (get_width(row, i - 1) + get_width(row, i)) / 2 + row->gap;
    double least = row->x0 + get_width(row, 0) / 2;
    double most = fmax(row->x1 - get_width(row, count - 1) / 2 - shift[count - 1], least);
    for (uint32_t i = 0; i < count; i++) {
        // Each beside the one before stands at the same place, once their widths are left out.
        double wanted = points[i] - shift[i];
        uint32_t from = i;
        while (group_count > 0 && mean[group_count - 1] >= wanted) {
            group_count--;
            double before = from - first[group_count], now = i + 1 - from;
            wanted = (mean[group_count] * before + wanted * now) / (before + now);
            from = first[group_count];
        }
        first[group_count] = from;
        mean[group_count++] = wanted;
    }
    for (uint32_t group = 0; group < group_count; group++) {
        uint32_t end = group + 1 < group_count ? first[group + 1] : count;
        for (uint32_t i = first[group]; i < end; i++)
            middles[i] = fmin(fmax(mean[group], least), most) + shift[i];
    }
}
