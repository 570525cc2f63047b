#include "app/owner_text.h"

#include "app/format.h"
#include "app/pace_text.h"
#include "app/root_path_text.h"
#include "app/unit_text.h"
#include "engine/analyze/class_names.h"
#include <inttypes.h>
#include <string.h>

#define MOST_HOPS 24u   // that are told of one way
#define MOST_SHARERS 3u // that are named

typedef struct words {
    const mc_finding *finding;
    const mc_trace *trace; // this one's
    const mc_causes *causes;
    const mc_cause *cause;
    const mc_owner *owners; // of the trace
    mc_text *out;
} words;

static words make_words(const mc_finding *from, mc_text *out) {
    uint32_t count;
    const mc_owner *owners = mc_trace_get_owners(from->trace, &count);
    return (words){from, from->trace, from->causes, from->cause, owners, out};
}

static const mc_owner *get_owner(const words *w, uint32_t hop) {
    return &w->owners[w->cause->owner.hops[hop].owner];
}

static const mc_cause_hop *get_hop(const words *w, uint32_t hop) {
    return &w->cause->owner.hops[hop];
}

static bool is_single(const words *w) {
    return w->causes->suspects.verdict == MC_HEAP_SINGLE;
}

// ---- names

static const char *get_text(const words *w, uint32_t string, size_t *size) {
    *size = 0;
    return string == MC_NONE ? "" : mc_trace_get_string(w->trace, string, size);
}

static bool ends_with(const words *w, uint32_t string, const char *end) {
    size_t size, length = strlen(end);
    const char *text = get_text(w, string, &size);
    return size >= length && memcmp(text + size - length, end, length) == 0;
}

// Without its package.
static void append_class(const words *w, uint32_t string) {
    size_t size;
    const char *name = get_text(w, string, &size);
    size_t begin = size;
    const bool is_class = size > 6 && memcmp(name, "class ", 6) == 0;
    if (memchr(name, ' ', size) && !is_class) { // no name of a class: "Hash made at leak.rb:5"
        mc_format_append_line(w->out, name, size);
        return;
    }
    const char *hidden = memchr(name, '/', size); // what a JVM numbers, as lambdas
    if (hidden) size = begin = (size_t)(hidden - name);
    while (begin > 0 && name[begin - 1] != '.')
        begin--;
    mc_format_append_line(w->out, name + begin, size - begin);
}

static void append_string(const words *w, uint32_t string) {
    size_t size;
    const char *text = get_text(w, string, &size);
    mc_format_append_line(w->out, text, size);
}

static bool is_vowel(char c) {
    return c != 0 && strchr("AEIOUaeiou", c) != NULL;
}

// "a HashMap", "4 HashMaps".
static void append_counted_class(const words *w, uint64_t count, uint32_t string) {
    char number[MC_FORMAT_SIZE];
    if (count == 1) {
        mc_text name = {0};
        append_class(&(words){.trace = w->trace, .out = &name}, string);
        mc_text_append_string(w->out, name.size > 0 && is_vowel(name.data[0]) ? "an " : "a ");
        mc_text_append(w->out, name.data, name.size);
        w->out->failed |= name.failed;
        mc_text_deinit(&name);
        return;
    }
    mc_text_format(w->out, "%s ", mc_format_count(number, count));
    append_class(w, string);
    if (!ends_with(w, string, "[]") && !ends_with(w, string, "s") && !ends_with(w, string, ")"))
        mc_text_append_string(w->out, "s");
}

// ---- roots

// `thread "worker-#"` as worker-#, "goroutine created by main.serve" as created by main.serve.
static void append_thread_name(const words *w, uint32_t string) {
    static const char before[] = "thread \"", of_go[] = "goroutine ";
    size_t size, length = sizeof before - 1;
    const char *text = get_text(w, string, &size);
    if (size >= sizeof of_go && memcmp(text, of_go, sizeof of_go - 1) == 0) {
        text += sizeof of_go - 1;
        size -= sizeof of_go - 1;
    } else if (size > length && memcmp(text, before, length) == 0 && text[size - 1] == '"') {
        text += length;
        size -= length + 1;
    }
    mc_format_append_line(w->out, text, size);
}

static bool is_text(const words *w, uint32_t string, const char *wanted) {
    size_t size;
    const char *text = get_text(w, string, &size);
    return size == strlen(wanted) && memcmp(text, wanted, size) == 0;
}

// What a runtime calls a thread.
static const char *get_thread_word(const words *w, const mc_owner *owner) {
    if (is_text(w, owner->class, "goroutine")) return "goroutine";
    return ends_with(w, owner->class, ".VirtualThread") ? "virtual thread" : "thread";
}

static void append_threads(const words *w, const mc_cause_hop *hop, const mc_owner *owner) {
    const bool is_of_go = is_text(w, owner->class, "goroutine");
    char count[MC_FORMAT_SIZE];
    if (hop->objects == 1 && (hop->example != MC_NONE || owner->field != MC_NONE)) {
        append_string(w, hop->example != MC_NONE ? hop->example : owner->field);
        return;
    }
    mc_text_append_string(w->out,
                          mc_format_counted(count, hop->objects, get_thread_word(w, owner)));
    if (owner->field == MC_NONE || is_text(w, owner->field, "goroutine") ||
        is_text(w, owner->field, "thread #"))
        return; // without a name
    mc_text_append_string(w->out, " (");
    append_thread_name(w, owner->field);
    if (hop->example != MC_NONE && hop->example != owner->field && !is_of_go) {
        mc_text_append_string(w->out, ", for instance ");
        append_thread_name(w, hop->example);
    }
    mc_text_append_string(w->out, ")");
}

static void append_plain_root(const words *w, const mc_owner *owner) {
    mc_root_path trail = {
        .root_kind = (mc_root_kind)owner->root, .root_name = owner->field, .root_name_count = 1};
    if (owner->root >= MC_ROOT_COUNT)
        mc_text_append_string(w->out, "several owners");
    else
        mc_root_path_append_root(&trail, w->trace, w->out);
}

static void append_root(const words *w) {
    const mc_owner *owner = get_owner(w, 0);
    if (owner->root == MC_ROOT_THREAD)
        append_threads(w, get_hop(w, 0), owner);
    else
        append_plain_root(w, owner);
}

void mc_owner_append_root(const mc_finding *of, mc_text *out) {
    words w = make_words(of, out);
    const mc_owner *owner = get_owner(&w, 0);
    if (owner->root == MC_ROOT_STATIC && owner->field != MC_NONE)
        append_string(&w, owner->field);
    else
        append_root(&w);
}

// ---- where it piles up

static bool is_thread_local(const words *w, uint32_t hop) {
    return ends_with(w, get_owner(w, hop)->class, "ThreadLocal$ThreadLocalMap$Entry");
}

static bool is_loader(const words *w, uint32_t hop) {
    return ends_with(w, get_owner(w, hop)->class, "ClassLoader");
}

// "closure variable cache of handle (leak.js:6)": an author has given it that name.
static bool is_variable(const words *w, uint32_t hop) {
    static const char before[] = "closure variable ";
    size_t size;
    const char *text = get_text(w, get_owner(w, hop)->field, &size);
    return size > sizeof before - 1 && memcmp(text, before, sizeof before - 1) == 0;
}

// The hop of the collection, or of what is alone in a field, that the program sees. The first that
// a field of the program, a static field or a ThreadLocal has.
static uint32_t find_collection(const words *w) {
    const mc_cause_owner *owner = &w->cause->owner;
    uint32_t at = owner->kind == MC_OWNER_MANY && owner->top > 0 ? owner->top - 1 : owner->top;
    if (at == owner->top && owner->kind == MC_OWNER_MANY) return at;
    if (!get_hop(w, at)->is_library) return at;
    while (at > 0 && get_hop(w, at - 1)->is_library && !is_variable(w, at) &&
           !is_thread_local(w, at - 1) && get_owner(w, at - 1)->root != MC_ROOT_THREAD &&
           !is_loader(w, at - 1))
        at--;
    return at;
}

// The hop of a ThreadLocal's value before `until`; MC_NONE: there is none.
static uint32_t find_thread_local(const words *w, uint32_t until) {
    for (uint32_t i = 0; i < until; i++)
        if (is_thread_local(w, i)) return i + 1;
    return MC_NONE;
}

// "ThreadLocal Requests.CONTEXT", if its name is known.
static void append_thread_local(const words *w, uint32_t hop) {
    static const char before[] = "ThreadLocal ";
    size_t size;
    uint32_t field = hop < w->cause->owner.count ? get_owner(w, hop)->field : MC_NONE;
    const char *text = get_text(w, field, &size);
    bool is_named = size > sizeof before - 1 && memcmp(text, before, sizeof before - 1) == 0;
    mc_text_append_string(w->out, is_named ? before : "a ThreadLocal");
    if (is_named) mc_static_append_name(w->trace, field, w->out);
}

// How many entries the collection has, if that can be told; 0: not.
static uint64_t count_entries(const words *w, uint32_t collection) {
    const mc_cause_owner *owner = &w->cause->owner;
    for (uint32_t i = collection + 1; i < owner->count && get_hop(w, i)->is_library; i++)
        if (get_hop(w, i)->is_part && !ends_with(w, get_owner(w, i)->class, "[]"))
            return get_hop(w, i)->objects;
    return 0;
}

static void append_collection(const words *w, uint32_t hop) {
    char count[MC_FORMAT_SIZE];
    uint64_t entries = count_entries(w, hop);
    append_counted_class(w, get_hop(w, hop)->objects, get_owner(w, hop)->class);
    if (entries > 0)
        mc_text_format(w->out, " with %s %s", mc_format_count(count, entries),
                       entries == 1 ? "entry" : "entries");
}

// "static X.a" as X.a, of a field its name.
static void append_field(const words *w, uint32_t hop) {
    const mc_owner *owner = get_owner(w, hop);
    if (owner->parent == MC_NONE && owner->root == MC_ROOT_STATIC && owner->field != MC_NONE)
        mc_static_append_name(w->trace, owner->field, w->out);
    else
        append_string(w, owner->field);
}

static bool is_static(const words *w, uint32_t hop) {
    const mc_owner *owner = get_owner(w, hop);
    return owner->parent == MC_NONE && owner->root == MC_ROOT_STATIC && owner->field != MC_NONE;
}

// Several owners reference it: no field of one is its name.
static bool is_shared(const words *w, uint32_t hop) {
    const mc_owner *owner = get_owner(w, hop);
    return owner->parent == MC_NONE ? owner->root == MC_OWNER_SHARED : owner->field == MC_NONE;
}

// What is kept for a while: until it is finalized, or memory is short.
static bool is_late(const words *w, uint32_t hop) {
    const mc_owner *owner = get_owner(w, hop);
    return owner->parent == MC_NONE &&
           (owner->root == MC_ROOT_FINALIZING || owner->root == MC_ROOT_SOFT);
}

static void append_late(const words *w) {
    mc_text_append_string(w->out, get_owner(w, 0)->root == MC_ROOT_SOFT
                                      ? " that only soft references hold, until memory is short,"
                                      : " that wait to be finalized");
}

// What a root keeps without a field that would name it.
static bool is_root(const words *w, uint32_t hop) {
    return hop == 0 && !is_static(w, 0);
}

// "Shop.sessions (a HashMap with 5,600 entries)", "ThreadLocal Requests.CONTEXT (4 HashMaps) of 4
// threads (worker-#, for instance worker-1)".
static void append_place(const words *w, uint32_t hop) {
    bool is_of_thread = hop > 0 && is_thread_local(w, hop - 1);
    if (is_of_thread) {
        append_thread_local(w, hop);
    } else if (is_late(w, hop)) {
        append_collection(w, hop);
        append_late(w);
        return;
    } else if (is_root(w, hop) && get_owner(w, 0)->root == MC_ROOT_THREAD) {
        append_root(w);
        return;
    } else if (is_shared(w, hop)) {
        append_collection(w, hop);
        return;
    } else if (is_root(w, hop)) {
        append_root(w);
    } else {
        append_field(w, hop);
    }
    mc_text_append_string(w->out, " (");
    append_collection(w, hop);
    mc_text_append_string(w->out, ")");
    if (!is_of_thread) return;
    mc_text_append_string(w->out, " of ");
    append_root(w);
}

// ---- who keeps that alive

static void append_sharer(const words *w, const mc_sharer *sharer, const char *before) {
    const mc_owner *root = &w->owners[sharer->root];
    if (root->root == MC_ROOT_STATIC && root->field != MC_NONE) {
        mc_static_append_whole(w->trace, root->field, before, w->out);
    } else if (root->root < MC_ROOT_COUNT) {
        append_plain_root(w, root);
    } else {
        append_string(w, sharer->field);
    }
}

void mc_owner_append_sharer(const mc_trace *trace, const mc_sharer *sharer, mc_text *out) {
    words w = make_words(&(mc_finding){.trace = trace}, out);
    append_sharer(&w, sharer, "static ");
}

static uint32_t count_named(const mc_sharers *sharers) {
    return sharers->count < MOST_SHARERS ? sharers->count : MOST_SHARERS;
}

static void append_sharer_names(const words *w, const mc_sharers *sharers) {
    const uint32_t count = count_named(sharers), more = sharers->all_count - count;
    for (uint32_t i = 0; i < count; i++) {
        bool is_last = i + 1 == count && more == 0;
        mc_text_append_string(w->out, i == 0 ? "" : is_last ? " and " : ", ");
        append_sharer(w, &sharers->items[i], "");
    }
    if (more > 0) mc_text_format(w->out, " and %" PRIu32 " more", more);
}

void mc_owner_append_sharers(const mc_trace *trace, const mc_sharers *sharers, mc_text *out) {
    words w = make_words(&(mc_finding){.trace = trace}, out);
    if (sharers->all_count == 0) {
        mc_text_append_string(out, "several owners");
    } else if (sharers->all_count == 1) {
        append_sharer(&w, &sharers->items[0], "static ");
    } else if (sharers->all_count == 2) {
        mc_text_append_string(out, "both ");
        append_sharer_names(&w, sharers);
    } else {
        mc_text_format(out, "%" PRIu32 " owners at once (", sharers->all_count);
        append_sharer_names(&w, sharers);
        mc_text_append_string(out, ")");
    }
}

// With what it is and how much it holds: "static A.sessions (a HashMap, 12,000 references)".
static void append_sharer_whole(const words *w, const mc_sharer *sharer) {
    const mc_owner *root = &w->owners[sharer->root];
    char count[MC_FORMAT_SIZE];
    append_sharer(w, sharer, "static ");
    mc_text_append_string(w->out, " (");
    if (root->root == MC_ROOT_STATIC && root->class != MC_NONE) {
        append_counted_class(w, 1, root->class);
        mc_text_append_string(w->out, ", ");
    }
    mc_text_format(w->out, "%s)", mc_format_counted(count, sharer->references, "reference"));
}

void mc_owner_append_sharers_whole(const mc_trace *trace, const mc_sharers *sharers, mc_text *out) {
    words w = make_words(&(mc_finding){.trace = trace}, out);
    const uint32_t count = count_named(sharers), more = sharers->all_count - count;
    if (sharers->all_count == 0)
        mc_text_append_string(out,
                              "several owners that this file does not name; `memcity paths DUMP "
                              "--of KEY` shows them");
    if (sharers->all_count > 1)
        mc_text_format(out, "%" PRIu32 " owners at once: ", sharers->all_count);
    for (uint32_t i = 0; i < count; i++) {
        mc_text_append_string(out, i == 0 ? "" : ", ");
        append_sharer_whole(&w, &sharers->items[i]);
    }
    if (more > 0) mc_text_format(out, " and %" PRIu32 " more", more);
}

// Where all of them are of one of Node's modules, as those that keep timers: its name,
// "node:timers", says it.
static bool append_module(const words *w, const mc_sharers *sharers) {
    mc_text module = {0};
    bool is_one = sharers->all_count > 0 && sharers->all_count <= sharers->count;
    for (uint32_t i = 0; i < sharers->count && is_one; i++) {
        mc_text name = {0};
        words of = *w;
        of.out = &name;
        append_sharer(&of, &sharers->items[i], "");
        const char *found = strstr(mc_text_get(&name), "(node:");
        const size_t size = found ? strcspn(found + 6, ":)") + 5 : 0;
        is_one =
            found && (i == 0 || (module.size == size && memcmp(module.data, found + 1, size) == 0));
        if (is_one && i == 0) mc_text_append(&module, found + 1, size);
        mc_text_deinit(&name);
    }
    is_one = is_one && !module.failed;
    if (is_one) mc_text_format(w->out, "Node itself (%s)", mc_text_get(&module));
    mc_text_deinit(&module);
    return is_one;
}

// Behind the place: what holds it, unless that was said. Whether something was said.
static bool append_held_by(const words *w, uint32_t hop) {
    const mc_cause_owner *owner = &w->cause->owner;
    if (owner->sharers.count > 0) {
        mc_text_append_string(w->out, ", kept alive by ");
        if (!append_module(w, &owner->sharers))
            mc_owner_append_sharers(w->trace, &owner->sharers, w->out);
        return true;
    }
    if (hop == 0 || is_static(w, hop) || is_thread_local(w, hop - 1)) return false;
    uint32_t local = find_thread_local(w, hop);
    mc_text_append_string(w->out, ", kept alive by ");
    if (local != MC_NONE) {
        append_thread_local(w, local);
        mc_text_append_string(w->out, " of ");
    }
    append_root(w);
    return true;
}

// ---- how much

static void append_share_of_heap(const words *w, uint64_t bytes) {
    char share[MC_FORMAT_SIZE], size[MC_FORMAT_SIZE];
    double heap = (double)w->causes->heap;
    mc_text_format(w->out, "%s of the heap, %s",
                   mc_format_share(share, heap > 0 ? (double)bytes / heap : 0),
                   mc_format_bytes(size, bytes));
}

// "+5,250 objects and +1.8 MiB since the recording began, +311 KiB/s since step 8 (0:34); full in
// 41 min."
static void append_growth(const words *w, const char *what) {
    mc_step_range window = w->causes->desc.window;
    const mc_cause *cause = w->cause;
    const mc_cause_owner *owner = &cause->owner;
    const mc_metric_info *unit = mc_trace_get_metric(w->trace, MC_METRIC_BYTES);
    char text[MC_FORMAT_SIZE];
    int64_t more = owner->is_located ? cause->growth_objects : owner->more_objects;
    if (owner->kind == MC_OWNER_MANY && more > 0)
        mc_text_format(w->out, "%s%s %s and ", owner->is_about ? "about " : "",
                       mc_format_growth(text, more), what);
    mc_text_format(w->out, "%s since ", mc_format_bytes_growth(text, cause->growth));
    mc_finding_append_step(w->trace, window.first_step, w->out);
    if (w->causes->suspects.is_short) {
        mc_text_append_string(w->out, ". ");
        mc_finding_append_short(&w->causes->suspects, window, w->out);
        return;
    }
    mc_text_append_string(w->out, ", ");
    mc_pace_append(w->trace, window, unit, cause->growth_per_s, w->out);
    if (cause->change.is_found) {
        mc_text_append_string(w->out, " since ");
        mc_finding_append_step(w->trace, cause->since_step, w->out);
    }
    mc_finding_append_full(w->finding, w->out);
    mc_unit_append_of_cause(w->trace, w->causes, cause, w->out);
    mc_text_append_string(w->out, ".");
}

// ---- the sentence

// The class of what piles up, and which others do by the same field.
static void append_what(const words *w) {
    const mc_cause_owner *owner = &w->cause->owner;
    append_class(w, get_owner(w, owner->count - 1)->class);
    if (owner->alike > 0)
        mc_text_format(w->out, " objects (and those of %" PRIu32 " more %s)", owner->alike,
                       owner->alike == 1 ? "class" : "classes");
    else if (!is_single(w))
        mc_text_append_string(w->out, " objects");
}

// As a loader: of which objects.
static void append_loader(const words *w) {
    const mc_cause_owner *owner = &w->cause->owner;
    if (!is_loader(w, owner->count - 1) || owner->top + 1 == owner->count) return;
    for (uint32_t i = owner->top; i + 1 < owner->count; i++) {
        if (get_hop(w, i)->is_library) continue;
        mc_text_append_string(w->out, ", as the loader of ");
        append_class(w, get_owner(w, i)->class);
        return;
    }
}

// Threads that pile up themselves, or keep the most.
static bool are_threads(const words *w, uint32_t at) {
    const mc_cause_owner *owner = &w->cause->owner;
    return at == 0 && at == owner->top && owner->kind == MC_OWNER_MANY &&
           get_owner(w, 0)->root == MC_ROOT_THREAD;
}

// What piles up lies in no collection or object that has a name: a root has it.
static bool is_itself(const words *w, uint32_t at) {
    return at == w->cause->owner.top && w->cause->owner.kind == MC_OWNER_MANY;
}

static void append_piles(const words *w, uint32_t at) {
    append_what(w);
    if (is_itself(w, at) && is_late(w, at)) append_late(w);
    mc_text_append_string(w->out, " pile up");
    if (is_itself(w, at) && is_late(w, at)) {
        // said
    } else if (!is_itself(w, at)) {
        mc_text_append_string(w->out, " in ");
        append_place(w, at);
    } else if (is_static(w, at)) {
        mc_text_append_string(w->out, " in ");
        append_field(w, at);
    } else if (!is_shared(w, at)) {
        mc_text_append_string(w->out, ", kept alive by ");
        append_root(w);
    }
    append_loader(w);
    append_held_by(w, at);
    mc_text_append_string(w->out, ": ");
    append_growth(w, "objects");
}

// What the threads have for themselves: ", each with a Poller".
static void append_of_each(const words *w) {
    const mc_cause_owner *owner = &w->cause->owner;
    const uint32_t last = owner->count - 1;
    if (last == 0) return;
    if (get_hop(w, last)->objects == get_hop(w, 0)->objects) {
        mc_text_append_string(w->out, ", each with ");
        append_counted_class(w, 1, get_owner(w, last)->class);
        return;
    }
    mc_text_append_string(w->out, ", with ");
    append_what(w);
}

static void append_series(const words *w) {
    const mc_cause_owner *owner = &w->cause->owner;
    uint32_t at = find_collection(w);
    bool is_one = get_hop(w, at)->objects == 1;
    if (are_threads(w, at)) {
        append_root(w);
        mc_text_append_string(w->out, " pile up");
        append_of_each(w);
        mc_text_append_string(w->out, ": ");
        append_growth(w,
                      is_text(w, get_owner(w, 0)->class, "goroutine") ? "goroutines" : "threads");
        return;
    }
    if (owner->kind == MC_OWNER_MANY) {
        append_piles(w, at);
        return;
    }
    append_place(w, at);
    if (append_held_by(w, at)) mc_text_append_string(w->out, ",");
    if (owner->kind == MC_OWNER_LARGE)
        mc_text_append_string(w->out, is_one ? " becomes ever larger: " : " become ever larger: ");
    else
        mc_text_append_string(w->out, is_one ? " keeps ever more, in many small parts: "
                                             : " keep ever more, in many small parts: ");
    append_growth(w, "");
}

static void append_in_it(const words *w, uint32_t at) {
    const mc_cause_owner *owner = &w->cause->owner;
    const mc_cause_hop *content = get_hop(w, owner->count - 1);
    char count[MC_FORMAT_SIZE];
    if (owner->kind == MC_OWNER_MANY) {
        mc_text_format(w->out, ": %s ", mc_format_count(count, content->objects));
        append_what(w);
        append_loader(w);
    } else if (owner->kind == MC_OWNER_SCATTERED) {
        mc_text_append_string(w->out, ", in many small parts");
    } else if (owner->count - 1 > at) {
        mc_text_append_string(w->out, ": ");
        append_counted_class(w, content->objects, get_owner(w, owner->count - 1)->class);
    }
}

static void append_one_step(const words *w) {
    const mc_cause_owner *owner = &w->cause->owner;
    char count[MC_FORMAT_SIZE];
    uint32_t at = find_collection(w);
    bool is_alone = is_itself(w, at);
    if (are_threads(w, at)) {
        append_root(w);
    } else if (is_alone) {
        mc_text_format(w->out, "%s ",
                       mc_format_count(count, get_hop(w, owner->count - 1)->objects));
        append_what(w);
        if (is_late(w, at)) {
            append_late(w);
        } else if (!is_shared(w, at)) {
            mc_text_append_string(w->out, ", kept alive by ");
            append_root(w);
            mc_text_append_string(w->out, ",");
        } else if (append_held_by(w, at)) {
            mc_text_append_string(w->out, ",");
        }
    } else {
        append_place(w, at);
        if (append_held_by(w, at)) mc_text_append_string(w->out, ",");
    }
    mc_text_append_string(w->out, is_alone || get_hop(w, at)->objects != 1 ? " keep " : " keeps ");
    append_share_of_heap(w, is_alone ? owner->retained_bytes : get_hop(w, at)->retained_bytes);
    if (!is_alone || (are_threads(w, at) && owner->count > 1)) append_in_it(w, at);
    mc_text_append_string(w->out, ".");
}

// A sentence that begins with an article begins with a capital letter; names are as they are.
static void capitalize(mc_text *out, size_t begin) {
    static const char *const articles[] = {"a ", "an ", "the ", "native "};
    for (size_t i = 0; i < sizeof articles / sizeof *articles && !out->failed; i++) {
        size_t length = strlen(articles[i]);
        if (out->size - begin >= length && memcmp(out->data + begin, articles[i], length) == 0) {
            out->data[begin] = (char)(out->data[begin] - 'a' + 'A');
            return;
        }
    }
}

void mc_owner_append_sentence(const mc_finding *of, mc_text *out) {
    words w = make_words(of, out);
    size_t begin = out->size;
    if (is_single(&w))
        append_one_step(&w);
    else
        append_series(&w);
    capitalize(out, begin);
}

// ---- the evidence

static void append_hop(const words *w, const mc_cause_hop *hop) {
    char count[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    const mc_owner *owner = &w->owners[hop->owner];
    if (hop->objects > 1) mc_text_format(w->out, "%s ", mc_format_count(count, hop->objects));
    append_class(w, owner->class);
    mc_text_format(w->out, ", %s", mc_format_bytes(bytes, hop->retained_bytes));
}

void mc_owner_append_content(const mc_finding *of, mc_text *out) {
    words w = make_words(of, out);
    const mc_cause_owner *owner = &of->cause->owner;
    const mc_cause_hop *content = &owner->hops[owner->count - 1];
    char text[MC_FORMAT_SIZE];
    append_string(&w, w.owners[content->owner].class);
    mc_text_format(out, ": %s", mc_format_counted(text, content->objects, "object"));
    if (!is_single(&w) && owner->more_objects != 0 && owner->alike == 0)
        mc_text_format(out, " (%s%s)", owner->is_about ? "about " : "",
                       mc_format_growth(text, owner->more_objects));
    mc_text_format(out, ", %s retained", mc_format_bytes(text, content->retained_bytes));
    if (!is_single(&w) && !owner->is_located)
        mc_text_format(out, " (%s)", mc_format_bytes_growth(text, owner->content_growth));
    for (uint32_t i = 0; i < owner->below_count; i++) {
        mc_text_append_string(out, i == 0 ? "; of it " : "; ");
        append_hop(&w, &owner->below[i]);
    }
}

void mc_owner_append_path(const mc_finding *of, mc_text *out) {
    words w = make_words(of, out);
    const mc_cause_owner *owner = &of->cause->owner;
    bool is_of_several = get_owner(&w, 0)->root == MC_OWNER_SHARED && owner->hops[0].objects > 0;
    if (is_of_several)
        mc_owner_append_sharers_whole(of->trace, &owner->sharers, out);
    else
        mc_owner_append_root(of, out);
    if (get_owner(&w, 0)->root != MC_ROOT_THREAD && owner->hops[0].objects > 0) {
        mc_text_append_string(out, is_of_several ? " → " : ": ");
        append_hop(&w, &owner->hops[0]);
    }
    for (uint32_t i = 1; i < owner->count; i++) {
        uint32_t left_out = owner->count > MOST_HOPS ? owner->count - MOST_HOPS : 0;
        if (left_out > 0 && i == MOST_HOPS / 2) {
            mc_text_format(out, " → … %" PRIu32 " more …", left_out);
            i += left_out;
        }
        mc_text_append_string(out, " → ");
        if (get_owner(&w, i)->field != MC_NONE)
            append_string(&w, get_owner(&w, i)->field);
        else
            mc_text_append_string(out, "(several ways)");
        mc_text_append_string(out, ": ");
        append_hop(&w, &owner->hops[i]);
    }
}

void mc_owner_append_jvm(const mc_trace *trace, const mc_causes *causes, mc_text *out) {
    char bytes[MC_FORMAT_SIZE];
    if (causes->jvm_bytes > 0)
        mc_text_format(out, "the %s itself keeps %s",
                       mc_class_is_jvm_trace(trace) ? "JVM" : "runtime",
                       mc_format_bytes(bytes, causes->jvm_bytes));
}
