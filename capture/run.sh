# --- a run ---

# Becomes a program, with the default signals that a background job of the shell lacks.
exec_default() {
  trap - INT QUIT TERM HUP
  # Before bash 4.3 a background job cannot stop ignoring SIGINT by itself.
  if [ "${BASH_VERSINFO[0]}${BASH_VERSINFO[1]}" -lt 43 ] && has perl; then
    exec perl -e '$SIG{INT} = $SIG{QUIT} = "DEFAULT"; exec { $ARGV[0] } @ARGV;
      print STDERR "$ARGV[0]: $!\n"; exit($!{ENOENT} ? 127 : 126)' -- "$@"
  fi
  exec -- "$@"
}

# Starts a process that a signal to our whole process group ends, and that ends with us.
start_canary() {
  (exec_default cat 8<&- 9>&-) <&7 7<&- >/dev/null 2>&1 &
  canary_pid=$!
  disown
}

# Passes a signal on, unless it went to the whole group, as Ctrl-C does: the command must not get it twice.
on_signal() {
  signal_name=$1
  wait_again=yes
  sleep 0.1 2>/dev/null || sleep 1
  if [ -n "$canary_pid" ] && ! kill -0 "$canary_pid" 2>/dev/null; then start_canary
  else kill -s "$1" -- "-$$" 2>/dev/null || kill -s "$1" "$command_pid" 2>/dev/null
  fi
}

# Runs the command, its input and output untouched; sets exit_code, and signal_name where the run was interrupted.
run_command() {
  local filter_pid='' wait_again=yes
  { exec 8<&0; } 2>/dev/null || exec 8</dev/null
  # Both ends are opened here: what a process opens later may never find the other.
  rm -f "$work_dir/alive"
  mkfifo "$work_dir/alive" && exec 9<>"$work_dir/alive" && exec 7<"$work_dir/alive" && start_canary
  exec 6>&1
  if [ -n "$run_filter" ] && mkfifo "$work_dir/output"; then
    # It is to outlive the command, whatever ends that.
    (trap '' INT TERM HUP; "$run_filter") <"$work_dir/output" 7<&- 8<&- 9>&- &
    filter_pid=$!
    exec 6>"$work_dir/output"
  fi
  trap 'on_signal INT' INT
  trap 'on_signal TERM' TERM
  trap 'on_signal HUP' HUP
  (
    [ ${#run_env[@]} -eq 0 ] || export "${run_env[@]}"
    exec_default "${run_argv[@]}"
  ) <&8 >&6 6>&- 7<&- 8<&- 9>&- &
  command_pid=$!
  exec 6>&-
  while [ -n "$wait_again" ]; do
    wait_again=''
    wait "$command_pid" 2>/dev/null
    exit_code=$?
  done
  # From here on nothing stops the record; the tools it asks can be stopped.
  trap : INT TERM HUP
  exec 7<&- 8<&- 9>&-
  [ -z "$filter_pid" ] || end_filter "$filter_pid"
  case $signal_name in INT) exit_code=130 ;; TERM) exit_code=143 ;; HUP) exit_code=129 ;; esac
}

# The filter ends with the command's output, which a process that the command left behind may hold open.
end_filter() {
  local step=0
  while kill -0 "$1" 2>/dev/null && [ $step -lt 50 ]; do sleep 0.1 2>/dev/null || sleep 1; step=$((step + 1)); done
  if kill -9 "$1" 2>/dev/null; then
    rm -f "$junit_target"
    none 'a process that the command left behind holds its output open'
  else
    go_cached=$(cat "$work_dir/go.cached" 2>/dev/null)
    go_report_by_tool
  fi
  rm -f "$work_dir/output"
}

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

# The lines of run.txt of the run at hand; those of the second, third … run have its number in their keys.
run_lines() {
  local index=0 nth=''
  [ "$run_number" -le 1 ] || nth=.$run_number
  put "runner$nth" "$runner_name"
  put_escaped "command$nth" "$command_text"
  while [ "$index" -lt ${#typed_argv[@]} ]; do put_escaped "argv$nth.$index" "${typed_argv[index]}"; index=$((index + 1)); done
  [ -z "$asked_text" ] || put_escaped "asked$nth" "$asked_text"
  put "started$nth" "$started_at"
  put "finished$nth" "$finished_at"
  [ -z "$junit_missing" ] || put_escaped "junit.missing$nth" "$junit_missing"
  put "cached$nth" "$go_cached"
  [ -z "$finished_at" ] || if [ -n "$signal_name" ]; then put "signal$nth" "$signal_name"; else put "exit$nth" "$exit_code"; fi
}

# run.txt: what is known of every run until now, with the lines of the one at hand where there is one.
write_run() {
  {
    put schema 2
    put_escaped cwd "${git_prefix:-.}"
    [ -z "$unclear" ] || put tools path
    cat "$work_dir/runs"
    [ $# -eq 0 ] || "$@"
    cat "$work_dir/lockfiles" "$work_dir/older"
    put capture.sha256 "$capture_digest"
  } | redact >"$out_dir/run.txt"
  # Names of files as they are: the commit has them too, and a tree is told by them.
  cat "$work_dir/git" "$work_dir/after" >>"$out_dir/run.txt"
}

# One planned run, from the words in run_argv.
perform_run() {
  started_at='' finished_at='' go_cached=''
  typed_argv=("${run_argv[@]}")
  read_command
  plan_junit
  if [ ${#extra[@]} -gt 0 ]; then
    if [ -n "$script_at" ]; then run_argv[script_at]="$command_text $(as_typed "${extra[@]}")"; else run_argv+=("${extra[@]}"); fi
  fi
  started_at=$(now)
  write_run run_lines
  run_command
  finished_at=$(now)
  echo "$exit_code" >"$out_dir/$runner_name.exit"
  collect_junit
  run_lines >>"$work_dir/runs"
}

# Takes the next run of the plan: its words into run_argv.
next_run() {
  run_argv=("${planned[@]:1:planned[0]}")
  planned=("${planned[@]:planned[0] + 1}")
}

# Performs the runs one after the other until one is interrupted; sets all_code, the first exit code that is not 0.
perform_runs() {
  all_code=0 run_number=0
  while [ ${#planned[@]} -gt 0 ]; do
    run_number=$((run_number + 1))
    next_run
    if [ -n "$signal_name" ]; then
      read_command
      typed_argv=("${run_argv[@]}") run_env=() extra=() asked_text='' junit_missing='' go_cached='' started_at='' finished_at=''
      run_lines >>"$work_dir/runs"
      say "not run any more: $command_text"
      continue
    fi
    perform_run
    [ "$all_code" -ne 0 ] || all_code=$exit_code
  done
}

# Reads the words of every run of the plan: sets all_runners, seen_words, and python_words, those that Python is run by.
read_plan() {
  local kept=(${planned[@]+"${planned[@]}"})
  all_runners=' ' seen_words=() python_words=() run_count=0
  while [ ${#planned[@]} -gt 0 ]; do
    next_run
    read_command
    run_count=$((run_count + 1))
    [ "$runner_name" = command ] || all_runners="$all_runners${runners# }"
    seen_words+=(${all_words[@]+"${all_words[@]}"})
    if [ ${#python_words[@]} -eq 0 ] || [ "$runner_name" = pytest ]; then python_words=(${run_words[@]+"${run_words[@]}"}); fi
  done
  planned=(${kept[@]+"${kept[@]}"})
}

# --- the bundle as files ---

# Removes what an earlier run left.
remove_stale() {
  local name stale=()
  # shellcheck disable=SC2206 # globs
  for name in "${OWN_FILES[@]}"; do stale+=("$out_dir"/$name); done
  rm -f "${stale[@]}"
}

write_sums() (
  cd "$out_dir" || return
  shopt -s nullglob
  names=()
  # shellcheck disable=SC2048 # globs
  for name in ${OWN_FILES[*]}; do [ ! -f "$name" ] || [ "$name" = SHA256SUMS ] || names+=("$name"); done
  sha256 "${names[@]}" | LC_ALL=C sort -k 2 >"$work_dir/sums" && cat "$work_dir/sums" >SHA256SUMS
)
