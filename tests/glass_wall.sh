# A city whose front hides what is selected, for what draws glass: $work/wall.mct; $select and $eye are the program's, $address is
# the page's. Sourced after command.sh.
{
  printf 'time\tPackage\tType\tobjects\tbytes\n'
  for step in 0 1000 2000; do
    for type in {1..12}; do printf '%s\tp%s\tType%s\t1\t%s\n' $step $((type % 3 ? 1 : 2)) $type $((13000 - 1000 * type)); done
  done
} >"$work/wall.tsv"
expect 0 import --rows "$work/wall.tsv" -o "$work/wall.mct"
expect 0 page "$work/wall.mct" -o "$work/wall.html"
select=Heap#p1#Type10
read -r eye address < <(python3 -c 'from math import cos, sin
azimuth, elevation, distance, target = 3.7, 0.45, 1700, (500, 60, 500)
way = sin(azimuth) * cos(elevation), sin(elevation), cos(azimuth) * cos(elevation)
print(*(at + distance * by for at, by in zip(target, way)), *target, sep=",", end=" ")
print("camera=", end="")
print(azimuth, elevation, distance, *target, sep=",")')
# Pictures of the page with and without a selection; the program's.
draw_wall="picture $work/wall.html $work/wall.png light #select=p1/Type10&$address + picture $work/wall.html $work/solid.png light #$address"
compare_wall() {
  expect 0 render "$work/wall.mct" --theme light --size 640x400 --camera "$eye" --select $select -o "$work/wanted.png"
  expect 0 bench compare "$work/wall.png" "$work/wanted.png"
  awk '$1 == "mean" && $2 <= 0.022 { ok = 1 } END { exit !ok }' "$work/out" || fail "the wall: $(cat "$work/out")"
  echo "wall: $(grep mean "$work/out")" >&2
  # Without glass it is another picture.
  expect 0 bench compare "$work/solid.png" "$work/wanted.png"
  awk '$1 == "mean" && $2 >= 0.04 { ok = 1 } END { exit !ok }' "$work/out" || fail "the wall is glass without a selection: $(cat "$work/out")"
}
