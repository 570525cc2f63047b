// report_chart.h - charts of a report as inline SVG. Colours are the page's CSS classes.
//
// Threads: any.
#pragma once
#include "app/report/report.h"
#include "engine/base/text.h"

// The heap's bytes as an area and its objects as a line over the run, the time window marked; of
// another metric, that as an area and bytes as a line; of methods no bytes. A step of which it is
// not known has no point. And which is which.
void mc_report_append_timeline(mc_text *out, const mc_report *report);
void mc_report_append_timeline_key(mc_text *out, const mc_report *report);

// A small line of one series, each value as a share of the largest; the time window is solid.
void mc_report_append_sparkline(mc_text *out, const mc_report *report, const uint64_t *values);
