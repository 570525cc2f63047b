# What the stored pictures show: state NAME TRACE OPTIONS of memcity render, or of the command $as. Sourced by who says what a state is for.
# shellcheck shell=bash
util='Heap#java.util'
# Of so many buildings that a software device draws them by compute shaders: the same on all devices.
triangles=(--rasterizer raster)
leak=(httpclient-3.0.1 --metric objects --window 0:25)
state first "${leak[@]}" --step 0
state references "${leak[@]}" --select "$util#HashMap\$Node" --refs both
state incoming "${leak[@]}" --select "$util" --refs incoming --refs-most 3 --arcs all --step 13
state outgoing-dark "${leak[@]}" --select "$util#LinkedList" --refs outgoing --arcs needed --dark --camera corner
state walk "${leak[@]}" --walk --size 400x250
state search "${leak[@]}" --search '#linked' --camera iso
state root "${leak[@]}" --root "$util" --labels --size 400x250
state labels "${leak[@]}" --labels --legend --size 400x250
state labels-dark "${leak[@]}" --labels --legend --dark --palette color-blind-safe --color-by step --step 14 --size 400x250
state step "${leak[@]}" --color-by step --step 14 --no-opacity
state trend httpclient-3.0.1 --metric objects --window 0:24 --color-by trend
state level perfetto --color-by level --legend --no-opacity --size 320x200 "${triangles[@]}"
state role javac-daemon --color-by role --legend --dark --no-opacity --size 400x250 "${triangles[@]}"
state classes javac-daemon --height-by object-size --metric objects --scaling sqrt --step 12 --opaque 40 "${triangles[@]}"
state bird perfetto --camera bird --tiling binary --no-edges --step 30 --opacity 0 "${triangles[@]}"
state limit javac-daemon --child-limit 20 --labels --opacity 0.1 --size 400x250
flat=(httpclient-3.0.1 --metric objects --window 0:25 --prune 90%,9 --size 400x250)
as=tree state sunburst "${flat[@]}" --step 25 --select "$util#LinkedList"
as=tree state sunburst-part-dark "${flat[@]}" --dark --step 11 --root "$util" --global --color-by growth
as=tree state icicle "${flat[@]}" --view icicle --scaled --step 11 --search '#linked'
as=timeline state timeline "${flat[@]}" --steps 2,4,11,25
as=timeline state timeline-dark "${flat[@]}" --steps 2,4,11,25 --dark --view sunburst --unscaled
