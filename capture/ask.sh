# --- how each tool is made to write JUnit: ask_<tool>, where that needs no new package ---

# What was asked is told and recorded in these words alone: the variable itself may hold anything.
asked() { say "asks $1 for JUnit: $2"; asked_text="${asked_text:+$asked_text; }$1: $2"; }
none() { say "no JUnit: $*"; }

# Puts options behind the command: TOOL IN-WORDS OPTION …. Fails where the command is more than one plain command.
append() {
  local tool=$1 shown=$2 word
  shift 2
  if [ -z "$simple" ]; then none "options for $tool fit behind a single plain command only; give its files with --junit"; return 1; fi
  for word in "${all_words[@]}"; do
    case $word in -- | -args | --args) none "the command's own words after $word leave no place for options; give its files with --junit"; return 1 ;; esac
  done
  extra=("$@")
  # npm hands on what stands behind `--` only; older pnpm would hand on that too, newer takes options for its own without it.
  case $runner_name in
    npm-test) extra=(-- "$@") ;;
    pnpm-test)
      if ! at_least node pnpm.version 9 0; then extra=(); none "this pnpm does not hand options on; give its files with --junit"; return 1; fi
      extra=(-- "$@") ;;
  esac
  asked "$tool" "$shown"
}

# A version of a probed tool is at least MAJOR.MINOR.
at_least() {
  local version major minor
  version=$(fact "$1" "$2")
  major=${version%%.*} minor=${version#*.}
  minor=${minor%%.*}
  case $major$minor in '' | *[!0-9]*) return 1 ;; esac
  [ "$major" -gt "$3" ] || { [ "$major" -eq "$3" ] && [ "$minor" -ge "$4" ]; }
}

# Whether pytest's settings name a JUnit file, here or in a directory above, within the repository.
junit_is_configured() {
  local folder
  folder=$(pwd -P)
  while :; do
    (cd "$folder" && grep -qsE 'junit[-_]?xml' pytest.ini .pytest.ini pytest.toml .pytest.toml pyproject.toml tox.ini setup.cfg) && return
    [ "$folder" != "${git_top:-$folder}" ] && [ -n "$folder" ] || return 1
    folder=${folder%/*}
  done
}

ask_pytest() {
  case " ${all_words[*]} ${PYTEST_ADDOPTS-} " in
    *no:junitxml* | *' -c '*) none 'the command rules it out or has settings of its own'; return ;;
  esac
  if junit_is_configured; then none "pytest's settings name a file of their own; give it with --junit"; return; fi
  run_env+=("PYTEST_ADDOPTS=${PYTEST_ADDOPTS:+$PYTEST_ADDOPTS }'--junitxml=$junit_target'")
  asked pytest '--junitxml, through PYTEST_ADDOPTS'
}

ask_node_test() {
  local reporter=spec
  case " ${all_words[*]} ${NODE_OPTIONS-} " in
    *' --test-reporter'*) none 'the command chooses reporters of its own; give its files with --junit'; return ;;
  esac
  if [ -z "$(fact node reporter:)" ]; then none 'this Node.js has no such reporter'; return; fi
  # What it would show without being asked.
  at_least node node.version 23 0 || [ -t 1 ] || reporter=tap
  run_env+=("NODE_OPTIONS=${NODE_OPTIONS:+$NODE_OPTIONS }--test-reporter=$reporter --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=\"$junit_target\"")
  asked node:test '--test-reporter=junit, through NODE_OPTIONS'
}

ask_vitest() {
  local github=()
  case " ${all_words[*]} " in *' --reporter'*) none 'the command chooses reporters of its own; give its files with --junit'; return ;; esac
  if grep -qs reporters vitest.config.* vite.config.* vitest.workspace.*; then
    none "vitest's settings choose reporters of their own; give its files with --junit"
    return
  fi
  [ "${GITHUB_ACTIONS-}" != true ] || github=(--reporter=github-actions)
  append vitest --reporter=junit --reporter=default ${github[@]+"${github[@]}"} --reporter=junit "--outputFile.junit=$junit_target"
}

ask_jest() {
  if [ ! -d node_modules/jest-junit ]; then none 'jest writes none without the package jest-junit'; return; fi
  case " ${all_words[*]} " in *' --reporters'*) none 'the command chooses reporters of its own; give its files with --junit'; return ;; esac
  if grep -qs reporters jest.config.* || grep -qs '"reporters"' package.json; then
    none "jest's settings choose reporters of their own; give its files with --junit"
    return
  fi
  append jest --reporters=jest-junit --reporters=default --reporters=jest-junit && run_env+=("JEST_JUNIT_OUTPUT_FILE=$junit_target")
}

# Mocha has one reporter at a time: this one is the two that it comes with.
ask_mocha() {
  local file=$work_dir/mocha-reporter.cjs
  case " ${all_words[*]} " in *' --reporter'* | *' -R '*) none 'the command chooses a reporter of its own; give its file with --junit'; return ;; esac
  if grep -qs reporter .mocharc* || grep -qs '"reporter"' package.json; then
    none "mocha's settings choose a reporter of their own; give its file with --junit"
    return
  fi
  append mocha "its own reporters spec and xunit, together" --reporter "$file" || return
  cat >"$file" <<TEXT
const { reporters } = require(require.resolve('mocha', { paths: [process.cwd()] }))
const reporterOptions = { output: '$junit_target' }
module.exports = class {
  constructor(runner, options) {
    this.spec = new reporters.Spec(runner, options)
    this.xunit = new reporters.XUnit(runner, { ...options, reporterOption: reporterOptions, reporterOptions })
  }
  done(failures, then) { this.xunit.done(failures, then) }
}
TEXT
}

ask_bun() {
  if ! at_least bun bun.version 1 2; then none 'this Bun writes none'
  elif grep -qs 'junit' bunfig.toml; then none "Bun's settings name a file of their own; give it with --junit"
  else append bun --reporter=junit --reporter=junit "--reporter-outfile=$junit_target"
  fi
}
ask_deno() { if at_least deno deno.version 2 0; then append deno --junit-path "--junit-path=$junit_target"; else none 'this Deno writes none'; fi; }
ask_deno_task() { none 'what a task of Deno runs is not looked into; give its files with --junit'; }

# Go's own stream of events, made into what it would print and into JUnit.
ask_go() {
  case " ${all_words[*]} ${GOFLAGS-} " in *' -json'* | *' --json'* | *' -c '*) none 'the command asks for something else than a report; give its files with --junit'; return ;; esac
  append 'go test' -json -json && run_filter=go_report
}
ask_gotestsum() { run_env+=("GOTESTSUM_JUNITFILE=$junit_target"); asked gotestsum GOTESTSUM_JUNITFILE; }

ask_cargo() { none 'cargo test writes none; cargo nextest does'; }
ask_nextest() {
  printf '[profile.default.junit]\npath = "%s"\n' "$junit_target" >"$work_dir/nextest.toml"
  append 'cargo nextest' '[profile.default.junit], through --tool-config-file' --tool-config-file "capture-run:$work_dir/nextest.toml"
}

ask_maven() { junit_places+=('*/target/surefire-reports/TEST-*.xml' '*/target/failsafe-reports/TEST-*.xml'); }
ask_gradle() { junit_places+=('*/build/test-results/*/TEST-*.xml'); }

ask_rspec() {
  if [ -z "$(fact ruby formatter:)" ]; then none 'RSpec writes none without the gem rspec_junit_formatter'; return; fi
  case " ${all_words[*]} ${SPEC_OPTS-} " in *' -f'* | *' --format'*) none 'the command chooses formatters of its own; give its files with --junit'; return ;; esac
  if grep -qsE -e '-f|--format' .rspec; then none 'the settings choose formatters of their own; give its files with --junit'; return; fi
  run_env+=("SPEC_OPTS=${SPEC_OPTS:+$SPEC_OPTS }--format progress --format RspecJunitFormatter --out '$junit_target'")
  asked RSpec 'RspecJunitFormatter, through SPEC_OPTS'
}
ask_minitest() { junit_places+=('./test/reports/*.xml'); }
ask_dotnet() { junit_places+=('*/TestResults/*.xml'); }
ask_phpunit() { append phpunit --log-junit --log-junit "$junit_target"; }
