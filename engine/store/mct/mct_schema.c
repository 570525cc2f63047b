#include "engine/store/mct/mct_schema.h"

#include <stddef.h>

// clang-format off

// Of a row of `node`: its names from the root down, its classifier's name.
#define PATH_OF(row) \
    "  (WITH RECURSIVE way(id, up, path) AS (\n" \
    "     SELECT " row ".id, " row ".parent, " row ".name\n" \
    "     UNION ALL\n" \
    "     SELECT n.id, n.parent, n.name || ' > ' || way.path FROM way JOIN node AS n\n" \
    "       ON n.id = way.up)\n" \
    "   SELECT path FROM way WHERE up IS NULL)"
#define PATH PATH_OF("node")
#define CLASSIFIER "  (SELECT name FROM classifier WHERE id = node.classifier)"

#define TIMES \
    "  (SELECT first_time_ms FROM node_state) AS first_time_ms,\n" \
    "  (SELECT last_time_ms FROM node_state) AS last_time_ms"

// Of a row of `top`, wherever its metric's numbers are.
#define OF(number) \
    "CASE top.metric WHEN 0 THEN node.objects_" number " WHEN 1 THEN node.bytes_" number \
    " ELSE v." number " END AS " number

const char *const mc_mct_limits_schema[] = {
    "CREATE TABLE step_limit(step INTEGER PRIMARY KEY, heap_limit INTEGER NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",
    NULL};

const char mc_mct_node_table[] =
    "CREATE TABLE node(id INTEGER PRIMARY KEY, parent INTEGER, name TEXT NOT NULL,\n"
    "  classifier INTEGER, is_leaf INTEGER NOT NULL,\n"
    "  bytes_first INTEGER NOT NULL, bytes_last INTEGER NOT NULL, bytes_max INTEGER NOT NULL,\n"
    "  objects_first INTEGER NOT NULL, objects_last INTEGER NOT NULL,\n"
    "  objects_max INTEGER NOT NULL,\n"
    "  bytes_growth INTEGER AS (bytes_last - bytes_first),\n"
    "  objects_growth INTEGER AS (objects_last - objects_first))";

const char *const mc_mct_schema[] = {
    "CREATE TABLE trace(id INTEGER PRIMARY KEY CHECK(id = 1), form INTEGER NOT NULL,\n"
    "  step_count INTEGER NOT NULL, node_count INTEGER NOT NULL, string_count INTEGER NOT NULL,\n"
    "  classifier_count INTEGER NOT NULL, own_count INTEGER NOT NULL,\n"
    "  reordered INTEGER NOT NULL, finished INTEGER NOT NULL, metric_count INTEGER NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",

    "CREATE TABLE metric(id INTEGER PRIMARY KEY, name TEXT NOT NULL, title TEXT NOT NULL,\n"
    "  unit TEXT NOT NULL, kind TEXT NOT NULL, additive INTEGER NOT NULL, real INTEGER NOT NULL,\n"
    "  says INTEGER NOT NULL, largest INTEGER NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE classifier(id INTEGER PRIMARY KEY, name TEXT NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",

    "CREATE TABLE strings(first INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  sizes BLOB NOT NULL, bytes BLOB NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE nodes(first INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  parents BLOB NOT NULL, keys BLOB NOT NULL, names BLOB NOT NULL, roles BLOB NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",

    "CREATE TABLE own(id INTEGER PRIMARY KEY, count INTEGER NOT NULL, nodes BLOB NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",

    "CREATE TABLE appearance(id INTEGER PRIMARY KEY CHECK(id = 1), count INTEGER NOT NULL,\n"
    "  ranks BLOB NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE step(id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL,\n"
    "  objects INTEGER NOT NULL, bytes INTEGER NOT NULL, node_count INTEGER NOT NULL,\n"
    "  leaf_count INTEGER NOT NULL, pair_count INTEGER NOT NULL,\n"
    "  known_node_count INTEGER NOT NULL, columns INTEGER NOT NULL,\n"
    "  directions INTEGER NOT NULL, rename_count INTEGER NOT NULL, reals INTEGER NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",

    "CREATE TABLE step_column(id INTEGER PRIMARY KEY, base INTEGER NOT NULL,\n"
    "  data BLOB NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE step_references(step INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  from_nodes BLOB NOT NULL, to_nodes BLOB NOT NULL, points_to BLOB NOT NULL,\n"
    "  pointed_from BLOB NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE step_renames(step INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  nodes BLOB NOT NULL, names BLOB NOT NULL, roles BLOB NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",

    "CREATE TABLE maximum(kind INTEGER PRIMARY KEY, step_count INTEGER NOT NULL,\n"
    "  node_count INTEGER NOT NULL, data BLOB NOT NULL, checksum INTEGER NOT NULL)",

    mc_mct_node_table,

    "CREATE TABLE node_state(id INTEGER PRIMARY KEY CHECK(id = 1), step_count INTEGER NOT NULL,\n"
    "  first_time_ms INTEGER NOT NULL, last_time_ms INTEGER NOT NULL)",

    "CREATE TABLE node_metric(metric INTEGER NOT NULL, node INTEGER NOT NULL,\n"
    "  first NUMERIC, last NUMERIC, max NUMERIC, sum NUMERIC,\n"
    "  growth NUMERIC AS (last - first), PRIMARY KEY(metric, node)) WITHOUT ROWID",

    "CREATE TABLE top(metric INTEGER NOT NULL, rank INTEGER NOT NULL, node INTEGER NOT NULL,\n"
    "  PRIMARY KEY(metric, rank)) WITHOUT ROWID",

    "CREATE VIEW growth AS SELECT\n" PATH " AS path,\n" CLASSIFIER " AS classifier,\n"
    "  bytes_growth AS growth, bytes_growth, bytes_first, bytes_last, bytes_max,\n"
    "  objects_growth, objects_first, objects_last, objects_max,\n"
    TIMES "\n"
    "FROM node WHERE is_leaf",

    "CREATE VIEW growth_of AS SELECT metric.name AS metric,\n" PATH " AS path,\n"
    CLASSIFIER " AS classifier,\n"
    "  v.growth, v.first, v.last, v.max, v.sum,\n" TIMES "\n"
    "FROM metric JOIN (\n"
    "  SELECT 0 AS metric, id AS node, objects_first AS first, objects_last AS last,\n"
    "    objects_max AS max, NULL AS sum, objects_growth AS growth FROM node\n"
    "  UNION ALL SELECT 1, id, bytes_first, bytes_last, bytes_max, NULL, bytes_growth FROM node\n"
    "  UNION ALL SELECT metric, node, first, last, max, sum, growth FROM node_metric) AS v\n"
    "  ON v.metric = metric.id JOIN node ON node.id = v.node\n"
    "WHERE node.is_leaf",

    "CREATE VIEW top_growth AS SELECT metric.name AS metric, top.rank,\n" PATH " AS path,\n"
    CLASSIFIER " AS classifier,\n"
    "  " OF("growth") ",\n  " OF("first") ",\n  " OF("last") ",\n  " OF("max") ",\n"
    "  v.sum AS sum,\n" TIMES "\n"
    "FROM metric JOIN top ON top.metric = metric.id JOIN node ON node.id = top.node\n"
    "  LEFT JOIN node_metric AS v ON v.metric = top.metric AND v.node = top.node",
    NULL};

const char *const mc_mct_referrers_schema[] = {
    "CREATE TABLE step_fields(step INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  from_nodes BLOB NOT NULL, to_nodes BLOB NOT NULL, names BLOB NOT NULL,\n"
    "  weak BLOB NOT NULL, counts BLOB NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE step_roots(step INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  nodes BLOB NOT NULL, kinds BLOB NOT NULL, names BLOB NOT NULL, counts BLOB NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",

    "CREATE TABLE node_field(from_node INTEGER NOT NULL, to_node INTEGER NOT NULL,\n"
    "  field TEXT NOT NULL, weak INTEGER NOT NULL, first INTEGER, last INTEGER,\n"
    "  growth INTEGER AS (last - first))",

    "CREATE TABLE node_root(node INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT,\n"
    "  first INTEGER, last INTEGER, growth INTEGER AS (last - first))",

    "CREATE VIEW reference_field AS SELECT\n" PATH_OF("a") " AS from_path,\n"
    PATH_OF("b") " AS to_path,\n"
    "  f.field, f.weak, f.growth, f.first, f.last,\n" TIMES "\n"
    "FROM node_field AS f JOIN node AS a ON a.id = f.from_node JOIN node AS b ON b.id = f.to_node",

    "CREATE VIEW root AS SELECT\n" PATH " AS path,\n"
    "  r.kind, r.name, r.growth, r.first, r.last,\n" TIMES "\n"
    "FROM node_root AS r JOIN node ON node.id = r.node",
    NULL};

const char *const mc_mct_damages_schema[] = {
    "CREATE TABLE step_incomplete(step INTEGER PRIMARY KEY, reason TEXT NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",
    NULL};

const char *const mc_mct_notes_schema[] = {
    "CREATE TABLE step_note(step INTEGER PRIMARY KEY, note TEXT NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",
    NULL};

const char *const mc_mct_programs_schema[] = {
    "CREATE TABLE step_program(step INTEGER PRIMARY KEY, pid INTEGER NOT NULL,\n"
    "  start_ms INTEGER NOT NULL, name TEXT NOT NULL, checksum INTEGER NOT NULL)",
    NULL};

const char *const mc_mct_held_schema[] = {
    "CREATE TABLE step_held(step INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  nodes BLOB NOT NULL, checksum INTEGER NOT NULL)",
    NULL};

const char *const mc_mct_paths_schema[] = {
    "CREATE TABLE paths(first INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  parents BLOB NOT NULL, fields BLOB NOT NULL, classes BLOB NOT NULL,\n"
    "  places BLOB NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE step_paths(step INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  path_count INTEGER NOT NULL, nodes BLOB NOT NULL, paths BLOB NOT NULL,\n"
    "  folded BLOB NOT NULL, objects BLOB NOT NULL, bytes BLOB NOT NULL,\n"
    "  rest_objects BLOB NOT NULL, rest_bytes BLOB NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE held_path(id INTEGER PRIMARY KEY, parent INTEGER, field TEXT,\n"
    "  class TEXT NOT NULL, place INTEGER)",

    "CREATE TABLE node_path(node INTEGER NOT NULL, path INTEGER,\n"
    "  objects_first INTEGER, bytes_first INTEGER, objects_last INTEGER, bytes_last INTEGER)",

    "CREATE VIEW retaining_path AS SELECT\n" PATH " AS path,\n"
    "  (WITH RECURSIVE up(id, next, way) AS (\n"
    "     SELECT h.id, h.parent, coalesce(h.field || ' > ', '') || h.class\n"
    "     UNION ALL\n"
    "     SELECT a.id, a.parent, coalesce(a.field || ' > ', '') || a.class || ' > ' || up.way\n"
    "       FROM up JOIN held_path AS a ON a.id = up.next)\n"
    "   SELECT way FROM up WHERE next IS NULL) AS way,\n"
    "  h.field, h.class, p.bytes_last - p.bytes_first AS growth,\n"
    "  p.objects_first, p.objects_last, p.bytes_first, p.bytes_last,\n" TIMES "\n"
    "FROM node_path AS p JOIN node ON node.id = p.node JOIN held_path AS h ON h.id = p.path",
    NULL};

const char *const mc_mct_liveness_schema[] = {
    "CREATE TABLE step_live(step INTEGER PRIMARY KEY, live INTEGER NOT NULL,\n"
    "  checksum INTEGER NOT NULL)",
    NULL};

const char *const mc_mct_owners_schema[] = {
    "CREATE TABLE owners(first INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  parents BLOB NOT NULL, roots BLOB NOT NULL, fields BLOB NOT NULL,\n"
    "  classes BLOB NOT NULL, places BLOB NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE step_owners(step INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  owner_count INTEGER NOT NULL, owners BLOB NOT NULL, examples BLOB NOT NULL,\n"
    "  objects BLOB NOT NULL, retained_objects BLOB NOT NULL, retained_bytes BLOB NOT NULL,\n"
    "  program_objects BLOB NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE step_owner_ways(step INTEGER PRIMARY KEY, count INTEGER NOT NULL,\n"
    "  owner_count INTEGER NOT NULL, owners BLOB NOT NULL, from_owners BLOB NOT NULL,\n"
    "  fields BLOB NOT NULL, counts BLOB NOT NULL, checksum INTEGER NOT NULL)",

    "CREATE TABLE heap_owner(id INTEGER PRIMARY KEY, parent INTEGER, kind TEXT, field TEXT,\n"
    "  class TEXT NOT NULL, place INTEGER, objects_first INTEGER, retained_first INTEGER,\n"
    "  bytes_first INTEGER, objects_last INTEGER, retained_last INTEGER, bytes_last INTEGER)",

    "CREATE VIEW owner AS SELECT\n"
    "  (WITH RECURSIVE up(id, next, way) AS (\n"
    "     SELECT h.id, h.parent, coalesce(h.field || ' → ', '') || h.class\n"
    "     UNION ALL\n"
    "     SELECT a.id, a.parent, coalesce(a.field || ' → ', '') || a.class || ' → ' || up.way\n"
    "       FROM up JOIN heap_owner AS a ON a.id = up.next)\n"
    "   SELECT way FROM up WHERE next IS NULL) AS path,\n"
    "  h.kind, h.field, h.class, h.bytes_last - h.bytes_first AS growth,\n"
    "  h.objects_first, h.objects_last,\n"
    "  h.retained_first AS retained_objects_first, h.retained_last AS retained_objects_last,\n"
    "  h.bytes_first, h.bytes_last,\n" TIMES "\n"
    "FROM heap_owner AS h",
    NULL};
// clang-format on
