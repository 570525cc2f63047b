#include "app/answers/property.h"
#include "app/node_text.h"
#include "engine/analyze/owners.h"
#include <inttypes.h>
#include <stdio.h>

static const mc_column columns[] = {
    {.key = "owners", .heading = "owners", .width = 8},
    {.key = "owners_for_90_percent", .heading = "for 90 %", .before = " ", .width = 9},
    {.key = "weak_only_owners", .heading = "weak only", .before = " ", .width = 10},
    {.key = "strongest_owner", .heading = "the strongest", .before = "  ", .width = -44},
    {.key = "strongest_owner_objects", .heading = "objects", .before = " ", .width = 13},
    {.key = "strongest_owner_share", .heading = "share", .before = " ", .width = 8},
};

static void append_strongest(const mc_trace *trace, const mc_owners *owners, mc_text *out) {
    char objects[MC_FORMAT_SIZE], share[MC_FORMAT_SIZE];
    mc_node_append_place_line(trace, owners->strongest, out);
    mc_text_format(out, " references %s (%s)",
                   mc_format_counted(objects, owners->strongest_objects, "object"),
                   mc_format_share(share, owners->strongest_share));
}

static void append_sentence(const mc_trace *trace, const mc_owners *owners, mc_text *out) {
    char count[MC_FORMAT_SIZE];
    if (owners->count == 0)
        mc_text_append_string(out, "no other group references it");
    else if (owners->count == 1)
        mc_text_append_string(out, "one owner");
    else
        mc_text_format(out, "%s distinct owners", mc_format_count(count, owners->count));
    if (owners->count == 0 && owners->weak_only > 0) mc_text_append_string(out, " strongly");
    if (owners->most_count > 0 && owners->most_count < owners->count)
        mc_text_format(out, ", %s of which %s 90 %% of the references",
                       mc_format_count(count, owners->most_count),
                       owners->most_count == 1 ? "has" : "have");
    if (owners->strongest != MC_NONE) {
        mc_text_append_string(out, owners->count == 1 ? ": " : "; the strongest, ");
        append_strongest(trace, owners, out);
    }
    if (owners->weak_only > 0)
        mc_text_format(out, "; %s more only weakly", mc_format_count(count, owners->weak_only));
}

static mc_result find(mc_property_source *source, mc_property_key key, mc_property_answer *answer,
                      mc_error *error) {
    mc_links links = {0};
    mc_result result = mc_property_source_find_links(source, key, &links, error);
    if (result != MC_OK) return result;
    mc_owners owners = mc_owners_count(&links);
    mc_links_deinit(&links);
    if (!owners.is_known) return MC_OK;
    bool has_counts = owners.strongest != MC_NONE;
    mc_cell null = mc_cell_null();
    *answer = (mc_property_answer){
        .is_known = true,
        .values = {mc_cell_count(owners.count),
                   has_counts ? mc_cell_count(owners.most_count) : null,
                   mc_cell_count(owners.weak_only), mc_cell_node(source->trace, owners.strongest),
                   has_counts ? mc_cell_count(owners.strongest_objects) : null,
                   has_counts ? mc_cell_share(owners.strongest_share) : null}};
    if (owners.most_count > 0 && owners.most_count < owners.count)
        snprintf(answer->brief, sizeof answer->brief, "%" PRIu32 " (%" PRIu32 " for 90 %%)",
                 owners.count, owners.most_count);
    else
        mc_format_count(answer->brief, owners.count);
    append_sentence(source->trace, &owners, &answer->sentence);
    return MC_OK;
}

const mc_property mc_property_owners = {
    .name = "owners",
    .title = "Owners",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .find = find,
};
