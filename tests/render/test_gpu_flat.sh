#!/usr/bin/env bash
# Flat trees that move: a video of a sunburst and of an icicle goes from step to step; the whole beside a part of it.
. "$(dirname "$0")/../command.sh"
for tool in ffprobe ffmpeg compare convert; do
  command -v $tool >/dev/null || { echo "$tool is missing (packages ffmpeg, imagemagick)" >&2; exit 1; }
done

# ---- a video: 320x180, three steps of ten frames, and the last one held for as long
for form in sunburst icicle; do
  expect 0 video "$http" --as $form --scaled --metric objects --window 0:2 --size 320x180 --step-duration 0.34 --validation --no-labels \
    -o "$work/$form.mp4"
  is=$(ffprobe -v error -select_streams v -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 "$work/$form.mp4")
  [ "$is" = 320,180,41 ] || fail "$form: the video is $is"
  ffmpeg -v error -i "$work/$form.mp4" "$work/$form-%02d.png" || fail "$form: ffmpeg can't read it"
done
differs() { # FRAME FRAME: in how many pixels, but for the title; what the encoder does does not count
  compare -metric AE -fuzz 25% \( "$1" -crop 320x164+0+16 +repage \) \( "$2" -crop 320x164+0+16 +repage \) null: 2>&1 || true
}
for form in sunburst icicle; do
  at="$work/$form"
  [ "$(differs "$at-02.png" "$at-09.png")" -lt 30 ] || fail "$form moves at its first step"
  [ "$(differs "$at-35.png" "$at-41.png")" -lt 30 ] || fail "$form moves after its last step"
  [ "$(differs "$at-09.png" "$at-41.png")" -gt 1000 ] || fail "$form does not change from step to step"
  # on the way from step 1 to step 2 it is neither
  between=$(for i in 21 22 23 24 25 26 27 28; do
    [ "$(differs "$at-$i.png" "$at-20.png")" -gt 100 ] && [ "$(differs "$at-$i.png" "$at-41.png")" -gt 100 ] && echo $i
  done | wc -l)
  [ "$between" -ge 2 ] || fail "$form jumps: $between frames on the way"
done
# its last picture is that of the tree, drawn alone
expect 0 tree "$http" --scaled --metric objects --window 0:2 --size 320x180 --no-labels -o "$work/last.png"
[ "$(differs "$work/last.png" "$work/sunburst-41.png")" -lt 400 ] || fail "the video's end is not the tree at that step"
[ "$(differs "$work/sunburst-41.png" "$work/icicle-41.png")" -gt 1000 ] || fail "a sunburst is an icicle"

# ---- the whole beside a part
part=(tree "$http" --window 0:25 --size 640x360 --no-labels --validation)
expect 0 "${part[@]}" --root 'Heap#java.util' -o "$work/part.png"; quiet
expect 0 "${part[@]}" --root 'Heap#java.util' --global -o "$work/beside.png"; quiet
convert "$work/part.png" -crop 120x120+500+220 +repage -unique-colors "$work/a.png"
convert "$work/beside.png" -crop 120x120+500+220 +repage -unique-colors "$work/b.png"
[ "$(identify -format %w "$work/b.png")" -gt $(($(identify -format %w "$work/a.png") + 10)) ] || fail "nothing is beside the part"
# where nothing is hidden, nothing is beside it
expect 0 "${part[@]}" -o "$work/whole.png"; expect 0 "${part[@]}" --global -o "$work/whole-global.png"
cmp -s "$work/whole.png" "$work/whole-global.png" || fail "the whole is beside the whole"
expect 0 video "$http" --as icicle-down --global --levels 1 --window 3:4 --size 128x72 --step-duration 0.1 -o "$work/global.mp4"
[ -s "$work/global.mp4" ] || fail "no video with the whole beside it"

# ---- a view is drawn as it was seen: grouped so, and without what the trace lacks, which is said
view() { # NAME SETTINGS
  printf '{"memcity_view":1,"trace":["%s"],"step":25,"window":[0,25],"width":320,"height":200,"settings":{%s}}' "$http" "$2" >"$work/$1.json"
}
view grouped '"view":"icicle","group_by":"type","metric":"objects"'
expect 0 render --view "$work/grouped.json" -o "$work/grouped.png"; quiet
expect 0 render "$http" --as icicle --group-by type --window 0:25 --step 25 --metric objects --size 320x200 --labels --legend -o "$work/type.png"
cmp -s "$work/grouped.png" "$work/type.png" || fail "a view's icicle is grouped otherwise"
view lacking '"view":"icicle","tree_color":"value","color_metric":"taste","pinned":[400]'
expect 0 render --view "$work/lacking.json" -o "$work/lacking.png"
says "the view's metric is not in this trace: taste"; says "the view's pinned step 400 is not in this trace"
expect 2 render "$http" --as icicle --color taste -o "$work/x.png"; says "--color: the trace has no metric"
expect 2 render "$http" --as icicle --walk -o "$work/x.png"; says "--walk: works in the city only"
finish
