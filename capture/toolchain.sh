# --- toolchain ---

# Asks a tool something, undisturbed by settings that are meant for the tests, and without network.
ask() (
  unset COVERAGE_PROCESS_START COV_CORE_SOURCE PYTHONSTARTUP PYTHONWARNINGS PYTHONVERBOSE PYTHONDEVMODE NODE_OPTIONS RUBYOPT \
    JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS BUN_OPTIONS
  export PYTHONIOENCODING=utf-8:backslashreplace npm_config_update_notifier=false COREPACK_ENABLE_NETWORK=0 GOPROXY=off \
    RUSTUP_AUTO_INSTALL=0 CARGO_NET_OFFLINE=true DENO_NO_UPDATE_CHECK=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 \
    DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1 DOTNET_CLI_UI_LANGUAGE=en
  exec "$@" </dev/null 2>/dev/null
)

# The ecosystem of a runner, or of another word of a command; fails for others.
ecosystem_of() {
  case ${1##*[/\\]} in
    pytest | py.test | python | python[0-9]* | python.exe | pypy* | tox | nox | coverage | uv | uvx | poetry | pdm | pipenv | hatch)
      echo python ;;
    npm-test | pnpm-test | yarn-test | node-test | vitest | jest | mocha | node | npm | npx | pnpm | yarn) echo node ;;
    bun-test | bun | bunx) echo bun ;;
    deno-test | deno) echo deno ;;
    go-test | go | gotestsum) echo go ;;
    cargo-test | cargo | rustc) echo rust ;;
    mvn-test | gradle-test | mvn | mvnw | gradle | gradlew | java | javac | sbt | ant) echo java ;;
    minitest | rspec | ruby | bundle | rake | rails) echo ruby ;;
    dotnet-test | dotnet) echo dotnet ;;
    phpunit | php | composer | pest) echo php ;;
    *) return 1 ;;
  esac
}

# Sets ecosystems: those of the runs first, then those of the project's files.
find_ecosystems() {
  local word kind
  ecosystems=' '
  for word in $all_runners ${seen_words[@]+"${seen_words[@]}"}; do
    kind=$(ecosystem_of "$word") && add_ecosystem "$kind"
  done
  for kind in python node go rust java ruby dotnet php deno bun; do "uses_$kind" && add_ecosystem "$kind"; done
  [ "$ecosystems" != ' ' ] || add_ecosystem python
}
add_ecosystem() { case $ecosystems in *" $1 "*) ;; *) ecosystems="$ecosystems$1 " ;; esac; }

# Sets unclear where the words of the command do not tell which tools it starts, so that those on PATH are recorded.
note_unseen() {
  local word
  [ "$run_count" -gt 0 ] || return 0
  if [ -z "$unclear" ]; then
    for word in $all_runners ${seen_words[@]+"${seen_words[@]}"}; do ecosystem_of "$word" >/dev/null && return; done
    unclear=yes
  fi
  say 'which tools this command starts is not seen in its words: those on PATH are recorded'
}

# A fact of an ecosystem's tools, as probed.
fact() {
  local line
  while IFS= read -r line; do case $line in "$2="*) printf '%s\n' "${line#"$2="}"; return ;; esac; done 2>/dev/null <"$work_dir/facts.$1"
}

# Asks the tools of each ecosystem that have not answered yet, side by side, and writes toolchain.txt.
write_toolchain() {
  local kind pids='' files=("$work_dir/facts.system") unknown
  for kind in $ecosystems; do files+=("$work_dir/facts.$kind"); done
  : | tee -a "${files[@]}"
  unknown=$(grep -L '\.version=' "${files[@]}")
  for kind in $ecosystems; do
    case $newline$unknown$newline in
      *"$newline$work_dir/facts.$kind$newline"*) (enter_context "$kind" && "probe_$kind") >"$work_dir/facts.$kind" & pids="$pids $!" ;;
    esac
  done
  # shellcheck disable=SC2086 # numbers
  [ -z "$pids" ] || wait $pids
  [ -s "$work_dir/facts.system" ] || system_facts >"$work_dir/facts.system"
  # Lines with a colon in their key are for this script alone.
  cat "${files[@]}" | grep -v '^[a-z]*:' | redact >"$out_dir/toolchain.txt"
}

# Asks every ecosystem's tools, side by side, what is installed: freeze.txt for that of the command, freeze-<ecosystem>.txt
# for others.
write_freezes() {
  local kind file=freeze.txt pids=''
  for kind in $ecosystems; do
    { (enter_context "$kind" && "installed_$kind" "$work_dir/listed.$kind") && mv "$work_dir/listed.$kind" "$work_dir/installed.$kind"; } 2>/dev/null &
    pids="$pids $!"
  done
  # shellcheck disable=SC2086 # numbers
  [ -z "$pids" ] || wait $pids
  for kind in $ecosystems; do
    [ "$file" = freeze.txt ] || file=freeze-$kind.txt
    if [ -f "$work_dir/installed.$kind" ]; then redact <"$work_dir/installed.$kind" >"$out_dir/$file"; fi
    file=other
  done
}
