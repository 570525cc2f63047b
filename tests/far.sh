# What the tests of far heaps share, behind command.sh: another place, which is this machine with folders of its own, by a real
# sshd for one connection at a time, with keys of its own, through which no port is opened.
sshd=$(command -v sshd || echo /usr/sbin/sshd)
[ -x "$sshd" ] && command -v ssh-keygen >/dev/null || { echo "no sshd" >&2; exit 1; }
there=$work/there
mkdir -p "$there"/{tmp,data,bin} "$work"/{ssh,bin,cache}
export XDG_CACHE_HOME=$work/cache
ssh-keygen -q -t ed25519 -N '' -f "$work/ssh/host"
ssh-keygen -q -t ed25519 -N '' -f "$work/ssh/user"
cp "$work/ssh/user.pub" "$work/ssh/authorized"
cat >"$work/ssh/sshd_config" <<TEXT
HostKey $work/ssh/host
AuthorizedKeysFile $work/ssh/authorized
PidFile none
StrictModes no
PasswordAuthentication no
UsePAM no
SetEnv HOME=$there XDG_CACHE_HOME=$there/cache TMPDIR=$there/tmp PATH=$there/bin:$PATH
TEXT
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd # where a root's sshd locks itself in
cat >"$work/ssh/config" <<TEXT
Host prod
  HostName prod.invalid
  IdentityFile $work/ssh/user
  StrictHostKeyChecking no
  UserKnownHostsFile $work/ssh/known
  LogLevel ERROR
  ProxyCommand $work/bin/proxy
TEXT
printf '#!/bin/sh\nexec "%s" -i -f "%s/ssh/sshd_config"\n' "$sshd" "$work" >"$work/bin/proxy"
printf '#!/bin/sh\nexec "%s" -F "%s/ssh/config" "$@"\n' "$(command -v ssh)" "$work" >"$work/bin/ssh"
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH
# What there is in the end: nothing but the program, once, and what is named.
nothing_left() { [ -z "$(ls -A "$there/tmp")" ] && ! ls "$there/cache/memcity/far" 2>/dev/null | grep -q part; }
expect_nothing_left() { eventually nothing_left || fail "left there: $(ls -A "$there/tmp" "$there/cache/memcity/far" 2>/dev/null)"; }
