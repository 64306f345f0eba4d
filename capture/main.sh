# --- from here it runs ---

out_name=evidence bundle_name='' with_run=yes
run_argv=() given_globs=() lock_paths=() planned=() absent_runners=()
activated='' unclear='' python_path='' git_top='' git_prefix='' junit_target='' capture_digest=''
started_at='' finished_at='' exit_code='' signal_name='' canary_pid='' command_pid='' all_code=0
run_env=() extra=() asked_text='' junit_missing='' go_cached=''

parse_arguments "$@"
out_dir=$(absolute "$out_name")
bundle_dir=$(absolute "${bundle_name:-$out_name}")
[ ! "$out_dir" -ef . ] || fail '--out must be a directory of its own'
if ! { mkdir -p "$out_dir" && : >>"$out_dir/run.txt" && work_dir=$(mktemp -d "${TMPDIR:-/tmp}/capture_run.XXXXXX"); } 2>/dev/null; then
  say "cannot write to $out_name: nothing is recorded"
  [ -n "$with_run" ] && [ ${#run_argv[@]} -gt 0 ] || exit 2
  exec -- "${run_argv[@]}"
fi
trap 'rm -rf "$work_dir"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
remove_stale

if [ ${#run_argv[@]} -gt 0 ]; then planned=("${#run_argv[@]}" "${run_argv[@]}")
elif [ -n "$with_run" ]; then choose_runs
fi
read_plan
locate_repository
if [ -n "$git_top" ]; then git_facts; fi >"$work_dir/git"
: >"$work_dir/after"
capture_digest=$(sha256 <"${BASH_SOURCE[0]}" 2>/dev/null)
capture_digest=${capture_digest%% *}
find_ecosystems
note_unseen
find_python
copy_lockfiles >"$work_dir/lockfiles"
: >"$work_dir/older"
: >"$work_dir/runs"
write_toolchain

for word in ${absent_runners[@]+"${absent_runners[@]}"}; do
  echo "${word#* }" >"$out_dir/${word%% *}.exit"
  all_code=2
done
if [ -z "$with_run" ]; then planned=()
elif [ ${#planned[@]} -eq 0 ]; then say 'no tests were run; name the command: capture_run.sh -- COMMAND'
else
  perform_runs
  [ "$all_code" -ne 0 ] || [ ${#absent_runners[@]} -eq 0 ] || all_code=2
  git_after >"$work_dir/after"
  find_python
fi
write_freezes
write_toolchain
write_run
write_sums || say 'no tool for SHA-256: SHA256SUMS is not written'
if [ -n "$finished_at" ]; then say "exit $all_code${signal_name:+, interrupted by SIG$signal_name}"; fi
if [ -n "$bundle_name" ]; then :
elif [ -n "$git_top" ] && ! in_repository "$out_dir" >/dev/null; then say "the evidence is in $out_name, outside the repository"
else say "the evidence is in $out_name: commit it with the change"
fi
exit "$all_code"
