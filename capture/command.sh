# --- the command: what it runs the tests with ---

# Finds SCRIPT in `bash -c SCRIPT`; sets script_at, its place in run_argv.
find_script() {
  local index=1 word
  case ${run_argv[0]##*[/\\]} in bash | sh | bash.exe | sh.exe) ;; *) return 1 ;; esac
  while [ "$index" -lt ${#run_argv[@]} ]; do
    word=${run_argv[index]}
    index=$((index + 1))
    case $word in
      --rcfile | --init-file) index=$((index + 1)) ;;
      --*) ;;
      -*c*o* | -*o*c*) script_at=$((index + 1)); return ;;
      -*c*) script_at=$index; return ;;
      [-+]*[oO]) index=$((index + 1)) ;;
      [-+]*) ;;
      *) return 1 ;;
    esac
  done
  return 1
}

# Sets found_runner (as in <runner>.exit), found_tool (what runs the tests, as far as these words say) and found_script
# (the script of package.json that they name); fails where the words of this simple command start no runner that is known.
runner_of() {
  local word seen=' '
  found_runner='' found_tool='' found_script=''
  case ${1-} in echo | printf | which | type | command) return 1 ;; esac
  for word in "$@"; do
    word=${word##*[/\\]}
    word=${word%.exe}
    case $word in
      pytest | py.test | -mpytest) found_runner=pytest found_tool=pytest; return ;;
      vitest | jest | mocha | rspec | phpunit) found_runner=$word found_tool=$word; return ;;
      --test) case $seen in *.[cmjt]*[jt]s\ * | *.[jt]s\ *) ;; *' node '*) found_runner=node-test found_tool=node-test; return ;; esac ;;
      pip | pip3) return 1 ;;
      install | ci | add) case $seen in *' mvn '*) ;; *) return 1 ;; esac ;;
      mvnw | mvn.cmd | mvnw.cmd) word=mvn ;;
      gradlew | gradlew.bat) word=gradle ;;
    esac
    case $word in -* | +* | *=*) continue ;; esac
    seen="$seen$word "
    case $seen in
      *' npm test '* | *' npm t '* | *' npm tst '*) found_runner=npm-test found_script='test' ;;
      *' npm run test'* | *' npm run-script test'*) found_runner=npm-test found_script=$word ;;
      *' pnpm test '* | *' pnpm t '*) found_runner=pnpm-test found_script='test' ;;
      *' pnpm run test'*) found_runner=pnpm-test found_script=$word ;;
      *' yarn test'* | *' yarn run test'*) found_runner=yarn-test found_script=$word ;;
      *' bun run test'*) found_runner=bun-test found_script=$word ;;
      *' bun test '*) found_runner=bun-test found_tool=bun ;;
      *' deno test '*) found_runner=deno-test found_tool=deno ;;
      *' deno task test'*) found_runner=deno-test found_tool=deno-task ;;
      *' go test '*) found_runner=go-test found_tool=go ;;
      *' gotestsum '*) found_runner=go-test found_tool=gotestsum ;;
      *' cargo test '* | *' cargo t '*) found_runner=cargo-test found_tool=cargo ;;
      *' cargo nextest r'*) found_runner=cargo-test found_tool=nextest ;;
      *' mvn '*' test '* | *' mvn test '* | *' mvn '*verify\ * | *' mvn '*package\ * | *' mvn '*install\ *)
        found_runner=mvn-test found_tool=maven ;;
      *' gradle '*[tT]est\ * | *' gradle '*check\ * | *' gradle '*build\ *) found_runner=gradle-test found_tool=gradle ;;
      *' rake test'* | *' rails test'*) found_runner=minitest found_tool=minitest ;;
      *' rake spec '*) found_runner=rspec found_tool=rspec ;;
      *' dotnet test '*) found_runner=dotnet-test found_tool=dotnet ;;
      *) continue ;;
    esac
    return
  done
  return 1
}

# Calls a function with the words of each simple command of a shell's text. Not a shell's parser: the text is cut at
# operators, good enough to see which tools it names. Sets simple where the text is one simple command and nothing else.
each_command() {
  local call=$1 text=$2 line words count=0 continuation=$'\\\n'
  text=${text//"$continuation"/ }
  case $text in *[\<\>\`#\$]*) simple='' ;; *) simple=yes ;; esac
  text=${text//[;&|]/$newline}
  text=${text//(/$newline($newline}
  text=${text//)/$newline)$newline}
  while IFS= read -r line; do
    words=()
    read -r -a words <<<"${line//[\"\']/}"
    case ${words[0]-} in '' | '#'*) continue ;; esac
    count=$((count + 1))
    "$call" "${words[@]}"
  done <<<"$text"
  [ "$count" -eq 1 ] || simple=''
}

# Takes one simple command of the script into account.
take_command() {
  local words=() word
  for word in "$@"; do
    if expand_word "$word"; then [ -z "$expanded" ] || words+=("$expanded")
    # What a shell makes of it is not known: a tool or a setting that is not seen.
    else
      unclear=yes
      case $word in [A-Za-z_]*=*) ;; *) words+=("$word") ;; esac
    fi
  done
  [ ${#words[@]} -gt 0 ] || return 0
  set -- "${words[@]}"
  case $1 in
    '(') outer_dirs+=("$script_dir"); return ;;
    ')') if [ ${#outer_dirs[@]} -gt 0 ]; then word=$((${#outer_dirs[@]} - 1)); script_dir=${outer_dirs[word]}; unset "outer_dirs[word]"; fi; return ;;
    source | .) case ${2-} in */activate) activated=${2%/activate}: ;; esac ;;
  esac
  if [ -n "$script_at" ]; then take_setting "$@" && return; fi
  note_context "$@"
  all_words+=("$@")
  if runner_of "$@"; then
    test_tools="$test_tools${found_tool:-script:$found_script} "
    if [ "$runner_name" = command ]; then
      runner_name=$found_runner
      run_words=("$@")
    fi
    case " $runners " in *" $found_runner "*) ;; *) runners="$runners$found_runner " ;; esac
  elif [ "$runner_name" = command ] && [[ " $*" == *[\ /]python* ]]; then run_words=("$@")
  fi
}

# Sets from run_argv: command_text, runner_name, runners (all that it names), test_tools, run_words (the command that runs
# the tests), all_words, and simple, whether options can be put behind it.
read_command() {
  run_words=() all_words=() runner_name=command runners=' ' test_tools=' ' script_at='' simple=yes
  script_dir=. script_env=() outer_dirs=()
  if find_script; then
    command_text=${run_argv[script_at]-}
    while [ "${command_text%"$newline"}" != "$command_text" ]; do command_text=${command_text%"$newline"}; done
    each_command take_command "$command_text"
  else
    command_text=$(as_typed "${run_argv[@]}")
    take_command "${run_argv[@]}"
    run_words=("${run_argv[@]}")
  fi
}

# --- what runs the tests, by the project's layout ---

any_file() { local file; for file in "$@"; do [ -f "$file" ] && return; done; return 1; }

# Plans a run: the words of its command, after their number.
plan_run() { planned+=("$#" "$@"); }

# Plans a run where its tool is there; else its exit file says that it is not.
plan_tool() {
  local runner=$1 tool=$2
  shift
  if has "$tool"; then plan_run "$@"
  else
    tool=$(printf '%s' "${tool##*/}" | tr '[:lower:]-' '[:upper:]_')
    absent_runners+=("$runner NO_$tool")
    say "the layout is one of $runner, and there is no $1 to run it"
  fi
}

# The words before a Ruby tool.
with_bundle() { if [ -f Gemfile ] && has bundle; then printf 'bundle exec '; fi; }

# Plans a run for each kind of tests that the layout shows.
choose_runs() {
  local python manager
  if layout_python; then
    python=$(python_with_pytest)
    if [ -n "$python" ]; then plan_run "$python" -m pytest
    else absent_runners+=('pytest NO_PYTEST'); say 'there are Python tests, and no Python that has pytest'
    fi
  fi
  if has_test_script; then
    manager=$(node_manager)
    case $manager in bun) plan_run bun run test ;; *) plan_tool "$manager-test" "$manager" test ;; esac
  elif any_file bun.lock bun.lockb && has_files '*.test.[jt]s' '*_test.[jt]s' '*.spec.[jt]s'; then plan_tool bun-test bun test
  elif any_file deno.json deno.jsonc deno.lock; then
    if grep -qs '"test"[[:space:]]*:' deno.json deno.jsonc; then plan_tool deno-test deno task test
    elif has_files '*.test.[jt]s' '*_test.[jt]s'; then plan_tool deno-test deno test
    fi
  fi
  [ ! -f go.mod ] || plan_tool go-test go test ./...
  [ ! -f Cargo.toml ] || plan_tool cargo-test cargo test
  if [ -f pom.xml ]; then
    if [ -x mvnw ]; then plan_run ./mvnw test; else plan_tool mvn-test mvn test; fi
  elif any_file build.gradle build.gradle.kts settings.gradle settings.gradle.kts; then
    if [ -x gradlew ]; then plan_run ./gradlew test; else plan_tool gradle-test gradle test; fi
  fi
  # shellcheck disable=SC2046 # none, or two words
  if [ -f .rspec ] || has_files 'spec/*_spec.rb'; then plan_tool rspec $(with_bundle)rspec
  elif [ -x bin/rails ] && [ -d test ]; then plan_run bin/rails test
  elif [ -f Rakefile ] && has_files 'test/*_test.rb' 'test/test_*.rb'; then plan_tool minitest $(with_bundle)rake test
  fi
  if any_file ./*.sln ./*.slnx ./*.csproj ./*.fsproj ./*.vbproj && has_files '*.[cfv][sb]*proj'; then plan_tool dotnet-test dotnet test; fi
  if any_file phpunit.xml phpunit.xml.dist; then
    if [ -x vendor/bin/phpunit ]; then plan_run vendor/bin/phpunit; else plan_tool phpunit phpunit; fi
  fi
  [ ${#planned[@]} -gt 0 ] || [ ${#absent_runners[@]} -gt 0 ] || absent_runners=('pytest NO_PYTEST_LAYOUT')
}

# Whether a file below here has such a name; a name with a directory may lie below that directory.
has_files() {
  local name
  for name in "$@"; do
    case $name in
      */*) [ -n "$(find "${name%%/*}" -name "${name#*/}" -type f 2>/dev/null | head -n 1)" ] && return ;;
      *) [ -n "$(find . \( -name node_modules -o -name .git -o -name vendor \) -prune -o -name "$name" -type f -print 2>/dev/null | head -n 1)" ] && return ;;
    esac
  done
  return 1
}
