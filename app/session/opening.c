#include "app/session/opening.h"

#include "app/answers/arrange.h"
#include "app/far/far_child.h"
#include "app/far_address.h"
#include "app/message.h"
#include "app/session/layout.h"
#include "app/session/linked.h"
#include "app/session/metrics.h"
#include "app/session/queries.h"
#include "app/trace_location.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/base/progress_part.h"
#include "engine/import/import.h"
#include "engine/scene/style_source.h"
#include "engine/trace/regroup/sliding_window.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FETCHING_SHARE 0.9 // of the time, if what is opened lies elsewhere

typedef struct open_task {
    char **paths;
    uint32_t path_count;
    bool may_fetch;       // paths may be addresses of what lies elsewhere
    mc_form_texts files;  // in place of the paths, and of what is read beside, if some are
    uint32_t file_count;  // of those in place of the paths
    char *versus;         // what is read beside it; NULL: nothing
    mc_dataset *compared; // what it is compared with, in the place of `paths`; held, or NULL
    char *with;           // a heap's methods, or methods' heap, read beside it; NULL: nothing
    mc_dataset *linked;   // what that is; held
    bool changes_linked;  // what is linked is opened, and what was shown is linked
    mc_layout_options left_layout; // of that
    char left_group[MC_SETTINGS_GROUP_SIZE];
    mc_pair_options pair;
    char windows[MC_VERSUS_SIDES][MC_PAIR_WINDOW_SIZE]; // to which it may refer
    bool skip_bad_steps;
    bool partial, no_references;
    mc_import_deep deep;
    uint32_t stacks;
    double sample_interval_ms;
    mc_profile_options profiles;
    const char *tab;
    char group_by[MC_SETTINGS_GROUP_SIZE]; // how it is read, and then shown; empty: as it is
    bool is_said, must_group;              // by the command line; and of this trace
    bool groups_as_usual;                  // where nothing says how
    bool is_usual;                         // it is grouped by the preferences' list
    const mc_step_times *times;            // likewise
    const mc_note_list *notes;             // likewise
    mc_text remarks;                       // a line each, on what a view asks for in vain
    mc_layout_options layout;
    const mc_look *look;      // of which the trace must have what it names; NULL: whatever it names
    const mc_view_kind *kind; // of the view that was asked for
    mc_settings settings;
    double headroom;
    bool is_pictured; // it is opened, grouped and told of already
    bool is_live;
    mc_dataset_warnings warnings;
    mc_import_report report;
    mc_dataset *dataset;
    mc_layout *shown;
} open_task;

// What is read: the paths, or instead of addresses traces that were fetched.
typedef struct open_files {
    char *const *items;
    uint32_t count;
    char *beside; // NULL: nothing
} open_files;

static open_files get_files(const open_task *task) {
    const mc_form_texts *files = &task->files;
    char *beside = task->versus ? task->versus : task->with;
    if (files->count == 0) return (open_files){task->paths, task->path_count, beside};
    return (open_files){files->items, task->file_count,
                        beside ? files->items[task->file_count] : NULL};
}

// In the task's thread.
static void collect_warning(void *user, mc_log_level level, const char *message) {
    open_task *task = user;
    if (level == MC_LOG_INFO) return;
    mc_message_warn("%s", message);
    mc_dataset_warnings_add(&task->warnings, message);
}

static void destroy_open(void *context) {
    open_task *task = context;
    mc_layout_release(task->shown);
    mc_dataset_release(task->dataset);
    for (uint32_t i = 0; i < task->path_count; i++) {
        mc_free(task->paths[i]);
    }
    mc_free(task->paths);
    mc_form_texts_deinit(&task->files);
    mc_free(task->versus);
    mc_dataset_release(task->compared);
    mc_free(task->with);
    mc_dataset_release(task->linked);
    mc_dataset_warnings_deinit(&task->warnings);
    mc_text_deinit(&task->remarks);
    mc_free(task);
}

static void describe_dataset(open_task *task, mc_dataset *dataset, char *const *paths,
                             uint32_t path_count) {
    dataset->name = mc_command_get_title((const char *const *)paths, path_count, NULL);
    mc_dataset_set_paths(dataset, paths, path_count);
    dataset->warnings = task->warnings;
    task->warnings = (mc_dataset_warnings){0};
}

// MC_ERROR_USAGE: the trace lacks what --color or --height names.
static mc_result check_mapped_metrics(const open_task *task, const mc_trace *trace, mc_metric shown,
                                      mc_error *error) {
    mc_style_mapping mapping;
    mc_metric none;
    const char *lacking =
        task->look ? mc_style_mapping_init(&mapping, task->look, trace, shown) : NULL;
    if (!lacking) return MC_OK;
    bool is_color = lacking == task->look->color_metric;
    return mc_command_resolve_metric(trace, is_color ? "--color" : "--height", lacking, &none,
                                     error);
}

// What the options leave to the trace.
static mc_result settle(open_task *task, mc_error *error) {
    const mc_trace *trace = task->dataset->trace;
    mc_city_desc desc;
    mc_layout_options *layout = &task->settings.layout;
    task->layout.is_whole = task->is_live; // it goes on
    task->layout.is_silent = true;
    mc_text *remarks = task->is_pictured ? NULL : &task->remarks;
    mc_result result = mc_command_resolve_layout(&task->layout, trace, &desc, remarks, error);
    if (result == MC_OK) result = check_mapped_metrics(task, trace, desc.metric, error);
    if (result != MC_OK) return result;
    *layout = task->layout;
    mc_metric metric = mc_pair_get_plain(trace, desc.metric);
    (void)mc_form_set_name(layout->metric, sizeof layout->metric,
                           mc_trace_get_metric(trace, metric)->key);
    layout->scaling = (uint32_t)desc.scaling;
    layout->tiling = (uint32_t)desc.treemap.tiling;
    layout->window[0] = desc.window.first_step;
    layout->window[1] = desc.window.last_step;
    layout->metric_key = layout->area_key = layout->root_key = NULL;
    task->settings.root_node = desc.root_node;
    return MC_OK;
}

// Of two, if both are alike.
static const char *get_usual_grouping(const mc_dataset *dataset) {
    const mc_dataset_pair *pair = dataset->pair;
    if (!pair) return mc_regrouping_get_usual(dataset->trace);
    const char *lists[MC_VERSUS_SIDES];
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        lists[side] = mc_regrouping_get_usual(pair->sides[side]->trace);
    return strcmp(lists[MC_BEFORE], lists[MC_AFTER]) == 0 ? lists[MC_BEFORE] : "";
}

static mc_result blame_grouping(mc_error *error) {
    mc_error_prepend(error, "--group-by");
    return error->code = MC_ERROR_USAGE;
}

// What is not grouped so by who read it. What a view asks for in vain is said and left out.
static mc_result regroup(open_task *task, mc_error *error) {
    mc_grouped grouped;
    if (task->groups_as_usual && !task->group_by[0])
        (void)mc_form_set_name(task->group_by, sizeof task->group_by,
                               get_usual_grouping(task->dataset));
    mc_result result = mc_dataset_arrange(task->dataset, task->group_by, task->settings.frame_s,
                                          &task->layout, NULL, NULL, &grouped, error);
    if (result == MC_ERROR_BAD_DATA && !task->must_group) {
        if (!task->is_said && !task->is_usual)
            mc_text_format(&task->remarks, "%sthe view groups by what is not in this trace: %s",
                           task->remarks.size > 0 ? "\n" : "", task->group_by);
        *error = (mc_error){.code = MC_OK};
        task->group_by[0] = '\0';
        result = mc_dataset_arrange(task->dataset, "", task->settings.frame_s, &task->layout, NULL,
                                    NULL, &grouped, error);
    }
    if (result == MC_ERROR_BAD_DATA) return blame_grouping(error);
    if (result != MC_OK) return result;
    memcpy(task->settings.group_by, task->group_by, sizeof task->settings.group_by);
    if (grouped.dataset) {
        mc_dataset_release(task->dataset);
        task->dataset = grouped.dataset;
        grouped.dataset = NULL;
    }
    mc_grouped_deinit(&grouped);
    return MC_OK;
}

// What readers of dumps group by; a list that they don't know is not of theirs.
static const char *get_reading_group(const open_task *task) {
    mc_grouping grouping;
    bool is_known =
        task->group_by[0] &&
        (task->must_group || mc_grouping_parse(task->group_by, &grouping, NULL) == MC_OK);
    return is_known ? task->group_by : NULL;
}

static mc_result read_dataset(open_task *task, char *const *paths, uint32_t path_count,
                              const mc_progress *progress, mc_dataset **read, mc_error *error) {
    mc_log log = {collect_warning, task};
    mc_import_desc desc = {
        .paths = (const char *const *)paths,
        .path_count = path_count,
        .skip_bad_steps = task->skip_bad_steps,
        .is_live = task->is_live,
        .partial = task->partial,
        .no_references = task->no_references,
        .deep = task->deep,
        .stacks = task->stacks,
        .sample_interval_ms = task->sample_interval_ms,
        .profiles = task->profiles,
        .tab = task->tab,
        .temporary_folder = getenv("TMPDIR"),
        .group_by = get_reading_group(task),
        .keeps_groups = true,
        .times = task->times,
        .notes = task->notes,
        .log = &log,
        .progress = progress,
    };
    mc_trace *trace;
    mc_result result = mc_import_trace(&desc, &trace, &task->report, error);
    if (result != MC_OK && task->report.is_wrong_grouping) return blame_grouping(error);
    if (result != MC_OK) return result;
    mc_dataset *dataset = *read = mc_dataset_create(trace);
    if (!dataset) return mc_error_out_of_memory(error);
    describe_dataset(task, dataset, paths, path_count);
    const char *list = get_reading_group(task);
    dataset->is_of_jvm = !task->report.has_own_groups;
    if (list && dataset->is_of_jvm) {
        dataset->group_list = mc_copy_string(list);
        if (!dataset->group_list) return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

// What is opened, or was, and what is read beside it become one.
static mc_result read_other(open_task *task, const mc_progress *progress, mc_error *error) {
    mc_dataset *before = task->dataset, *after = NULL, *joined;
    char *other = get_files(task).beside;
    mc_result result = read_dataset(task, &other, 1, progress, &after, error);
    if (result == MC_OK)
        result = mc_dataset_make_pair(before, after, &task->pair, task->layout.align, NULL, &joined,
                                      error);
    if (result == MC_OK) {
        task->dataset = joined;
        mc_dataset_release(before);
    }
    mc_dataset_release(after);
    return result;
}

// What is read beside it stands as it is to be shown. One of both has to be of methods, one not.
static mc_result read_linked(open_task *task, const mc_progress *progress, mc_error *error) {
    mc_dataset *read = NULL;
    mc_grouped grouped;
    char *other = get_files(task).beside;
    mc_result result = read_dataset(task, &other, 1, progress, &read, error);
    if (result == MC_OK) result = mc_linked_check(task->dataset, read, error);
    if (result == MC_OK) {
        result = mc_dataset_arrange(read, mc_linked_get_grouping(read), task->settings.frame_s,
                                    NULL, NULL, NULL, &grouped, error);
        if (result == MC_OK) {
            task->linked = mc_dataset_hold(grouped.dataset ? grouped.dataset : read);
            mc_grouped_deinit(&grouped);
        }
    }
    mc_dataset_release(read);
    if (result == MC_OK && !task->group_by[0])
        (void)mc_form_set_name(task->group_by, sizeof task->group_by,
                               mc_linked_get_grouping(task->dataset));
    return result;
}

// Of the time that opening takes. An .mct file is there at once.
static double get_reading_share(const open_task *task) {
    const open_files files = get_files(task);
    size_t size = files.count > 0 ? strlen(files.items[0]) : 0;
    bool is_mct = size > 4 && strcmp(files.items[0] + size - 4, ".mct") == 0;
    return is_mct ? 0.2 : 0.8;
}

static mc_result read_and_show(open_task *task, const mc_progress *progress, mc_error *error) {
    double read = get_reading_share(task), share = task->versus || task->with ? read / 2 : read;
    mc_progress_part reading = {progress, 0, share}, other = {progress, share, read - share};
    mc_progress_part laying = {progress, read, 1 - read};
    const mc_progress parts[] = {mc_progress_part_get(&reading), mc_progress_part_get(&other),
                                 mc_progress_part_get(&laying)};
    const open_files files = get_files(task);
    mc_result result = MC_OK;
    if (task->compared)
        task->dataset = mc_dataset_hold(task->compared);
    else
        result = read_dataset(task, files.items, files.count, &parts[0], &task->dataset, error);
    if (result == MC_OK && task->versus) result = read_other(task, &parts[1], error);
    if (result == MC_OK && task->with) result = read_linked(task, &parts[1], error);
    if (result == MC_OK && !task->is_pictured) result = regroup(task, error);
    if (result == MC_OK) result = settle(task, error);
    if (result != MC_OK) return result;
    return mc_layout_create(task->kind, task->dataset, &task->settings, task->headroom, NULL,
                            &parts[2], &task->shown, error);
}

// ---- what lies elsewhere

// How dumps are read there.
static void list_far_options(const open_task *task, mc_far_options *options) {
    const mc_import_deep *deep = &task->deep;
    const struct {
        const char *name;
        bool is_on;
    } flags[] = {{"skip-bad-steps", task->skip_bad_steps},
                 {"partial", task->partial},
                 {"no-references", task->no_references},
                 {"deep", deep->all},
                 {"retained", deep->retained},
                 {"paths", deep->paths},
                 {"waste", deep->waste},
                 {"fast", deep->fast}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].is_on) mc_far_options_add(options, flags[i].name, NULL);
    if (deep->collections) mc_far_options_add(options, "collections", deep->collections);
    if (deep->binary) mc_far_options_add(options, "binary", deep->binary);
    if (get_reading_group(task)) mc_far_options_add(options, "group-by", task->group_by);
}

static void take_far_warnings(open_task *task, const mc_text *said) {
    for (const char *at = mc_text_get(said), *end; *at; at = end + 1) {
        mc_text line = {0};
        end = strchr(at, '\n');
        mc_text_append(&line, at, (size_t)(end - at));
        collect_warning(task, MC_LOG_WARNING, mc_text_get(&line));
        mc_text_deinit(&line);
    }
}

// Fetches what lies elsewhere. Then `files` has the paths, and what is read beside them.
static mc_result fetch(open_task *task, const mc_progress *progress, mc_error *error) {
    mc_far_options options = {.count = 0};
    mc_text said = {0};
    const char *beside = task->versus ? task->versus : task->with;
    mc_progress_part first = {progress, 0, beside ? 0.5 : 1}, second = {progress, 0.5, 0.5};
    const mc_progress parts[] = {mc_progress_part_get(&first), mc_progress_part_get(&second)};
    list_far_options(task, &options);
    mc_result result = mc_far_child_fetch((const char *const *)task->paths, task->path_count,
                                          &options, &parts[0], &task->files, &said, error);
    task->file_count = task->files.count;
    if (result == MC_OK && beside)
        result = mc_far_child_fetch(&beside, 1, &options, &parts[1], &task->files, &said, error);
    // It is grouped so by who reads it there.
    if (get_reading_group(task) && mc_far_is_address(task->path_count > 0 ? task->paths[0] : ""))
        task->group_by[0] = '\0';
    take_far_warnings(task, &said);
    mc_far_options_deinit(&options);
    mc_text_deinit(&said);
    return result;
}

static bool is_elsewhere(const open_task *task) {
    const char *const beside[] = {task->versus ? task->versus : "", task->with ? task->with : ""};
    return task->may_fetch &&
           (mc_far_has_address((const char *const *)task->paths, task->path_count) ||
            mc_far_has_address(beside, 2));
}

static mc_result run_open(void *context, const mc_progress *progress, mc_error *error) {
    open_task *task = context;
    mc_progress_part fetching = {progress, 0, FETCHING_SHARE},
                     rest = {progress, FETCHING_SHARE, 1 - FETCHING_SHARE};
    const mc_progress wholes[] = {mc_progress_part_get(&fetching), mc_progress_part_get(&rest)};
    if (!is_elsewhere(task)) return read_and_show(task, progress, error);
    mc_result result = fetch(task, &wholes[0], error);
    return result == MC_OK ? read_and_show(task, &wholes[1], error) : result;
}

// What the files are grouped by that are to be opened: what is asked for, or the command line, for
// all that it can be said of.
static void choose_grouping(const mc_session *session, open_task *task, const char *list,
                            bool is_first) {
    const char *said = session->desc->group_by;
    const char *wanted = is_first ? session->settings.group_by : "";
    task->is_said = !list && said;
    task->must_group = is_first && task->is_said;
    if (!list) list = said ? said : wanted;
    (void)mc_form_set_name(task->group_by, sizeof task->group_by, list);
    task->settings.group_by[0] = '\0';
}

// What is to be opened.
typedef struct opened {
    const char *const *paths;
    uint32_t path_count;
    const char *list; // in place of the command line's; NULL: that
    bool is_of_view;  // which says how it is grouped, or that it is as it was recorded
    bool is_first;
    const char *versus, *with;    // what is read beside it; NULL: nothing
    const uint32_t (*windows)[2]; // of these two, as of a view; NULL: all
    mc_dataset *open;             // what is open, in the place of the paths; or NULL
    bool changes_linked;
} opened;

// As it was when the other one was shown last.
static void take_linked(const mc_session *session, open_task *task) {
    const mc_session_linked *linked = &session->linked;
    task->changes_linked = true;
    task->left_layout = session->settings.layout;
    memcpy(task->left_group, session->settings.group_by, sizeof task->left_group);
    task->layout = linked->layout;
    if (session->follow.is_on)
        task->layout.window[0] = task->layout.window[1] = task->left_layout.window[0] =
            task->left_layout.window[1] = MC_NONE;
}

// Of another trace what is shown is as it is of this one.
static void take_layout(const mc_session *session, open_task *task) {
    task->layout.window[0] = task->layout.window[1] = MC_NONE;
    if (!session->trace) return;
    memcpy(task->layout.metric, session->settings.layout.metric, sizeof task->layout.metric);
    task->layout.metric_key = task->layout.area_key = NULL;
    task->layout.scaling = session->settings.layout.scaling;
    task->layout.tiling = session->settings.layout.tiling;
    task->layout.child_limit = session->settings.layout.child_limit;
}

static bool copy_paths(open_task *task, const opened *what) {
    if (what->versus && !(task->versus = mc_copy_string(what->versus))) return false;
    if (what->with && !(task->with = mc_copy_string(what->with))) return false;
    task->paths = mc_alloc_zero((size_t)what->path_count + 1, sizeof *task->paths);
    if (!task->paths) return false;
    for (; task->path_count < what->path_count; task->path_count++)
        if (!(task->paths[task->path_count] = mc_copy_string(what->paths[task->path_count])))
            return false;
    return true;
}

static void take_windows(open_task *task, const uint32_t (*windows)[2]) {
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        bool is_said = windows && windows[side][0] != MC_NONE;
        if (is_said) mc_pair_write_window(task->windows[side], windows[side]);
        task->pair.windows[side] = is_said ? task->windows[side] : NULL;
    }
}

// Two runs are compared as wholes unless somebody says how long a frame is.
static void choose_frame(const mc_session *session, const opened *what, mc_settings *settings) {
    bool was_pair = session->trace && mc_trace_is_versus(session->trace);
    bool is_said =
        what->is_first ? session->desc->is_frame_said || session->desc->is_lenient : was_pair;
    if (what->versus && !is_said) settings->frame_s = MC_FRAME_WHOLE_MS / 1000;
    if (!what->versus && was_pair && settings->frame_s * 1000 > MC_SLIDING_WINDOW_MOST_MS)
        settings->frame_s = MC_SLIDING_WINDOW_USUAL_MS / 1000;
}

static open_task *make_task(const mc_session *session, const opened *what) {
    open_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return NULL;
    task->skip_bad_steps = session->desc->skip_bad_steps;
    task->partial = session->desc->partial;
    task->no_references = session->desc->no_references;
    task->deep = session->desc->deep;
    task->stacks = session->desc->stacks;
    task->sample_interval_ms = session->desc->sample_interval_ms;
    task->profiles = session->desc->profiles;
    task->tab = what->is_first ? session->desc->tab : NULL;
    task->times = what->is_first ? session->desc->times : NULL; // another trace has other steps
    task->notes = what->is_first ? session->desc->notes : NULL;
    task->layout = session->opening.layout;
    task->settings = session->settings;
    choose_frame(session, what, &task->settings);
    choose_grouping(session, task, what->list, what->is_first);
    bool is_of_view = what->is_of_view || (what->is_first && session->desc->is_lenient);
    task->groups_as_usual = !is_of_view && !what->open && !what->changes_linked;
    task->is_usual =
        task->groups_as_usual && !task->group_by[0] && task->settings.usual_group_by[0];
    if (task->is_usual)
        memcpy(task->group_by, task->settings.usual_group_by, sizeof task->group_by);
    task->kind = session->views[task->settings.view]->kind;
    task->is_pictured = mc_session_is_pictured(session);
    if (what->is_first && !session->desc->is_lenient && !task->is_pictured)
        task->look = &session->desc->settings.look;
    task->headroom = session->follow.is_on ? MC_SESSION_HEADROOM : 0;
    task->is_live = session->follow.is_on;
    if (what->changes_linked)
        take_linked(session, task);
    else if (!what->is_first)
        take_layout(session, task);
    task->pair = session->desc->pair;
    if (!what->is_first) take_windows(task, what->windows); // nor has it these
    task->may_fetch = !what->is_first && !what->is_of_view;
    if (what->open) task->compared = mc_dataset_hold(what->open);
    if (copy_paths(task, what)) return task;
    destroy_open(task);
    return NULL;
}

static void open_paths(mc_session *session, const opened *what) {
    mc_error error = {0};
    open_task *task = make_task(session, what);
    if (!task) {
        mc_error_out_of_memory(&error);
        mc_session_set_message(session, error.message);
        return;
    }
    if (!what->changes_linked) session->linked.has_goal = false;
    if (!what->changes_linked && !what->with) session->linked.is_changing = false;
    if (session->opening.has_view) {
        mc_view_file_deinit(&session->opening.view); // other settings
        session->opening.has_view = false;
    }
    // Nor is a recording waited for any more.
    char *waited_for = session->follow.waits_for;
    session->follow.waits_for = NULL;
    const char *beside = what->versus ? what->versus : what->with;
    const char *path = what->open && beside ? beside : what->path_count > 0 ? what->paths[0] : NULL;
    char *name = path ? mc_command_get_trace_name(path) : NULL;
    mc_session_set_busy(session, MC_SESSION_OPENING, "Opening",
                        name                             ? name
                        : what->open && what->open->name ? what->open->name
                                                         : "");
    mc_free(name);
    mc_session_set_message(session, NULL);
    mc_job_start(session->work.job, (mc_job_task){run_open, destroy_open, task});
    mc_free(waited_for); // it may be what is opened
}

void mc_session_open(mc_session *session, const char *const *paths, uint32_t path_count,
                     bool is_first) {
    open_paths(session, &(opened){.paths = paths,
                                  .path_count = path_count,
                                  .is_first = is_first,
                                  .open = is_first ? session->desc->pictured : NULL,
                                  .versus = is_first ? session->desc->pair.versus : NULL,
                                  .with = is_first ? session->desc->with : NULL});
}

bool mc_session_open_pair(mc_session *session, const char *path) {
    mc_trace_location_pair pair;
    bool is_pair = mc_trace_location_split(path, &pair);
    if (is_pair) {
        session->opening.layout.pair = MC_PAIR_DIFFERENCE;
        memset(session->opening.layout.align, 0, sizeof session->opening.layout.align);
        const char *one = pair.path;
        open_paths(session, &(opened){.paths = &one,
                                      .path_count = 1,
                                      .versus = pair.is_versus ? pair.other : NULL,
                                      .with = pair.is_versus ? NULL : pair.other});
    }
    mc_trace_location_pair_deinit(&pair);
    return is_pair;
}

void mc_session_open_view(mc_session *session, const mc_view_file *view) {
    const char *list = view->settings.group_by;
    if (view->versus) {
        session->opening.layout.pair = view->settings.layout.pair;
        memcpy(session->opening.layout.align, view->settings.layout.align,
               sizeof session->opening.layout.align);
    }
    open_paths(session, &(opened){.paths = (const char *const *)view->paths.items,
                                  .path_count = view->paths.count,
                                  .list = list[0] ? list : NULL,
                                  .is_of_view = true,
                                  .versus = view->versus,
                                  .windows = view->pair_windows,
                                  .with = view->with});
}

// NULL: none; what that is for is said.
static mc_dataset *get_open(mc_session *session, const char *text) {
    mc_dataset *open = session->dataset;
    if (!open) mc_session_set_message(session, text);
    if (open && open->pair) open = open->pair->sides[MC_BEFORE];
    return open && open->base ? open->base : open;
}

void mc_session_open_versus(mc_session *session, const char *path) {
    mc_dataset *open =
        get_open(session, "Open a trace first, then another one to compare with it.");
    if (!open) return;
    session->opening.layout.pair = MC_PAIR_DIFFERENCE;
    memset(session->opening.layout.align, 0, sizeof session->opening.layout.align);
    const char *list = session->settings.group_by;
    open_paths(session, &(opened){.list = list[0] ? list : NULL, .versus = path, .open = open});
}

void mc_session_open_with(mc_session *session, const char *path) {
    mc_dataset *open = get_open(session, "Open a trace first, to link its methods with it.");
    if (!open) return;
    mc_session_want_moment(session, session->trace, mc_session_get_selected(session));
    const char *list = session->settings.group_by;
    open_paths(session, &(opened){.list = list[0] ? list : NULL, .with = path, .open = open});
}

// A recording that is followed has gone on since it was linked.
void mc_session_open_linked(mc_session *session) {
    const mc_session_linked *linked = &session->linked;
    const mc_form_texts *paths = &linked->dataset->paths;
    opened what = {.list = linked->group_by, .changes_linked = true};
    if (session->follow.is_on) {
        what.paths = (const char *const *)paths->items;
        what.path_count = paths->count;
    } else {
        what.open = linked->dataset;
    }
    open_paths(session, &what);
}

// What was opened, each and then both.
static void remember(mc_session *session, const open_task *task) {
    if (task->versus) mc_session_remember_path(session, task->versus);
    for (uint32_t i = task->path_count; i > 0; i--)
        mc_session_remember_path(session, task->paths[i - 1]);
    const char *other = task->versus ? task->versus : task->with;
    const mc_form_texts *compared = task->compared ? &task->compared->paths : NULL;
    const char *path = task->path_count == 1              ? task->paths[0]
                       : compared && compared->count == 1 ? compared->items[0]
                                                          : NULL;
    char *both =
        other && path ? mc_trace_location_make_pair(path, task->versus != NULL, other) : NULL;
    if (both) mc_session_remember_path(session, both);
    mc_free(both);
}

static bool adopt_trace(mc_session *session, open_task *task) {
    mc_session_forget_queries(session, false);
    mc_dataset *old = session->dataset;
    mc_layout *shown = task->shown;
    mc_session_linked *linked = &session->linked;
    linked->is_other = task->changes_linked && !linked->is_other;
    // Nodes of a recording that goes on are others when it is opened again.
    linked->keeps_history = task->changes_linked && !session->follow.is_on;
    mc_session_adopt_linked(session, task->changes_linked ? old : task->linked,
                            task->changes_linked ? &task->left_layout : NULL,
                            task->changes_linked ? task->left_group : NULL);
    session->dataset = task->dataset;
    session->trace = session->dataset->trace;
    task->dataset = NULL;
    task->shown = NULL;
    session->opening.layout = task->layout;
    session->settings.warnings_open = false;
    session->settings.selection = session->settings.tree_opened = mc_selection_of(MC_NONE);
    if (session->opening.has_begun)
        session->settings.tree_steps = session->settings.pinned = (mc_form_steps){.count = 0};
    session->settings.demolished = mc_selection_of(MC_NONE);
    session->asks_elsewhere = false;
    mc_playback before = session->playback;
    mc_playback_init(&session->playback, shown->window.first_step, shown->window.last_step);
    mc_playback_set_duration(&session->playback, before.step_duration_s);
    session->playback.loop = before.loop;
    session->playback.smooth = before.smooth;
    // What has grown is seen at the end.
    mc_playback_set_step(&session->playback, session->playback.last_step);
    session->playback.tween_elapsed_s = -1;
    remember(session, task);
    session->work.wanted = shown->settings;
    session->settings.is_home = true;
    session->work.is_numbered = false;
    bool fits = mc_session_swap_layout(session, shown, MC_LAYOUT_OPENED);
    mc_dataset_release(old);
    if (!fits) return false;
    mc_session_revert_layout(session);
    const mc_layout_options *asked = &session->opening.layout;
    if (asked->metric[0] && mc_trace_find_metric(session->trace, asked->metric) == MC_NONE)
        mc_session_tell_no_metric(session, asked->metric);
    session->charts.is_hint_dismissed = false;
    session->trace_version++;
    return true;
}

// Of which server, and which tabs: the first path that names none.
static void take_tabs(mc_session *session, const open_task *task) {
    mc_session_tabs *tabs = &session->opening.tabs;
    mc_ws_address address;
    uint32_t count = task->report.tab_count;
    for (uint32_t i = 0; i < task->path_count; i++) {
        if (!mc_ws_is_address(task->paths[i]) ||
            mc_ws_address_parse(task->paths[i], &address, NULL) != MC_OK)
            continue;
        address.has_tab = false;
        mc_ws_address_print(&address, tabs->address, sizeof tabs->address);
        tabs->count = count < MC_IMPORT_TAB_MOST ? count : MC_IMPORT_TAB_MOST;
        memcpy(tabs->tabs, task->report.tabs, tabs->count * sizeof *tabs->tabs);
        tabs->version++;
        return;
    }
}

bool mc_session_take_opened(mc_session *session, mc_job_outcome *outcome, uint32_t *skipped_count) {
    open_task *task = outcome->context;
    bool fits = outcome->result == MC_OK && adopt_trace(session, task);
    *skipped_count = task->report.skipped_count;
    if (outcome->result != MC_OK && task->report.tab_count > 0) take_tabs(session, task);
    if (task->remarks.size > 0 && !task->remarks.failed)
        mc_session_complain(session, task->remarks.data);
    destroy_open(task);
    return fits;
}

bool mc_session_end_task(mc_session *session, double most_s) {
    if (session->work.task == MC_SESSION_IDLE) return true;
    mc_session_cancel(session);
    mc_job_outcome outcome;
    uint64_t end = mc_clock_now_ns() + (uint64_t)(most_s * 1e9);
    while (!mc_job_take(session->work.job, &outcome)) {
        if (mc_clock_now_ns() >= end) return false;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    if (session->work.task == MC_SESSION_OPENING) {
        destroy_open(outcome.context);
    } else {
        mc_session_drop_layout(outcome.context);
    }
    session->work.task = MC_SESSION_IDLE;
    return true;
}
