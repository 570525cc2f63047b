#!/usr/bin/env bash
# contact_sheet.sh MEMCITY TRACE FOLDER [FILTER]: scenes of the window at several sizes, dots per inch, in both themes, with
# motion and without, as pictures to be looked at: one each, and a sheet of them for each scene. Nobody runs it by
# itself: what is wrong with a picture is not found by a program. FILTER: a regular expression of names, as 800x500-192.
SCREEN=${SCREEN:-2880x1800}
. "$(dirname "$0")/../window.sh"
memcity=$(realpath "$1") shown=$(realpath "$2") folder=$(realpath -m "$3") filter=${4:-}
mkdir -p "$folder"
font=$(fc-match -f %{file} sans)

# NAME and what leads there from the scene before; the program says when it rests.
scenes="
home|
suspect|select.suspect 1
chosen|menu.selection
walk|menu;walk
several|escape;escape;escape;camera.home;select.suspect 1;select.add.next;select.add.next;camera.selection
search|escape;escape;camera.home;search ma
hits|search.next
pin|search.open;escape;escape;escape;step.first;pin;step.last;select.suspect 2
group|pin;escape;camera.home;group package
bird|group.own;camera.home;camera.bird
district|camera.bird;select.suspect 1;select.parent;root.enter
sunburst|root.leave;view.sunburst
icicle|view.icicle;select.suspect 1
help|view.city;camera.home;help
menu|help;menu
commands|menu;commands
notes|dialog.close;step 4;note load test begins
bookmarks|bookmark.as before the load test;bookmark.as after;bookmarks
view|dialog.close;escape;step.last;camera.home;fold.view
packages|fold.view;set color_by package;set height_by objects
wide|set color_by growth;set panel_width 480;select.suspect 1
pair|escape;set panel_width 0;set height_by metric;versus $shown;wait idle;align 5:20;wait idle;step 20
halves|pair.next;pair.next;pair.next;select.suspect 1
rings|escape;view.sunburst
"
names=$(grep -o '^[a-z]*' <<<"$scenes")

make_script() { # the pictures lie in the folder of pictures, in the order of their names
  echo "wait idle"
  while IFS='|' read -r scene commands; do
    [ -n "$scene" ] || continue
    tr ';' '\n' <<<"$commands" | grep .
    printf 'wait idle\npicture\nwait idle\n'
  done <<<"$scenes"
  echo quit
}

take() { # WIDTHxHEIGHT DPI THEME MOTION
  local name=$1-$2-$3-motion-$4 shots=$work/shots-$1-$2-$3-$4 number=0 file
  [[ $name =~ $filter ]] || return
  mkdir -p "$shots"
  xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER "Xft.dpi: $2"
  { echo "set motion $([ "$4" = on ] && echo true || echo false)"; make_script; } >"$work/script"
  (cd "$shots" && HOME=$shots XDG_PICTURES_DIR=$shots XDG_CONFIG_HOME=$shots/config XDG_DATA_HOME=$shots/data "$memcity" "$shown" --size "$1" --theme "$3" --state "$work/state" \
    --script "$work/script" >"$work/out" 2>"$work/err" </dev/null) || fail "$name: $(tail -3 "$work/err")"
  while read -r file; do
    number=$((number + 1))
    mv "$file" "$folder/$(sed -n "${number}p" <<<"$names")-$name.png"
  done < <(find "$shots" -name '*.png' -printf '%T@ %p\n' | sort -n | cut -d' ' -f2-)
  [ "$number" -eq "$(wc -l <<<"$names")" ] || fail "$name: $number pictures"
}

# Sizes are those of a plain screen: at 192 dpi a picture has twice as many dots each way, as far as the screen has them.
for size in 800x500 1440x900 2560x1440; do
  for dpi in 96 192; do
    for theme in light dark; do
      for motion in on off; do take "$size" "$dpi" "$theme" "$motion"; done
    done
  done
done
for name in $names; do
  mapfile -t files < <(find "$folder" -name "$name-*.png" | sort -V)
  [ ${#files[@]} -eq 0 ] ||
    montage ${font:+-font "$font"} -label '%t' "${files[@]}" -tile 4x -geometry '640x400+6+6' "$folder/sheet-$name.png"
done
[ "$failures" -eq 0 ]
