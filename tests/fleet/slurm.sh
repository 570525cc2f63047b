# A batch system of one machine: Slurm with munge, on loopback, in a folder of its own. Sourced; $slurm is that folder.
# Needs root, as Slurm's daemons do. Only processes that were started here are stopped, by their numbers.

slurm_pids=()

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

slurm_start() { # FOLDER
  slurm=$1
  mkdir -p "$slurm/state" "$slurm/spool" "$slurm/munge"
  chmod 755 "$slurm" "$slurm/munge"
  head -c 1024 /dev/urandom >"$slurm/munge/key"
  chmod 600 "$slurm/munge/key"
  # The folder may be below one that others may write to, as /tmp is: that is what --force is for.
  munged --foreground --force --key-file="$slurm/munge/key" --socket="$slurm/munge/socket" --pid-file="$slurm/munge/pid" \
    --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed" >"$slurm/munge/out" 2>&1 &
  slurm_pids+=($!)
  cat >"$slurm/slurm.conf" <<CONF
ClusterName=alone
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=sched_interval=2,defer=0
ReturnToService=2
MailProg=/bin/true
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$slurm/slurm.conf
  slurmctld -D -f "$SLURM_CONF" >"$slurm/slurmctld.out" 2>&1 &
  slurm_pids+=($!)
  slurmd -D -f "$SLURM_CONF" >"$slurm/slurmd.out" 2>&1 &
  slurm_pids+=($!)
  for _ in $(seq 1200); do
    [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && return 0
    sleep 0.1
  done
  tail -n 5 "$slurm"/*.log "$slurm"/*.out "$slurm/munge/out" >&2
  return 1
}

slurm_stop() {
  for ((i = ${#slurm_pids[@]} - 1; i >= 0; i--)); do
    kill "${slurm_pids[i]}" 2>/dev/null
    wait "${slurm_pids[i]}" 2>/dev/null
  done
  slurm_pids=()
}
