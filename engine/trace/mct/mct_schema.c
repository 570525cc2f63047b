#include "engine/trace/mct/mct_schema.h"

#include <stddef.h>

// clang-format off
const char *const mc_mct_schema[] = {
    "CREATE TABLE trace(id INTEGER PRIMARY KEY CHECK(id = 1), form INTEGER NOT NULL,\n"
    "  step_count INTEGER NOT NULL, node_count INTEGER NOT NULL, string_count INTEGER NOT NULL,\n"
    "  classifier_count INTEGER NOT NULL, own_count INTEGER NOT NULL,\n"
    "  reordered INTEGER NOT NULL, finished INTEGER NOT NULL, checksum INTEGER NOT NULL)",

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
    "  directions INTEGER NOT NULL, rename_count INTEGER NOT NULL, checksum INTEGER NOT NULL)",

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

    "CREATE TABLE node(id INTEGER PRIMARY KEY, parent INTEGER, name TEXT NOT NULL,\n"
    "  classifier INTEGER, is_leaf INTEGER NOT NULL,\n"
    "  bytes_first INTEGER NOT NULL, bytes_last INTEGER NOT NULL, bytes_max INTEGER NOT NULL,\n"
    "  objects_first INTEGER NOT NULL, objects_last INTEGER NOT NULL,\n"
    "  objects_max INTEGER NOT NULL,\n"
    "  bytes_growth INTEGER AS (bytes_last - bytes_first),\n"
    "  objects_growth INTEGER AS (objects_last - objects_first))",

    "CREATE TABLE node_state(id INTEGER PRIMARY KEY CHECK(id = 1), step_count INTEGER NOT NULL,\n"
    "  first_time_ms INTEGER NOT NULL, last_time_ms INTEGER NOT NULL)",

    "CREATE VIEW growth AS SELECT\n"
    "  (WITH RECURSIVE way(id, up, path) AS (\n"
    "     SELECT node.id, node.parent, node.name\n"
    "     UNION ALL\n"
    "     SELECT n.id, n.parent, n.name || ' > ' || way.path FROM way JOIN node AS n\n"
    "       ON n.id = way.up)\n"
    "   SELECT path FROM way WHERE up IS NULL) AS path,\n"
    "  (SELECT name FROM classifier WHERE id = node.classifier) AS classifier,\n"
    "  bytes_growth AS growth, bytes_growth, bytes_first, bytes_last, bytes_max,\n"
    "  objects_growth, objects_first, objects_last, objects_max,\n"
    "  (SELECT first_time_ms FROM node_state) AS first_time_ms,\n"
    "  (SELECT last_time_ms FROM node_state) AS last_time_ms\n"
    "FROM node WHERE is_leaf",
    NULL};
// clang-format on
