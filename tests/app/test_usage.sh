#!/usr/bin/env bash
# The manual page and the completions: each shell is asked what it offers, and the page has every option of every command.
. "$(dirname "$0")/../command.sh"
for tool in mandoc zsh fish; do
  command -v $tool >/dev/null || { echo "$tool is missing (package $tool)" >&2; exit 1; }
done
mkdir -p "$work/zsh" "$work/empty"
for form in man bash zsh fish markdown; do
  expect 0 usage $form; quiet
  cp "$work/out" "$work/$form.txt"
done
expect 2 usage; says "one of man, bash, zsh, fish, markdown"
expect 2 usage tcsh; expect 2 usage man bash
expect 2 top --help=tcsh; says "unknown option"
expect 0 --help
! grep -q usage.man "$work/out" || fail "--help lists what is for packers"
# ---- the reference is what the program says
cmp -s "$work/markdown.txt" "$2/../../docs/reference/commands.md" ||
  fail "docs/reference/commands.md is old: memcity usage markdown >docs/reference/commands.md"

# ---- first the six that one needs, then all
[ "$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$work/out" | paste -sd ' ')" = "open record why report diff gate" ] || fail "--help: $(cat "$work/out")"
prints "memcity help --all"
expect 0 --help --all; cp "$work/out" "$work/all"
expect 0 help --all; cmp -s "$work/all" "$work/out" || fail "help --all is not --help --all"
commands=$(sed -n '/^commands:/,/^One command/s/^  \([a-z][a-z]*\) .*/\1/p' "$work/out")
[ "$(wc -w <<<"$commands")" -ge 36 ] || fail "commands: $commands"
for command in open record why report diff gate; do
  expect 0 help $command
  [ "$(sed -n '/^$/q;/^memcity /p' "$work/out" | wc -l)" = 2 ] || fail "help $command does not begin with two examples"
done
expect 0 view --help; cp "$work/out" "$work/view"
expect 0 open --help; cmp -s "$work/view" "$work/out" || fail "view is not open"

# The options of a command: described with two spaces before them, or only named.
list_options() { # COMMAND
  expect 0 "$1" --help
  sed -n '/^usage/,/^Commands of a script/p' "$work/out" | grep -v '^  --help ' >"$work/listed"
  sed -n 's/^  \(--\?[a-z-]*\) .*/\1/p' "$work/listed" | grep -v ',$'
  grep -E '^  --[a-z-]+(,|$)' "$work/listed" | tr -d , | tr ' ' '\n' | grep -e '^-'
}

# ---- options lie below headings; what would do nothing in a command is taken, but not listed
expect 0 view --help
for heading in window 'selection and camera' appearance rendering input; do
  [ "$(grep -cx "$heading:" "$work/out")" = 1 ] || fail "view --help: not one heading \"$heading\""
done
for unlisted in 'refs --no-references' 'walk --no-references' 'layout --paths' 'gate --paths' 'record --skip-bad-steps'; do
  list_options ${unlisted% *} | grep -qx -- "${unlisted#* }" && fail "$unlisted is listed"
done
expect 0 layout "$http" --paths

# ---- the manual page
run 0 mandoc -T lint -W error "$work/man.txt"
MANWIDTH=120 mandoc -T utf8 "$work/man.txt" | col -bx >"$work/page" || fail "mandoc can't show the page"
for command in $commands; do
  list_options "$command" >"$work/options.$command"
  section=$(sed -n "/^   $command: /,/^   [a-z]*: /p" "$work/page")
  while read -r option; do
    told="[[:space:]]$option([[:space:],.]|$)"
    [[ $section =~ $told ]] || fail "manual page, $command: no $option"
  done <"$work/options.$command"
done

# ---- what is only named in a command's help is described in one place, there and in the manual page
expect 0 help options; cp "$work/out" "$work/shared"
sed -n '/^SHARED OPTIONS/,$p' "$work/page" >"$work/section"
for command in $commands; do
  expect 0 "$command" --help
  grep -E '^  --[a-z-]+(,|$)' "$work/out" | tr -d , | tr ' ' '\n' | grep -e '^-'
done | sort -u >"$work/named"
[ "$(wc -l <"$work/named")" -ge 60 ] || fail "few shared options: $(cat "$work/named")"
while read -r option; do
  grep -q -- "^  $option " "$work/shared" || fail "help options: no $option"
  grep -q -- "^ *$option\( \|$\)" "$work/section" || fail "manual page, shared options: no $option"
done <"$work/named"

[ "$(cat "$work"/options.* | wc -l)" -ge 100 ] || fail "few options: $(cat "$work"/options.* | wc -l)"

# ---- bash: what the function puts into COMPREPLY
cat >"$work/ask.sh" <<ASK
. "$work/bash.txt"
COMP_WORDS=(memcity "\$@") COMP_CWORD=\$#
_memcity
printf '%s\n' "\${COMPREPLY[@]}"
ASK
bash_offers() { # EXPECTED WORDS…: the last one is being typed
  local expected=$1 offered
  shift
  offered=$(bash "$work/ask.sh" "$@" | sort | paste -sd ' ')
  [ "$offered" = "$expected" ] || fail "bash, memcity $*: offers \"$offered\", not \"$expected\""
}
bash_offers "report" rep
bash_offers "find" fi
bash_offers "--metric" top --met
bash_offers "bytes objects" top --metric ""
bash_offers "bytes" top --metric = b
bash_offers "bytes objects" top --metric =
bash_offers "" top -n 1
bash_offers "" render -o x
bash_offers "--theme" --th
bash_offers "dark" --theme d
bash_offers "--version" --versi
bash_offers "" top --vers
bash_offers "compare generate highlights import layout play render tree update" bench ""
bash_offers "" bench import ""
for command in $commands; do
  bash_offers "$( (cat "$work/options.$command"; echo --help) | sort | paste -sd ' ')" "$command" -
done

# ---- fish
fish_offers() { # EXPECTED LINE
  local offered
  offered=$(cd "$work/empty" && HOME=$work fish -c "source $work/fish.txt; complete -C '$2'" | cut -f1 | sort | paste -sd ' ')
  [ "$offered" = "$1" ] || fail "fish, $2: offers \"$offered\", not \"$1\""
}
fish_offers "report" "memcity rep"
fish_offers "--metric" "memcity top --met"
fish_offers "bytes objects" "memcity top --metric "
fish_offers "--theme" "memcity --th"
fish_offers "" "memcity top --th"
fish_offers "dark" "memcity TRACE --theme d"
for command in $commands; do
  fish_offers "$( (cat "$work/options.$command"; echo --help) | grep '^--' | sort | paste -sd ' ')" "memcity $command --"
done

# ---- zsh: a line on a terminal of its own, and what the tab key makes of it
cp "$work/zsh.txt" "$work/zsh/_memcity"
cat >"$work/ask.zsh" <<'ASK'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; bindkey '^I' complete-word"
zpty -w shell 'tell() { zle -I; print -r -- "<$BUFFER>" }; zle -N tell; bindkey "^X" tell; echo rea""dy'
zpty -r -m shell answer '*ready*'
zpty -w -n shell "$2"$'\t\C-X'
zpty -r -m shell answer '*<*>*'
print -r -- ${${answer#*<}%>*}
ASK
zsh_completes() { # LINE EXPECTED
  local line
  line=$(cd "$work/empty" && HOME=$work timeout 60 zsh -f "$work/ask.zsh" "$work/zsh" "$1" 2>&1)
  [ "$line" = "$2" ] || fail "zsh, $1: becomes \"$line\", not \"$2\""
}
zsh_completes "memcity rep" "memcity report "
zsh_completes "memcity top --met" "memcity top --metric="
zsh_completes "memcity top --metric b" "memcity top --metric bytes "
zsh_completes "memcity top --metric=b" "memcity top --metric=bytes "
zsh_completes "memcity --theme d" "memcity --theme dark "
zsh_completes "memcity top --th" "memcity top --th"
zsh_completes "memcity bench g" "memcity bench generate "
for command in $commands; do
  section=$(sed -n "/^    $command)/,/^        ;;/p" "$work/zsh.txt")
  while read -r option; do
    told="'[*]?$option=?\["
    [[ $section =~ $told ]] || fail "zsh, $command: no $option"
  done <"$work/options.$command"
done
finish
