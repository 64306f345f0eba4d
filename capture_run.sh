#!/usr/bin/env bash
# Runs a test command and records what the run was: exit code, toolchain, lockfile, installed packages, JUnit, source.
# Needs bash 3.2 and POSIX tools. Sends nothing anywhere, installs nothing, retries nothing.
# shellcheck disable=SC2317,SC2329 # many functions are called by a name that is put together
set -u
# In bash 5.2 an `&` in a replacement would mean the matched text.
shopt -u patsub_replacement 2>/dev/null

OWN_FILES=(toolchain.txt run.txt SHA256SUMS '*.exit' lock.copy 'lock-*.copy' freeze.txt 'freeze-*.txt' junit.xml 'junit-*.xml')
newline=$'\n'

# --- options ---

usage() {
  cat <<'TEXT'
usage: capture_run.sh [options]                       find the test runners by the project's layout, and run them
       capture_run.sh [options] -- COMMAND [ARG ...]  run this instead

  --out DIR        where the evidence is written (default: evidence)
  --bundle DIR     the committed evidence, where it is not --out: its files are no part of the recorded source
  --junit PATH     JUnit XML that the command writes, copied in; a glob; may repeat
  --lockfile PATH  the lockfile, in place of the first one found by name; may repeat
  --no-run         record toolchain, lockfile and installed packages alone
  --questions      print the text to give to a coding agent
  --help

Exits with the command's own code, 128+n for signal n; 2 for wrong usage or where no runner is found. Of several runners:
with the first code that is not 0.
TEXT
}

questions() {
  cat <<'TEXT'
Before you say how the tests went, run them through `capture_run.sh` and let its files answer:

1. Run `./capture_run.sh`, or `./capture_run.sh -- COMMAND` with the project's own test command. Run it on the change as you
   will commit it: what you edit afterwards, it has not seen.
2. Commit the directory `evidence/` that it writes, whole and unedited, together with the change. Do not write, mend or
   shorten a file of it by hand.
3. Which exit code is in `evidence/*.exit`? Say PASS only where each of these files exists and holds 0. Without them, say
   that the tests were not run.
4. Which tests ran is in `evidence/junit*.xml`. Do not summarise the XML in its place: name the files, and quote the
   failures and skips in them word for word.
5. Something could not run, was skipped or could not reach the network? Say which, and leave the evidence as it is. A run
   that failed is evidence too.
TEXT
}

parse_arguments() {
  local option value
  while [ $# -gt 0 ]; do
    case $1 in
      --out=* | --bundle=* | --junit=* | --lockfile=*) option=${1%%=*} value=${1#*=} ;;
      --out | --bundle | --junit | --lockfile)
        [ $# -gt 1 ] || fail "$1 needs a value"
        option=$1 value=$2
        shift ;;
      --no-run) option=--no-run value=yes ;;
      --questions) questions; exit 0 ;;
      --help | -h) usage; exit 0 ;;
      --) shift; run_argv=("$@"); [ $# -gt 0 ] || fail 'no command after --'; break ;;
      *) fail "unknown argument: $1; a command goes after --" ;;
    esac
    [ -n "$value" ] || fail "$option needs a value"
    case $option in
      --out) out_name=$value ;;
      --bundle) bundle_name=$value ;;
      --junit) given_globs+=("$value") ;;
      --lockfile) lock_paths+=("$value") ;;
      --no-run) with_run='' ;;
    esac
    shift
  done
}

# --- words and paths ---

say() { printf 'capture_run: %s\n' "${*//[[:cntrl:]]/ }" >&2; }
fail() { say "$* (see --help)"; exit 2; }
has() { command -v "$1" >/dev/null 2>&1; }

# SHA-256 of files, or of standard input, as `sha256sum` prints it.
sha256() {
  if has sha256sum; then sha256sum "$@"
  elif has shasum; then shasum -a 256 "$@"
  elif has openssl; then openssl dgst -sha256 -r "$@" | sed 's/ \*/  /'
  else return 1
  fi
}

# Takes the user part out of URLs, values out of what a command calls a secret, and the home directory's name out of paths:
# the evidence is committed.
redact() {
  local home=${HOME-} secret='[Tt][Oo][Kk][Ee][Nn]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Pp][Aa][Ss][Ss]([Ww][Oo]?[Rr]?[Dd])?|[Kk][Ee][Yy]|[Cc][Rr][Ee][Dd][Ee][Nn][Tt][Ii][Aa][Ll][Ss]?'
  local filter=(-e 's#://[^/@"[:space:]]*@#://#g' -e "s#(^|[^A-Za-z0-9])([A-Za-z0-9_]*_)?($secret)=[^=[:space:]\\;&|'\"][^[:space:]\\;&|'\"]*#\\1\\2\\3=***#g")
  home=$(printf '%s' "${home%/}" | sed 's/[][\\.*^$#+?(){}|]/\\&/g')
  case $home in /*) filter+=(-e "s#^$home/#~/#" -e "s#([^A-Za-z0-9._~-])$home/#\\1~/#g" -e "s#([^A-Za-z0-9._~-])$home\$#\\1~#") ;; esac
  sed -E "${filter[@]}"
}

# One line `key=value`; none for an empty value.
put() { local value=${2//[[:cntrl:]]/}; [ -z "$value" ] || printf '%s=%s\n' "$1" "$value"; }

# Likewise for run.txt, where a value may have several lines.
put_escaped() {
  local LC_ALL=C value=$2
  value=${value//\\/\\\\}; value=${value//$newline/\\n}; value=${value//$'\r'/\\r}
  value=${value//[$'\001'-$'\010'$'\013'-$'\037'$'\177']/}
  printf '%s=%s\n' "$1" "$value"
}

# Words as a person would type them.
as_typed() {
  local LC_ALL=C word line='' quote="'\\''"
  for word in "$@"; do
    case $word in
      '' | *[!A-Za-z0-9_@%+=:,./~-]*) line="$line '${word//\'/$quote}'" ;;
      *) line="$line $word" ;;
    esac
  done
  printf '%s' "${line# }"
}

# The absolute path of what need not exist, links in it resolved.
absolute() {
  local path=$1 rest=''
  while [ ! -d "$path" ]; do
    rest=/${path##*/}$rest
    case $path in /*/*) path=${path%/*} ;; /*) path=/ ;; */*) path=${path%/*} ;; *) path=. ;; esac
  done
  path=$(CDPATH='' cd -P -- "$path" && pwd -P)
  printf '%s\n' "${path%/}$rest"
}

# A path relative to the repository; fails outside of it.
in_repository() {
  local path
  path=$(absolute "${1%/}")
  [ -n "$git_top" ] || return 1
  case $path/ in "${git_top%/}"/*) path=${path#"${git_top%/}"}; printf '%s\n' "${path#/}" ;; *) return 1 ;; esac
}

# A path with every link of its last part followed.
real_path() {
  local path=$1 link step=0
  while [ -L "$path" ] && [ "$step" -lt 40 ]; do
    link=$(readlink "$path") || break
    case $link in /*) path=$link ;; *) path=${path%/*}/$link ;; esac
    step=$((step + 1))
  done
  absolute "$path"
}

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

# --- Bun ---

uses_bun() { any_file bun.lock bun.lockb bunfig.toml; }
locks_bun() { echo bun.lock; }

probe_bun() {
  has bun || return 0
  put bun.path "$(command -v bun)"
  ask bun -e '
const put = (key, value) => { if (value) console.log(key + "=" + value) }
put("bun.realpath", require("fs").realpathSync(process.execPath))
put("bun.version", Bun.version)
put("bun.modules", process.versions.modules)
put("bun.platform", process.platform)
put("bun.arch", process.arch)'
}

installed_bun() { case $ecosystems in *' node '*) ;; *) has bun && list_node_modules bun >"$1" ;; esac; }

# --- where and with what a command runs its tools: the directory, the variables, the paths that its words name ---

# Replaces the variables in WORD that are known here; sets expanded. Fails where a shell would replace anything else.
expand_word() {
  local rest=$1 name value entry braced='^\{([A-Za-z_][A-Za-z0-9_]*)\}(.*)$' bare='^([A-Za-z_][A-Za-z0-9_]*)(.*)$'
  expanded=''
  while case $rest in *\$*) true ;; *) false ;; esac; do
    expanded=$expanded${rest%%\$*}
    rest=${rest#*\$}
    if [[ $rest =~ $braced ]] || [[ $rest =~ $bare ]]; then name=${BASH_REMATCH[1]} rest=${BASH_REMATCH[2]}
    else expanded=$1; return 1
    fi
    value=${!name-}
    [ "$name" != PWD ] || value=$(absolute "$script_dir")
    for entry in ${script_env[@]+"${script_env[@]}"}; do case $entry in "$name="*) value=${entry#*=} ;; esac; done
    expanded=$expanded$value
  done
  expanded=$expanded$rest
}

# PATH as seen from the directory of the script.
from_script() { case $1 in /*) printf '%s\n' "$1" ;; *) printf '%s\n' "${script_dir%/}/$1" ;; esac; }

# Takes one simple command of a script into account that changes where or with what the next ones run; fails for others.
take_setting() {
  local word
  case $1 in
    cd) [ $# -eq 2 ] && script_dir=$(from_script "$2") ;;
    export) shift; for word in "$@"; do case $word in [A-Za-z_]*=*) script_env+=("$word") ;; esac; done ;;
    *)
      for word in "$@"; do case $word in [A-Za-z_]*=*) ;; *) return 1 ;; esac; done
      script_env+=("$@") ;;
  esac
}

# Notes for each ecosystem whose tool a simple command names where that tool runs: a file with the directory, then the
# variables. The first command of an ecosystem counts.
note_context() {
  local folder=$script_dir assigned=(${script_env[@]+"${script_env[@]}"}) word previous='' kind kinds='' paths='' first
  while [ $# -gt 0 ]; do
    case $1 in
      env | *[/\\]env) ;;
      [A-Za-z_]*=*) assigned+=("$1") ;;
      *) break ;;
    esac
    shift
  done
  first=${1-}
  for word in "$@"; do
    case ${first##*[/\\]}:$previous in
      conda:* | mamba:* | micromamba:*) ;;
      *:-C | *:--prefix | *:--directory | *:--cwd) folder=$(from_script "$word") ;;
    esac
    case ${first##*[/\\]}:$word in cargo:+* | rustc:+*) assigned+=("RUSTUP_TOOLCHAIN=${word#+}") ;; esac
    if kind=$(ecosystem_of "$word"); then
      case " $kinds " in *" $kind "*) ;; *) kinds="$kinds $kind" ;; esac
      case $word in */node | */go | */cargo | */rustc | */ruby | */php | */deno | */bun | */dotnet | */mvn | */npm)
        word=$(from_script "$word")
        paths=$(absolute "${word%/*}"): ;;
      esac
    fi
    previous=$word
  done
  for kind in $kinds; do
    [ ! -e "$work_dir/context.$kind" ] || continue
    {
      printf '%s\n' "$folder"
      for word in ${assigned[@]+"${assigned[@]}"}; do case $word in *"$newline"*) ;; *) printf '%s\n' "$word" ;; esac; done
      [ -z "$paths" ] || printf 'PATH=%s%s\n' "$paths" "$PATH"
    } >"$work_dir/context.$kind"
  done
}

# The directory in which the tools of an ecosystem run.
context_dir() { { IFS= read -r REPLY <"$work_dir/context.$1"; } 2>/dev/null || REPLY=.; printf '%s\n' "$REPLY"; }

# Brings a subshell to where the command runs the tools of an ecosystem; fails where that place is not there (yet).
enter_context() {
  local folder line
  [ -s "$work_dir/context.$1" ] || return 0
  {
    IFS= read -r folder
    while IFS= read -r line; do export "${line?}"; done
  } <"$work_dir/context.$1"
  cd -- "$folder" 2>/dev/null || return
}

# --- Deno ---

uses_deno() { any_file deno.json deno.jsonc deno.lock; }
locks_deno() { echo deno.lock; }

probe_deno() {
  has deno || return 0
  put deno.path "$(command -v deno)"
  ask deno eval --no-config --no-lock '
const put = (key, value) => { if (value) console.log(key + "=" + value) }
put("deno.realpath", Deno.realPathSync(Deno.execPath()))
put("deno.version", Deno.version.deno)
put("deno.v8", Deno.version.v8)
put("deno.typescript", Deno.version.typescript)
put("deno.target", Deno.build.target)'
}

installed_deno() { :; }

# --- .NET ---

uses_dotnet() { any_file global.json ./*.sln ./*.slnx ./*.csproj ./*.fsproj ./*.vbproj; }
locks_dotnet() { echo packages.lock.json; }

probe_dotnet() {
  has dotnet || return 0
  put dotnet.path "$(command -v dotnet)"
  ask dotnet --info | awk '
    { sub(/\r$/, "") }
    /^[^ ]/ { section = $0 }
    section ~ /^\.NET.* SDK/ && $1 == "Version:" { print "dotnet.version=" $2 }
    section ~ /^Runtime Env/ && $1 == "RID:" { print "dotnet.rid=" $2 }
    section ~ /^Runtime Env/ && $1 == "Base" { sub(/^ *Base Path: */, ""); sub(/sdk\/[^\/]*\/?$/, ""); print "dotnet.root=" $0 }
    section ~ /^Host/ && $1 == "Version:" { print "dotnet.host=" $2 }
    section ~ /^Host/ && $1 == "Architecture:" { print "dotnet.arch=" $2 }
    section ~ /runtimes installed/ && $1 == "Microsoft.NETCore.App" { runtimes = runtimes (runtimes == "" ? "" : " ") $2 }
    END { if (runtimes != "") print "dotnet.runtimes=" runtimes }' | while IFS= read -r line; do
    case $line in dotnet.root=*) put dotnet.realpath "$(real_path "${line#*=}dotnet")" ;; *) printf '%s\n' "$line" ;; esac
  done
}

installed_dotnet() { :; }

# --- Go ---

uses_go() { any_file go.mod go.work; }
locks_go() { echo go.mod go.sum; }

# Flags of go with the values of those that change what is built or tested; of others the name, since they may hold anything.
go_flags() {
  local word flags=''
  # shellcheck disable=SC2086 # words
  for word in $1; do
    case $word in
      -tags=* | --tags=* | -mod=* | -race* | -buildmode=* | -cover* | -count=* | -p=* | -short* | -timeout=*) ;;
      *=*) word=${word%%=*}=… ;;
    esac
    flags="$flags $word"
  done
  flags=${flags# }
  printf '%s\n' "${flags:-none}"
}

probe_go() {
  has go || return 0
  local key value
  put go.path "$(command -v go)"
  for key in version GOOS GOARCH GOAMD64 GOARM64 CGO_ENABLED GOFLAGS GOTOOLCHAIN GOEXPERIMENT realpath; do
    IFS= read -r value || break
    case $key in
      version) value=${value#go} ;;
      # Asked, and empty, is an answer.
      GOEXPERIMENT) value=${value:-none} ;;
      GOFLAGS) value=$(go_flags "$value") ;;
      realpath) value=$(real_path "$value/bin/go") ;;
    esac
    put "go.$key" "$value"
  done < <(ask go env GOVERSION GOOS GOARCH GOAMD64 GOARM64 CGO_ENABLED GOFLAGS GOTOOLCHAIN GOEXPERIMENT GOROOT)
}

# The modules that packages and tests were built from, as `go list -m all` prints them. That itself needs files of modules
# that no build needs, so that it often fails after a test run.
installed_go() {
  [ -f go.mod ] && has go || return
  ask go list -mod=readonly -e -deps -test -f \
    '{{with .Module}}{{.Path}}{{with .Version}} {{.}}{{end}}{{with .Replace}} => {{.Path}}{{with .Version}} {{.}}{{end}}{{end}}{{end}}' \
    ./... | LC_ALL=C sort -u | grep . >"$1.modules" || return
  { echo '# go list -deps -test ./...'; cat "$1.modules"; } >"$1"
}

# --- Java ---

uses_java() { any_file pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts; }
locks_java() { echo gradle.lockfile; }

# The java that the command uses: build tools take that of JAVA_HOME first.
java_found() {
  local word
  for word in ${seen_words[@]+"${seen_words[@]}"}; do
    case $word in */java) printf '%s\n' "$word"; return ;; java) command -v java; return ;; esac
  done
  if [ -x "${JAVA_HOME:-/none}/bin/java" ]; then printf '%s\n' "$JAVA_HOME/bin/java"; else command -v java; fi
}

# The version in the name of a build tool's own jar: its launcher, its place below the tool's directory.
jar_version() {
  local folder file named
  folder=$(real_path "$(command -v "$1")")
  for file in "${folder%/bin/*}"/lib/"$2"-[0-9]*.jar; do
    # A distribution may have it elsewhere, under a name with the version and one without.
    file=$(real_path "$file")
    for named in "$file" "${file%.jar}"-[0-9]*.jar; do
      named=${named##*-}
      case $named in [0-9]*.[0-9]*[0-9].jar) printf '%s\n' "${named%.jar}"; return ;; esac
    done
  done
  return 1
}

# The version in the distribution's URL, which a wrapper's settings name.
wrapper_version() { sed -n 's/^distributionUrl=.*[/-]\([0-9][0-9.]*[0-9]\(-[a-z0-9-]*[0-9]\)\{0,1\}\)-[a-z]*\.zip.*/\1/p' "$1" 2>/dev/null | head -n 1; }

probe_java() {
  local java version
  java=$(java_found) || return 0
  put java.path "$java"
  # shellcheck disable=SC2016 # of the inner shell
  ask sh -c 'exec "$1" -XshowSettings:properties -version 2>&1' sh "$java" | sed -n \
    -e 's/^ *java\.home = \(.*\)/java.home=\1/p' -e 's/^ *java\.version = /java.version=/p' \
    -e 's/^ *java\.class\.version = /java.class=/p' -e 's/^ *java\.vm\.name = /java.vm=/p' \
    -e 's/^ *java\.vendor = /java.vendor=/p' -e 's/^ *java\.runtime\.version = /java.runtime=/p' \
    -e 's/^ *os\.arch = /java.arch=/p' | while IFS= read -r line; do
    case $line in java.home=*) put java.realpath "$(real_path "${line#*=}/bin/java")" ;; *) printf '%s\n' "$line" ;; esac
  done
  if [ -f pom.xml ]; then
    if [ -f .mvn/wrapper/maven-wrapper.properties ] && [ -f mvnw ]; then version=$(wrapper_version .mvn/wrapper/maven-wrapper.properties)
    elif has mvn; then version=$(jar_version mvn maven-core || ask mvn -v | sed -n 's/.*Apache Maven \([0-9][^ ]*[0-9]\).*/\1/p')
    else version=''
    fi
    put mvn.version "$version"
  fi
  if any_file build.gradle build.gradle.kts settings.gradle settings.gradle.kts; then
    if [ -f gradle/wrapper/gradle-wrapper.properties ]; then version=$(wrapper_version gradle/wrapper/gradle-wrapper.properties)
    elif has gradle; then version=$(jar_version gradle gradle-core || jar_version gradle gradle-launcher)
    else version=''
    fi
    put gradle.version "$version"
  fi
}

installed_java() { :; }

# --- Node.js ---

uses_node() { [ -f package.json ] && { has_test_script || ! any_file deno.json deno.jsonc bun.lock bun.lockb; }; }
locks_node() { echo npm-shrinkwrap.json package-lock.json pnpm-lock.yaml yarn.lock; }

has_test_script() { grep -s '"test"[[:space:]]*:' package.json | grep -qv 'no test specified'; }

# The package manager that the project names, by its `packageManager` or its lockfile.
node_manager() {
  case $(sed -n 's/.*"packageManager"[[:space:]]*:[[:space:]]*"\([a-z]*\)@.*/\1/p' package.json) in
    pnpm) echo pnpm; return ;;
    yarn) echo yarn; return ;;
    npm) echo npm; return ;;
    bun) echo bun; return ;;
  esac
  if [ -f pnpm-lock.yaml ]; then echo pnpm
  elif [ -f yarn.lock ]; then echo yarn
  elif any_file bun.lock bun.lockb && has bun; then echo bun
  else echo npm
  fi
}

# Asks Node.js, with the paths of the package managers. Their versions are read: each takes longer to start than Node.js.
# `script:` lines are the project's scripts, for this script alone.
probe_node() {
  has node || return 0
  local manager paths=() version
  for manager in npm pnpm yarn; do has "$manager" && paths+=("$(command -v "$manager")"); done
  put node.path "$(command -v node)"
  ask node -e '
var fs = require("fs"), path = require("path"), v = process.versions
function put(key, value) { if (value) console.log(key + "=" + String(value).replace(/[\0-\x1f]/g, " ")) }
function json(file) { try { return JSON.parse(fs.readFileSync(file, "utf8")) } catch (e) { return {} } }
put("node.realpath", fs.realpathSync(process.execPath))
put("node.version", v.node)
put("node.modules", v.modules)
put("node.napi", v.napi)
put("node.openssl", v.openssl)
put("node.platform", process.platform)
put("node.arch", process.arch)
var project = json("package.json"), named = /^(\w+)@([\w.-]+)/.exec(project.packageManager || "") || []
process.argv.slice(1).forEach(function (found) {
  var manager = path.basename(found).replace(/\..*/, ""), folder = path.dirname(fs.realpathSync(found)), about = {}
  for (var up = 0; up < 4 && !about.name; up++, folder = path.dirname(folder)) about = json(path.join(folder, "package.json"))
  var own = /\/(yarn-(\d[\w.-]*))\.c?js/.exec(manager === "yarn" ? (/^yarnPath:\s*(\S+)/m.exec(read(".yarnrc.yml")) || [])[1] || "" : "")
  if (own) put("yarn.version", own[2])
  else if (about.name === manager) put(manager + ".version", about.version)
  else if (about.name === "corepack" && named[1] === manager) put(manager + ".version", named[2])
  else put("ask:" + manager, found)
})
function read(file) { try { return fs.readFileSync(file, "utf8") } catch (e) { return "" } }
try { if (require("node:test/reporters").junit && process.allowedNodeEnvironmentFlags.has("--test-reporter")) put("reporter:", "yes") } catch (e) {}
for (var name in project.scripts || {}) put("script:" + name, project.scripts[name])
' ${paths[@]+"${paths[@]}"} | while IFS= read -r line; do
    case $line in
      # A shim, or one program of its own: it alone knows.
      ask:*) manager=${line%%=*}; manager=${manager#ask:}
        case $all_runners in *" $manager-test "*) version=$(ask "$manager" --version) && put "$manager.version" "$version" ;; esac ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}

# What lies in node_modules, whoever put it there, as `npm ls --all --parseable --long` prints it: PATH:NAME@VERSION.
installed_node() { has node && list_node_modules node >"$1"; }
list_node_modules() {
  [ -d node_modules ] || return
  ask "$1" -e '
var fs = require("fs"), path = require("path"), seen = {}, lines = []
function list(folder) { try { return fs.readdirSync(folder) } catch (e) { return [] } }
function one(folder) {
  var real, about
  try { real = fs.realpathSync(folder); about = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")) } catch (e) { return }
  if (seen[real]) return
  seen[real] = true
  // A workspace member or a linked package is the project itself.
  if (real.split(path.sep).indexOf("node_modules") >= 0 && about.name && about.version) lines.push(folder.split(path.sep).join("/") + ":" + about.name + "@" + about.version)
  // What a package brings along in its own archive is part of it.
  if (!about.bundleDependencies && !about.bundledDependencies) all(path.join(folder, "node_modules"))
}
function all(folder) {
  list(folder).forEach(function (name) {
    var inner = path.join(folder, name)
    if (name[0] === "@") list(inner).forEach(function (scoped) { one(path.join(inner, scoped)) })
    else if (name[0] !== ".") one(inner)
    else if (name === ".pnpm") list(inner).forEach(function (kept) { all(path.join(inner, kept, "node_modules")) })
  })
}
all("node_modules")
lines.sort().forEach(function (line) { console.log(line.replace(/[\0-\x1f]/g, "?")) })'
}

# --- PHP ---

uses_php() { any_file composer.json phpunit.xml phpunit.xml.dist; }
locks_php() { echo composer.lock; }

probe_php() {
  has php || return 0
  put php.path "$(command -v php)"
  # shellcheck disable=SC2016 # variables of PHP
  ask php -r '
function put($key, $value) { if ($value !== "") echo "$key=$value\n"; }
put("php.realpath", (string) realpath(PHP_BINARY));
put("php.version", PHP_VERSION);
put("php.api", basename(PHP_EXTENSION_DIR));
put("php.threadsafe", PHP_ZTS ? "yes" : "no");
put("php.debug", PHP_DEBUG ? "yes" : "no");
put("php.bits", (string) (PHP_INT_SIZE * 8));
$names = str_replace(" ", "_", array_map("strtolower", get_loaded_extensions())); sort($names);
put("php.extensions", implode(" ", $names));'
}

installed_php() { :; }

# --- Python ---

layout_python() {
  local file
  grep -qs pytest tox.ini setup.cfg pyproject.toml && return
  any_file pytest.ini .pytest.ini pytest.toml conftest.py tests/conftest.py test/conftest.py && return
  for file in test_*.py *_test.py tests/test_*.py tests/*_test.py tests/*/test_*.py test/test_*.py test/*_test.py; do
    [ -f "$file" ] && return
  done
  return 1
}

uses_python() {
  # shellcheck disable=SC2046 # names
  layout_python || any_file $(locks_python) requirements.txt pyproject.toml setup.py
}

locks_python() { echo poetry.lock uv.lock pylock.toml pdm.lock Pipfile.lock conda-lock.yml pixi.lock requirements.lock; }

# The interpreter in the directory of a virtual environment.
venv_python() {
  local file
  for file in "$1/bin/python" "$1/Scripts/python.exe"; do [ -x "$file" ] && printf '%s\n' "$file" && return; done
  return 1
}

# The environment that a tool keeps for the project elsewhere, as its lockfile says that it is used.
kept_python() {
  if [ -f poetry.lock ] && has poetry; then ask poetry env info -e
  elif [ -f pdm.lock ] && has pdm; then ask pdm info --python
  elif [ -f Pipfile.lock ] && has pipenv; then ask pipenv --py
  fi
}

# The first interpreter of the project that has pytest; its facts are then known.
python_with_pytest() {
  local python
  for python in "$(venv_python "${VIRTUAL_ENV:-/none}")" "$(venv_python .venv)" "$(venv_python venv)" "$(kept_python)" python3 python; do
    [ -n "$python" ] || continue
    probe_interpreter "$python" >"$work_dir/facts.python"
    if grep -qs '^pytest\.version=' "$work_dir/facts.python"; then printf '%s\n' "$python"; return; fi
  done
  rm -f "$work_dir/facts.python"
}

# The interpreter that the first lines of an installed script name.
shebang_python() {
  local first='' second='' path=''
  { IFS= read -r first; IFS= read -r second; } 2>/dev/null <"$1"
  case $first in
    '#!/bin/sh'*) path=${second#*"exec' "}; path=${path%% \"\$0\"*}; path=${path#\"}; path=${path%\"} ;;
    '#!'*/env\ *) path=${first#*env }; path=$(command -v "${path%% *}") ;;
    '#!'*) path=${first#\#!}; path=${path# }; path=${path%% -*} ;;
  esac
  case ${path##*/} in python* | pypy*) printf '%s\n' "$path" ;; *) return 1 ;; esac
}

# The interpreter of the environment that `conda run`, `mamba run` or `micromamba run` names.
conda_python() {
  local word previous='' root exe=${CONDA_EXE-} prefix=${CONDA_PREFIX-}
  for word in "$@"; do
    case $previous in
      -p | --prefix) venv_python "$word"; return ;;
      -n | --name)
        for root in "${MAMBA_ROOT_PREFIX:-/none}" "${exe%/*/*}" "${HOME-}/.conda" "${prefix%/envs/*}"; do
          venv_python "$root/envs/$word" && return
        done
        return 1 ;;
    esac
    previous=$word
  done
  return 1
}

# The interpreter of the only environment that tox or nox made; where there are several, none can be named.
made_python() {
  local folder found=''
  for folder in "$1"/*/; do
    folder=$(venv_python "${folder%/}") || continue
    [ -z "$found" ] || { say "$1 holds several environments: the Python of the tests is not recorded"; return 1; }
    found=$folder
  done
  [ -n "$found" ] && printf '%s\n' "$found"
}

# Sets python_path: the interpreter that the command uses as things stand now, as found; empty where none can be named.
find_python() {
  python_path=$(
    enter_context python && python_here
    case $python_path in /* | '') ;; *) [ "$(context_dir python)" = . ] || python_path=$PWD/$python_path ;; esac
    printf '%s\n' "$python_path"
  )
}

# Whether `uv run` and its options say that another environment than the project's is used.
uv_apart() {
  local word run=''
  for word in "$@"; do
    case $run:$word in
      :run) run=yes ;;
      yes:--python | yes:--python=* | yes:-p | yes:-p?* | yes:--isolated | yes:--no-project | yes:--script | yes:-s) return ;;
      yes:-*) ;;
      yes:*[!A-Za-z0-9_-]*) ;;
      yes:*) return 1 ;;
    esac
  done
  return 1
}

# Likewise where the command runs Python, in a subshell there.
python_here() {
  local word previous=''
  PATH=$activated$PATH python_path=''
  for word in ${python_words[@]+"${python_words[@]}"}; do
    case $word in *=*) continue ;; esac
    case ${word##*/} in
      python | python[0-9]* | python.exe | pypy | pypy[0-9]*) python_path=$(command -v "$word") ;;
      pytest | py.test | coverage) has "$word" && python_path=$(shebang_python "$(command -v "$word")") ;;
      tox | nox) python_path=$(made_python ".${word##*/}"); return ;;
      uvx) say "uvx makes an environment of its own: the Python of the tests is not recorded"; return ;;
      run)
        case $previous in
          uv)
            if uv_apart "${python_words[@]}"; then
              say "uv run has an environment of its own here: the Python of the tests is not recorded"
              return
            fi
            python_path=$(venv_python "${UV_PROJECT_ENVIRONMENT:-.venv}" || venv_python "${git_top:-.}/.venv") ;;
          poetry) python_path=$(ask poetry env info -e) ;;
          pdm) python_path=$(ask pdm info --python) ;;
          pipenv) python_path=$(ask pipenv --py) ;;
          conda | mamba | micromamba) python_path=$(conda_python "${python_words[@]}") ;;
        esac ;;
    esac
    [ -z "$python_path" ] || return 0
    previous=${word##*/}
  done
  python_path=$(venv_python "${VIRTUAL_ENV:-/none}" || command -v python3 || command -v python)
}

probe_python() {
  [ -n "$python_path" ] || return 0
  probe_interpreter "$python_path"
}

# Facts of an interpreter, INTERPRETER [AS-FOUND [installed]]; with `installed`, after a line `installed:`, what `pip freeze` prints, from the same metadata:
# pip itself takes longer to start than many a test run. Python 2.7 and later. The working directory must not shadow the
# modules that are asked.
probe_interpreter() {
  put python.path "$(command -v "${2-$1}")"
  ask "$1" -B -c '
import sys
sys.path[:] = [p for p in sys.path if p not in ("", ".")]
import io, os, platform, re, sysconfig
def put(key, value):
    if value: sys.stdout.write("%s=%s\n" % (key, value))
def flag(value): return value and "yes" or "no"
def read(path):
    try:
        with io.open(path, encoding="utf-8", errors="replace") as file: return file.read()
    except (IOError, OSError): return ""
entries = []
for folder in sys.path:
    try: entries.extend(os.path.join(folder, name) for name in sorted(os.listdir(folder)))
    except (IOError, OSError): continue
put("exe:", sys.executable)
put("python.realpath", os.path.realpath(sys.executable))
put("python.version", platform.python_version())
put("python.implementation", platform.python_implementation())
put("python.soabi", sysconfig.get_config_var("SOABI"))
put("python.platform", sysconfig.get_platform())
put("python.freethreaded", flag(sysconfig.get_config_var("Py_GIL_DISABLED")))
put("python.debug", flag(hasattr(sys, "gettotalrefcount")))
put("python.prefix", sys.prefix)
conda = os.path.isdir(os.path.join(sys.prefix, "conda-meta"))
put("python.venv", conda and "conda" or flag(hasattr(sys, "real_prefix") or sys.prefix != getattr(sys, "base_prefix", sys.prefix)))
seen = set()
for entry in entries:
    found = re.match(r"(pip|pytest)-([0-9][^-]*)(-py[0-9.]+)?\.(dist|egg)-info$", os.path.basename(entry))
    if found and found.group(1) not in seen:
        seen.add(found.group(1))
        put(found.group(1) + ".version", found.group(2))
if sys.argv[1:] != ["installed"]: sys.exit()
print("installed:")
lines = {}
for path in entries:
    if not path.endswith((".dist-info", ".egg-info")): continue
    head = read(os.path.join(path, "METADATA")) or read(os.path.join(path, "PKG-INFO")) or read(path)
    fields = dict(line.split(": ", 1) for line in head.split("\n\n", 1)[0].splitlines() if line.startswith(("Name: ", "Version: ")))
    name, version = fields.get("Name"), fields.get("Version")
    key = (name or "").lower().replace("_", "-").replace(".", "-")
    if not version or key in lines or key in ("", "pip", "setuptools", "wheel", "distribute", "python", "wsgiref"): continue
    line, text = "%s==%s" % (name, version), read(os.path.join(path, "direct_url.json"))
    if text:
        import json
        direct = json.loads(text)
        vcs, url = direct.get("vcs_info"), direct["url"]
        if vcs: url = "%s+%s@%s" % (vcs["vcs"], url, vcs["commit_id"])
        if direct.get("subdirectory"): url += "#subdirectory=" + direct["subdirectory"]
        if not direct.get("dir_info", {}).get("editable"): line = "%s @ %s" % (name, url)
        else: line = "# Editable install with no version control (%s)\n-e %s" % (line, url)
    lines[key] = line
for key in sorted(lines): print(lines[key])' ${3+"$3"}
}

# Asks the interpreter that the command used once more, for its facts too: the command may have made or changed it.
installed_python() {
  local python=''
  [ -n "$python_path" ] || return
  # Past a shim, which takes longer than the interpreter.
  [ "$(fact python python.path)" != "$(command -v "$python_path")" ] || python=$(fact python exe:)
  probe_interpreter "${python:-$python_path}" "$python_path" installed >"$1.all"
  if grep -q '^python\.version=' "$1.all"; then sed '/^installed:$/,$d' "$1.all" >"$work_dir/facts.python"; fi
  grep -q '^installed:$' "$1.all" && sed '1,/^installed:$/d' "$1.all" >"$1"
}

# --- Ruby ---

uses_ruby() { any_file Gemfile gems.rb .rspec Rakefile ./*.gemspec; }
locks_ruby() { echo Gemfile.lock gems.locked; }

# `formatter:` is for this script alone: what writes JUnit for RSpec.
probe_ruby() {
  has ruby || return 0
  put ruby.path "$(command -v ruby)"
  ask ruby -e '
def put(key, value); puts "#{key}=#{value}" unless value.to_s.empty?; end
put "ruby.realpath", File.realpath(RbConfig.ruby)
put "ruby.version", RUBY_VERSION
put "ruby.patch", RUBY_PATCHLEVEL
put "ruby.engine", RUBY_ENGINE
put "ruby.abi", RbConfig::CONFIG["ruby_version"]
put "ruby.platform", RUBY_PLATFORM
put "gem.version", Gem::VERSION
lock = %w[Gemfile.lock gems.locked].find { |name| File.file?(name) }
locked = lock ? File.read(lock).scan(/^    (\S+) \(([^()\s]+)\)$/).to_h : {}
put "bundler.version", (lock && File.read(lock)[/^BUNDLED WITH\s+(\S+)/, 1])
{"rspec-core" => "rspec.version", "minitest" => "minitest.version", "rspec_junit_formatter" => "formatter:"}.each do |name, key|
  put key, locked[name] || (lock ? nil : (Gem::Specification.find_by_name(name).version rescue nil))
end'
}

installed_ruby() {
  # Without its lockfile Bundler would resolve, and write one.
  any_file Gemfile.lock gems.locked && has ruby || return
  ask ruby -rbundler -e '
puts "Gems included by the bundle:"
Bundler.load.specs.sort_by(&:name).each { |spec| puts "  * #{spec.name} (#{spec.version})" }' >"$1"
}

# --- Rust ---

uses_rust() { [ -f Cargo.toml ]; }
locks_rust() { echo Cargo.lock; }

probe_rust() {
  local key value
  has cargo && put cargo.version "$(ask cargo -V | sed -n 's/^cargo \([^ ]*\).*/\1/p')"
  has rustc || return 0
  put rustc.path "$(command -v rustc)"
  # rustup's shim is not it.
  value=$(ask rustc --print sysroot) && put rustc.realpath "$(real_path "$value/bin/rustc")"
  while read -r key value; do
    case $key in
      release:) put rustc.version "$value"
        case $value in *nightly*) put rustc.channel nightly ;; *beta*) put rustc.channel beta ;; *-dev*) put rustc.channel dev ;; *) put rustc.channel stable ;; esac ;;
      host:) put rustc.host "$value" ;;
      commit-hash:) put rustc.commit "$value" ;;
    esac
  done < <(ask rustc -vV)
}

installed_rust() { [ -f Cargo.toml ] && has cargo && ask cargo metadata --format-version 1 --locked --offline >"$1"; }

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

# --- the system ---

# Variables that change how tests run and hold no secret: recorded with their value.
SHOWN='CI GITHUB_ACTIONS TZ LANG LC_ALL LC_CTYPE PYTHONHASHSEED PYTHONWARNINGS PYTHONDONTWRITEBYTECODE PYTHONOPTIMIZE PYTHONUTF8
  PYTEST_DISABLE_PLUGIN_AUTOLOAD NODE_ENV RUSTUP_TOOLCHAIN RUST_TEST_THREADS RAILS_ENV RACK_ENV APP_ENV
  ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT'
# Those that change it too, and whose value may hold anything: recorded as `set`.
MASKED='PYTHONPATH PYTEST_ADDOPTS NODE_OPTIONS NODE_PATH RUSTFLAGS JAVA_TOOL_OPTIONS MAVEN_OPTS GRADLE_OPTS RUBYOPT LD_PRELOAD
  LD_LIBRARY_PATH HTTP_PROXY HTTPS_PROXY http_proxy https_proxy'

# Bytes of a file, as decimal numbers: FILE OFFSET COUNT.
bytes_of() { od -An -v -t u1 -j "$2" -N "$3" "$1" 2>/dev/null; }

# A number of such bytes, the least significant one first.
little() {
  local byte number=0 factor=1
  for byte in "$@"; do number=$((number + byte * factor)); factor=$((factor * 256)); done
  echo "$number"
}

# The loader that a program's ELF header names; `static` where it names none. Fails for what is no little-endian ELF, and
# for a file that ends before its header does.
loader_of() {
  local b wide whole table size count index type at length
  # shellcheck disable=SC2207 # numbers
  b=($(bytes_of "$1" 0 64))
  [ "${b[*]:0:4}" = '127 69 76 70' ] && [ "${b[5]-}" = 1 ] || return 1
  [ "${b[4]}" = 2 ] && wide=yes whole=64 || wide='' whole=52
  [ "${#b[@]}" -ge "$whole" ] || return 1
  if [ -n "$wide" ]; then table=$(little "${b[@]:32:8}") size=$(little "${b[@]:54:2}") count=$(little "${b[@]:56:2}")
  else table=$(little "${b[@]:28:4}") size=$(little "${b[@]:42:2}") count=$(little "${b[@]:44:2}")
  fi
  # shellcheck disable=SC2207 # numbers
  b=($(bytes_of "$1" "$table" $((size * count))))
  [ "$count" -gt 0 ] && [ "${#b[@]}" -eq $((size * count)) ] || return 1
  for ((index = 0; index < ${#b[@]}; index += size)); do
    type=$(little "${b[@]:index:4}")
    [ "$type" = 3 ] || continue # PT_INTERP
    if [ -n "$wide" ]; then at=$(little "${b[@]:index+8:8}") length=$(little "${b[@]:index+32:8}")
    else at=$(little "${b[@]:index+4:4}") length=$(little "${b[@]:index+16:4}")
    fi
    tail -c "+$((at + 1))" "$1" | head -c $((length - 1))
    return
  done
  echo static
}

# The C library that a program is loaded with, and its version as the loader itself, or else the system, gives it; nothing
# where that cannot be told.
libc_of() {
  local loader text
  loader=$(loader_of "$1") || return
  case $loader in
    static) echo static ;;
    */ld-musl*) text=$("$loader" 2>&1 </dev/null | sed -n 's/^Version //p'); [ -z "$text" ] || echo "musl $text" ;;
    */ld-linux* | */ld64.so* | */ld.so*)
      text=$("$loader" --version 2>/dev/null </dev/null | sed -n '1s/.*[^0-9.]\([0-9]\{1,3\}\.[0-9]\{1,3\}\)\.*$/\1/p')
      if [ -n "$text" ]; then echo "glibc $text"
      else case $loader in /lib*) getconf GNU_LIBC_VERSION 2>/dev/null ;; esac
      fi ;;
  esac
}

# The C library of the first tool; that of the system's shell where no tool tells, and for compilers, whose own says
# nothing of what they build.
libc_fact() {
  local kind real libc
  for kind in $ecosystems; do
    case $kind in go | rust) continue ;; esac
    real=$(sed -n 's/^[a-z]*\.realpath=//p' "$work_dir/facts.$kind" | head -n 1)
    libc=$([ -z "$real" ] || libc_of "$real")
    [ -z "$libc" ] || { echo "$libc"; return; }
  done
  libc_of /bin/sh
}

# Whether the processor is another one than the programs see: `rosetta`, `qemu`, `no`; nothing where that cannot be told.
# SYSTEM ARCHITECTURE
emulation() {
  local vendor command
  if [ "$1" = Darwin ]; then
    if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then echo rosetta
    elif [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ] && grep -qsE '^(python\.platform=.*-x86_64|node\.arch=x64|go\.GOARCH=amd64|rustc\.host=x86_64.*|java\.arch=x86_64|ruby\.platform=x86_64-.*)$' "$work_dir"/facts.*; then echo rosetta
    elif [ -n "$(sysctl -n hw.ncpu 2>/dev/null)" ]; then echo no
    fi
    return
  fi
  # What emulates this shell is named by its command line as another process sees it; tr is another one.
  command=$(tr '\0' '\n' 2>/dev/null <"/proc/$$/cmdline" | head -n 1)
  case ${command##*/} in qemu-*) echo qemu; return ;; rosetta*) echo rosetta; return ;; esac
  vendor=$(sed -n -e '/^vendor_id/{s/.*: *//p;q;}' -e '/^CPU implementer/{s/.*/arm/p;q;}' /proc/cpuinfo 2>/dev/null)
  case $2:$vendor in
    *:VirtualApple) echo rosetta ;;
    x86_64:arm | i?86:arm | aarch64:*Intel | aarch64:*AMD | arm*:*Intel | arm*:*AMD) echo qemu ;;
    x86_64:?* | i?86:?* | aarch64:arm | armv*:arm) echo no ;;
  esac
}

# The kind of container, by the marks that it leaves; `none found` where there are none, which proves nothing.
container() {
  local groups
  [ ! -e /.dockerenv ] || { echo docker; return; }
  [ ! -e /run/.containerenv ] || { echo podman; return; }
  [ -z "${KUBERNETES_SERVICE_HOST-}" ] || { echo kubernetes; return; }
  groups=$(cat /proc/1/cgroup 2>/dev/null)
  case $groups in
    *kubepods*) echo kubernetes ;;
    *docker* | *containerd*) echo docker ;;
    *libpod*) echo podman ;;
    *lxc*) echo lxc ;;
    *) echo 'none found' ;;
  esac
}

time_zone() {
  local zone=${TZ-}
  [ -n "$zone" ] || zone=$(readlink /etc/localtime 2>/dev/null) || zone=''
  case $zone in *zoneinfo/*) zone=${zone#*zoneinfo/} ;; '') zone=$(date +%Z) ;; esac
  printf '%s\n' "${zone#Etc/}"
}

# A digest of the machine's name, by which it is known again and not told: reports hold the name itself.
host_mark() {
  local name
  name=$(uname -n 2>/dev/null | tr '[:upper:]' '[:lower:]')
  name=${name%%.*}
  [ -z "$name" ] || { name=$(printf '%s' "$name" | sha256) && echo "${name:0:16}"; }
}

system_facts() {
  local os kernel arch name
  read -r os kernel arch < <(uname -srm)
  case $os in MINGW* | MSYS* | CYGWIN*) os=Windows ;; esac
  put schema 2
  put os "$os"
  put arch "$arch"
  put kernel "$kernel"
  put host "$(host_mark)"
  if has sw_vers; then put distro "macos $(sw_vers -productVersion)"
  elif [ -r /etc/os-release ]; then
    # shellcheck disable=SC1091 # a file of the system
    put distro "$(. /etc/os-release && echo "${ID-} ${VERSION_ID-}" | sed 's/ *$//')"
  fi
  put libc "$(libc_fact)"
  put emulated "$(emulation "$os" "$arch")"
  [ "$os" != Linux ] || put container "$(container)"
  put cpus "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null)"
  put tz "$(time_zone)"
  put locale "${LC_ALL:-${LC_CTYPE:-${LANG-}}}"
  for name in $SHOWN; do put "env.$name" "${!name-}"; done
  for name in $MASKED; do [ -z "${!name-}" ] || put "env.$name" set; done
  put image.os "${ImageOS-}"
  put image.version "${ImageVersion-}"
  put runner.os "${RUNNER_OS-}"
  put runner.arch "${RUNNER_ARCH-}"
  put runner.environment "${RUNNER_ENVIRONMENT-}"
}

# --- lockfiles ---

# The lockfile of some ecosystems that is found by name: here, then at the top of the repository.
find_lockfile() {
  local folder name kind
  for folder in "$(context_dir "$1")" . "${git_top:-.}"; do
    for kind in "$@"; do
      for name in $("locks_$kind"); do [ -f "$folder/$name" ] && printf '%s\n' "$folder/$name" && return; done
    done
  done
  case $1 in python) ;; *) return 1 ;; esac
  for folder in "$(context_dir "$1")" . "${git_top:-.}"; do
    [ -f "$folder/requirements.txt" ] || continue
    say 'the only lockfile is requirements.txt, which need not name everything that is installed'
    printf '%s\n' "$folder/requirements.txt"
    return
  done
  return 1
}

# Of ecosystems whose tools are not asked.
locks_other() { echo mix.lock Package.resolved pubspec.lock; }

# Takes a lockfile, and what belongs to it: go.mod says which modules are chosen, go.sum what their bytes are; requirements
# often stand in several files.
take_lockfile() {
  local other
  lock_paths+=("$1")
  case ${1##*/} in
    go.mod) [ ! -f "${1%go.mod}go.sum" ] || lock_paths+=("${1%go.mod}go.sum") ;;
    requirements.*)
      for other in "${1%/*}"/requirements[-_]*.txt "${1%/*}"/requirements[-_]*.lock; do
        if [ -f "$other" ] && [ ${#lock_paths[@]} -lt 10 ]; then lock_paths+=("$other"); fi
      done ;;
  esac
}

# Sets lock_paths where no option does: one for each ecosystem of the runs; where those are not known, the first of all.
find_lockfiles() {
  local runner kind found kinds=' '
  for runner in $all_runners; do
    kind=$(ecosystem_of "$runner") || continue
    case $kinds in *" $kind "*) continue ;; esac
    kinds="$kinds$kind "
    if found=$(find_lockfile "$kind"); then take_lockfile "$found"
    # A project of Bun whose tests npm starts.
    elif [ "$kind" = node ] && found=$(find_lockfile bun); then take_lockfile "$found"
    fi
  done
  [ "$kinds" = ' ' ] || return 0
  if found=$(find_lockfile python node bun deno go rust java ruby dotnet php other); then take_lockfile "$found"; fi
}

# Whether a file of the repository is a link to one that is not. What lies elsewhere is nobody's lockfile.
leads_out() { [ -L "$1" ] && in_repository "$1" >/dev/null && ! in_repository "$(real_path "$1")" >/dev/null; }

# Copies the lockfiles, before the command can change them; writes their lines of run.txt.
copy_lockfiles() {
  local number=1 path key=lockfile file=lock.copy
  [ ${#lock_paths[@]} -gt 0 ] || find_lockfiles
  [ ${#lock_paths[@]} -gt 0 ] || echo NO_LOCKFILE >"$out_dir/lock.copy"
  for path in ${lock_paths[@]+"${lock_paths[@]}"}; do
    if leads_out "$path"; then say "a link out of the repository, not copied: $path"
    elif [ -f "$path" ] && cat <"$path" >"$out_dir/$file"; then
      put_escaped "$key" "$(in_repository "$path" || printf '%s' "${path#./}")"
    else say "no such lockfile: $path"
    fi
    number=$((number + 1))
    key=lockfile.$number
    file=lock-$number.copy
  done
}

# --- the source ---

# Git, with nothing of the repository's settings that would write to the repository, let a change go unseen or run a program,
# but for the filters that a file passes when it is added: what they make is what would be committed.
git_() {
  git -c 'safe.directory=*' -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.splitIndex=false \
    -c core.sparseCheckout=false -c core.safecrlf=false -c core.trustctime=true -c core.checkStat=default "$@" 2>/dev/null
}

# Drops the variables that git sets for its hooks: they name a repository, or an index, that need not be this one.
forget_git() {
  # shellcheck disable=SC2046 # names of variables
  unset $(git rev-parse --local-env-vars 2>/dev/null)
}

# Sets git_top, the top of the working tree, and git_prefix, where in it we are. Either may hold line ends.
locate_repository() {
  local answer
  answer=$(forget_git; git_ rev-parse --show-cdup --show-prefix) || return
  git_top=$(absolute "./${answer%%"$newline"*}")
  answer=${answer#*"$newline"}
  git_prefix=${answer%/}
}

# Lists of names that git reads end in NUL, since names may hold line ends. These two let tools work on them that know lines only.
nul_lines() { LC_ALL=C tr '\n\0' '\0\n'; }
without_lines_of() { if [ -s "$1" ]; then LC_ALL=C grep -vxF -f "$1"; else cat; fi; }
count_lines() { wc -l | tr -d ' '; }

# Names as git quotes them, a line each, as lines KEY.0=, KEY.1= …, as many as fit: the rest is counted in KEY.more.
put_list() {
  local LC_ALL=C entry index=0 more=0 left=$3
  while IFS= read -r entry; do
    entry=$(put_escaped "$1.$index" "$entry")
    left=$((left - ${#entry} - 1))
    if [ "$index" -ge "$2" ] || [ "$left" -lt 0 ]; then more=$((more + 1)) left=0
    else printf '%s\n' "$entry"; index=$((index + 1))
    fi
  done
  [ "$more" -eq 0 ] || put "$1.more" "$more"
}

# Goes to the top of the repository, for questions that leave it as it is.
enter_repository() {
  forget_git
  export GIT_NO_REPLACE_OBJECTS=1 GIT_NO_LAZY_FETCH=1 GIT_OPTIONAL_LOCKS=0
  cd "$git_top" || return
}

# From here git works on a copy of the index, which knows the files that it has seen before, and adds objects elsewhere.
use_own_index() {
  local objects
  objects=$(git_ rev-parse --git-path objects)
  objects=$(absolute "$objects" | sed 's/[\\"]/\\&/g')
  export GIT_INDEX_FILE=$work_dir/index GIT_OBJECT_DIRECTORY=$work_dir/objects GIT_ALTERNATE_OBJECT_DIRECTORIES="\"$objects\""
}

# Pathspecs of the bundle's own files, with MAGIC before each.
own_files_as() {
  local folder name
  own_specs=()
  for folder in "$bundle_dir" "$out_dir"; do
    folder=$(in_repository "$folder") || continue
    folder=$(printf '%s' "${folder:+$folder/}" | sed 's/[][\\*?]/\\&/g')
    for name in "${OWN_FILES[@]}"; do own_specs+=(":($1)$folder$name"); done
  done
}

# Adds what is on disk to the index. No content is stored, only its names: a tree is told by them.
index_what_is_there() {
  git_ ls-files -z -o --exclude-standard >"$work_dir/others"
  empty_repositories >"$work_dir/empty"
  # What was a file and is a directory goes before what is in it comes.
  {
    git_ ls-files -z -m
    cat "$work_dir/staged" "$work_dir/others"
  } | nul_lines | LC_ALL=C sed 's,/$,,' | without_lines_of "$work_dir/empty" | nul_lines >"$work_dir/seen"
  git_ update-index -z --add --remove --replace --info-only --stdin <"$work_dir/seen" || return
  own_files_as glob
  [ ${#own_specs[@]} -eq 0 ] || git_ ls-files -z -- "${own_specs[@]}" | git_ update-index -z --force-remove --stdin
}

# Repositories inside of this one that have no commit: git cannot name what they hold.
empty_repositories() {
  local path
  nul_lines <"$work_dir/others" | LC_ALL=C sed -n 's,/$,,p' | while IFS= read -r path; do
    (forget_git; git_ -C "$path" rev-parse --verify --quiet HEAD >/dev/null) || printf '%s\n' "$path"
  done
}

# The index becomes the working tree: from HEAD on, with nothing hidden, without the bundle's own files.
index_working_tree() {
  if [ -n "$1" ]; then git_ read-tree --reset "$1"; else git_ read-tree --empty; fi || return
  git_ update-index -z --no-assume-unchanged --stdin <"$work_dir/hidden"
  git_ update-index -z --no-skip-worktree --stdin <"$work_dir/hidden"
  index_what_is_there
}

# The newest commit before HEAD that a remote has: others can have that one too.
published() {
  local found=''
  [ -z "$(git_ for-each-ref --count=1 refs/remotes)" ] ||
    found=$(git_ rev-list --boundary "$1" --not --remotes | sed -n 's/^-//p' | head -n 1)
  printf '%s\n' "${found:-$1}"
}

# How each repository inside of this one stands: what is changed inside of it is in no tree of ours.
submodules() {
  local state path quoted
  git_ ls-files -z -s | nul_lines | LC_ALL=C sed -n 's/^160000 [0-9a-f]* 0.//p' | nul_lines >"$work_dir/links"
  git_ ls-files -s | LC_ALL=C sed -n 's/^160000 [0-9a-f]* 0.//p' >"$work_dir/links.quoted"
  while IFS= read -r -d '' path <&3 && IFS= read -r quoted <&4; do
    if [ ! -e "$path/.git" ]; then state=absent
    elif (
      forget_git
      [ -n "$(git_ -C "$path" status --porcelain --ignore-submodules=none --untracked-files=normal | head -n 1)" ] ||
        git_ -C "$path" ls-files -v | LC_ALL=C grep -q '^[a-zS]'
    ); then state=dirty
    else state=clean
    fi
    printf '%s %s\n' "$state" "$quoted"
  done 3<"$work_dir/links" 4<"$work_dir/links.quoted"
  sed 's/^/empty /' "$work_dir/empty"
}

# How many files of Git LFS are there as pointers only, their content not fetched.
lfs_pointers() {
  local path line number=0
  git_ ls-files -z -- ':(glob)**/.gitattributes' | xargs -0 grep -qs 'filter=lfs' /dev/null || return 0
  while IFS= read -r -d '' path; do
    line=''
    [ -L "$path" ] || [ ! -f "$path" ] || LC_ALL=C IFS= read -r -n 42 line <"$path"
    [ "$line" != 'version https://git-lfs.github.com/spec/v1' ] || number=$((number + 1))
  done < <(git_ ls-files -z -- ':(attr:filter=lfs)')
  echo "$number"
}

# How many files pass a filter of this machine before git sees them, so that the tree does not tell what is on disk. Those of
# Git LFS keep the content as it is.
filtered_files() {
  local key value name number=0
  while IFS= read -r key; do
    name=${key#filter.} name=${name%.*}
    value=$(git_ config "$key")
    case $name:$value in
      lfs:'git-lfs clean'* | lfs:'git-lfs filter-process'*) continue ;;
      *[!A-Za-z0-9_-]*:*) number=$((number + 1)) ;;
      *) number=$((number + $(git_ ls-files -- ":(attr:filter=$name)" | count_lines))) ;;
    esac
  done < <(git_ config --name-only --get-regexp '^filter\..*\.(clean|process)$')
  echo "$number"
}

# What is there and git ignores by rules that are not in the repository.
excluded() {
  git_ ls-files -o -i --directory --exclude-standard >"$work_dir/ignored"
  git_ ls-files -o -i --directory --exclude-per-directory=.gitignore >"$work_dir/ignored.here"
  without_lines_of "$work_dir/ignored.here" <"$work_dir/ignored"
}

# The lines of `diff-index --raw` as A, M, T or D, mode, name of the content and path; what is not there has zeroes.
raw_changes() { LC_ALL=C sed -n 's/^:[0-9]* \([0-9]*\) [0-9a-f]* \([0-9a-f]*\) \([A-Z]\)	\(.*\)$/\3 \1 \2 \4/p'; }

# The source that is about to run, as lines of run.txt: the tree of the working tree, untracked files included, without the
# bundle's own files, and how it differs from a commit that others have.
git_facts() (
  local head base empty tree index own_specs=()
  enter_repository || return
  head=$(git_ rev-parse --verify --quiet 'HEAD^{commit}')
  empty=$(git_ hash-object -t tree /dev/null)
  index=$(git_ rev-parse --git-path index)
  git_ ls-files -z -v | nul_lines | LC_ALL=C sed -n 's/^[a-zS] //p' | nul_lines >"$work_dir/hidden"
  git_ ls-files -v | LC_ALL=C sed -n 's/^[a-zS] //p' >"$work_dir/hidden.quoted"
  # What was staged although .gitignore names it, and what was staged to go although it is there.
  git_ diff-index --cached --diff-filter=A --name-only -z "${head:-$empty}" >"$work_dir/staged"
  git_ diff-index --cached --diff-filter=D --name-only "${head:-$empty}" >"$work_dir/removed"
  put git.head "$head"
  put git.hidden "$(count_lines <"$work_dir/hidden.quoted")"
  put git.lfs "$(lfs_pointers)"
  put git.filtered "$(filtered_files)"
  put git.autocrlf "$(git_ config core.autocrlf)"
  put git.eol "$(git_ config core.eol)"
  excluded >"$work_dir/excluded"
  put git.ignored "$(count_lines <"$work_dir/ignored")"

  mkdir "$work_dir/objects"
  [ ! -f "$index" ] || cp -p "$index" "$work_dir/index"
  use_own_index
  if ! index_working_tree "$head" || ! tree=$(git_ write-tree --missing-ok); then
    say 'git could not read every file: the source is not recorded'
    rm -f "$work_dir/index"
    return
  fi
  echo "$tree" >"$work_dir/tree"
  put git.tree "$tree"
  own_files_as exclude,glob
  if git_ diff-index --cached --quiet --ignore-submodules=none "${head:-$empty}" -- ${own_specs[@]+"${own_specs[@]}"}; then put git.dirty no
  else put git.dirty yes
  fi
  base=$head
  [ -z "$head" ] || base=$(published "$head")
  put git.base "$base"
  put_list git.hidden 20 2000 <"$work_dir/hidden.quoted"
  put_list git.removed 20 2000 <"$work_dir/removed"
  put_list git.excluded 20 2000 <"$work_dir/excluded"
  submodules | put_list git.submodule 50 3000
  git_ diff-index --cached --raw --no-renames --ignore-submodules=none "${base:-$empty}" -- ${own_specs[@]+"${own_specs[@]}"} |
    raw_changes | put_list git.change 200 20000
  git_ diff-index --cached --name-only --diff-filter=A "${head:-$empty}" -- ${own_specs[@]+"${own_specs[@]}"} | put_list git.untracked 200 10000
)

# What became of the source while it ran, as lines of run.txt like those of git.change.
git_after() (
  local own_specs=()
  [ -s "$work_dir/tree" ] && enter_repository || return
  use_own_index
  index_what_is_there
  own_files_as exclude,glob
  git_ diff-index --cached --raw --no-renames --ignore-submodules=all "$(cat "$work_dir/tree")" -- ${own_specs[@]+"${own_specs[@]}"} |
    raw_changes | put_list git.after 100 6000
)

# --- JUnit ---

# The regular files that --junit and the runners' own places name, sorted, one a line.
junit_files() (
  shopt -s nullglob
  shopt -s globstar 2>/dev/null
  {
    for pattern in ${junit_globs[@]+"${junit_globs[@]}"}; do
      IFS='' # no word splitting, globs alone; bash 3.2 would join the list above
      [ ! -f "$pattern" ] || [ -L "$pattern" ] || { printf '%s\n' "$pattern"; continue; }
      for file in $pattern; do [ -L "$file" ] || [ ! -f "$file" ] || printf '%s\n' "$file"; done
    done
    for pattern in ${junit_places[@]+"${junit_places[@]}"}; do
      find . \( -name .git -o -name node_modules \) -prune -o -type f -path "$pattern" -print 2>/dev/null
    done
  } | sed 's#^\./##' | LC_ALL=C sort -u
)

# The digests of files whose names come on standard input, as many at a time as a command line takes.
digests() { local names=() name; while IFS= read -r name; do names+=("$name"); done; [ ${#names[@]} -eq 0 ] || sha256 "${names[@]}"; }

# Decides where the JUnit of a run comes from. Sets what is added to the command: run_env (variables), extra (options behind
# it) and run_filter (what its output goes through); and junit_globs or junit_places, where its files will lie.
plan_junit() {
  local tool file tools=' ' twice=' ' named=' ' count=0
  run_env=() extra=() asked_text='' junit_missing='' run_filter='' junit_globs=(${given_globs[@]+"${given_globs[@]}"}) junit_places=()
  if [ ${#junit_globs[@]} -eq 0 ]; then
    expand_scripts
    while read -r tool file; do junit_globs+=("$file"); named="$named$tool "; done < <(named_files)
    for tool in $test_tools; do
      case $tool in script:*) continue ;; esac
      case $tools in *" $tool "*) twice="$twice$tool " ;; *) tools="$tools$tool "; count=$((count + 1)) ;; esac
    done
  fi
  for tool in $tools; do
    case $named in *" $tool "*) continue ;; esac
    case $twice in *" $tool "*) say "no JUnit: $tool runs more than once; give its files with --junit"; continue ;; esac
    junit_target=$out_dir/junit.xml
    [ "$count" -eq 1 ] && [ "$run_count" -eq 1 ] || junit_target=$out_dir/junit-$tool.xml
    # A path that settings cannot name: beside it, and copied.
    case $junit_target in *[\'\"\\\$\`]* | *"$newline"*) mkdir -p "$work_dir/asked" && junit_target=$work_dir/asked/${junit_target##*/} ;; esac
    has cygpath && junit_target=$(cygpath -m "$junit_target")
    "ask_${tool//-/_}"
  done
  junit_files | digests >"$work_dir/junit.before"
  : >"$work_dir/start"
}

# Puts the tools that a script of package.json starts in its place, three scripts deep.
expand_scripts() {
  local tool depth=0 found outer=$simple
  while [ $depth -lt 3 ]; do
    case $test_tools in *' script:'*) ;; *) break ;; esac
    found=$test_tools test_tools=' '
    for tool in $found; do
      case $tool in
        script:*)
          each_command take_tool "$(fact node "$tool")"
          [ -n "$simple" ] || outer='' ;;
        *) test_tools="$test_tools$tool " ;;
      esac
    done
    depth=$((depth + 1))
  done
  simple=$outer
}
take_tool() { all_words+=("$@"); if runner_of "$@"; then test_tools="$test_tools${found_tool:-script:$found_script} "; fi; }

# The files that the command's own words have its tools write: lines TOOL FILE.
named_files() {
  local word words=() previous='' option value
  read -r -a words <<<"${PYTEST_ADDOPTS-}"
  for word in ${words[@]+"${words[@]}"} ${all_words[@]+"${all_words[@]}"}; do
    case $word in -*=*) option=${word%%=*} value=${word#*=} ;; *) option=$previous value=$word ;; esac
    case $option in
      --junitxml | --junit-xml) echo "pytest $value" ;;
      --test-reporter-destination) case $value in *.xml) echo "node-test $value" ;; esac ;;
      --outputFile | --outputFile.junit) case $value in *.xml) echo "vitest $value" ;; esac ;;
      --reporter-option | --reporter-options | -O) case $value in output=*) echo "mocha ${value#output=}" ;; esac ;;
      --reporter-outfile) echo "bun $value" ;;
      --junit-path) echo "deno $value" ;;
      --junitfile) echo "gotestsum $value" ;;
      --log-junit) echo "phpunit $value" ;;
      --out | -o) case $value in *.xml) echo "rspec $value" ;; esac ;;
    esac
    previous=$word
  done
}

# Copies the JUnit files of this run into the bundle. One that lay there before, unchanged and older, is not of this run.
collect_junit() {
  local file name number older=0 line fresh=()
  for file in "$work_dir/asked"/*; do [ ! -f "$file" ] || mv "$file" "$out_dir/"; done
  while IFS= read -r line; do
    file=${line#* [ *]}
    name=${file##*/}
    if [ ! "$file" -nt "$work_dir/start" ] && grep -qxF -e "$line" "$work_dir/junit.before"; then
      older=$((older + 1))
      number=$(grep -c . "$work_dir/older")
      put_escaped "junit.older.$number" "$file" >>"$work_dir/older"
      [ "$older" -gt 3 ] || say "older than the command, left out: $file"
    elif [ "$file" -ef "$out_dir/$name" ] && [[ $name == junit.xml || $name == junit-*.xml ]]; then :
    else fresh+=("$file")
    fi
  done < <(junit_files | digests)
  [ "$older" -le 3 ] || say "$older files are older than the command, and left out"
  if [ ${#fresh[@]} -gt 8 ]; then merge_junit "${fresh[@]}" >"$work_dir/merged.xml"; fresh=("$work_dir/merged.xml" ${unmerged[@]+"${unmerged[@]}"}); fi
  number=0
  for file in ${fresh[@]+"${fresh[@]}"}; do
    name=junit.xml
    if [ ${#fresh[@]} -gt 1 ] || [ "$run_count" -gt 1 ] || [ -e "$out_dir/$name" ]; then
      number=$((number + 1))
      while [ -e "$out_dir/junit-$number.xml" ]; do number=$((number + 1)); done
      name=junit-$number.xml
    fi
    cat <"$file" >"$out_dir/$name" || say "cannot copy $file"
  done
  for file in "$out_dir"/junit.xml "$out_dir"/junit-*.xml; do [ ! -e "$file" ] || number=$((number + 1)); done
  [ "$number" -eq 0 ] || return 0
  # What was to be written and was not: its absence says something of the run.
  if [ $((${#given_globs[@]} + ${#junit_places[@]})) -gt 0 ]; then
    junit_missing="${junit_globs[*]-}${junit_places[*]:+ ${junit_places[*]}}"
    say "no JUnit: no new file is named by: $junit_missing"
  else junit_missing=${asked_text:-${junit_globs[*]-}}
  fi
}

# One document of many, as a runner that writes one a class leaves them. What is cut off, or in another encoding, would
# spoil the whole: sets unmerged to those.
merge_junit() {
  local file mark=$'\xEF\xBB\xBF'
  unmerged=()
  echo '<?xml version="1.0" encoding="UTF-8"?>'
  echo '<testsuites>'
  for file in "$@"; do
    if head -c 300 "$file" | grep -qiE 'encoding=["'\''](utf-8|us-ascii)|^<testsuite' && ! head -c 300 "$file" | grep -q '<!DOCTYPE' &&
      tail -c 100 "$file" | tr -d '[:space:]' | grep -qE '</testsuites?>$'; then
      LC_ALL=C sed -e "1s/^$mark//" -e '1s/^<?xml[^>]*?>//' "$file"
      echo
    else unmerged+=("$file")
    fi
  done
  echo '</testsuites>'
}

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

# --- go test -json, as text and as JUnit ---

# Reads Go's events and prints what `go test` would have printed, as it comes; then has them written as JUnit, by a tool for
# that where there is one. A test that never ended, because its process did, failed.
go_report() {
  local interactive=() verbose=''
  case " ${all_words[*]} " in *' -v '* | *' -v=true '* | *' -test.v '*) verbose=yes ;; esac
  # mawk would read and write in blocks.
  if awk -W version 2>&1 </dev/null | grep -q '^mawk'; then interactive=(-W interactive); fi
  : >"$work_dir/go.json"
  LC_ALL=C awk ${interactive[@]+"${interactive[@]}"} -v verbose="$verbose" -v events="$work_dir/go.json" -v report="$junit_target" -v held_in="$work_dir/go.cached" '
    # The value of a field, as it stands in the line. A quote within a value is always escaped, so that a name with its
    # quotes is a name.
    function raw(name,   at, rest) {
      at = index($0, "\"" name "\":")
      if (at == 0) return ""
      rest = substr($0, at + length(name) + 3)
      if (substr(rest, 1, 1) != "\"") { match(rest, /^[^,}]*/); return substr(rest, 1, RLENGTH) }
      match(rest, /^"([^"\\]|\\.)*"/)
      return substr(rest, 2, RLENGTH - 2)
    }
    function hex(text,   i, value) {
      for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
      return value
    }
    function utf8(point) {
      if (point < 128) return sprintf("%c", point)
      if (point < 2048) return sprintf("%c%c", 192 + int(point / 64), 128 + point % 64)
      return sprintf("%c%c%c", 224 + int(point / 4096), 128 + int(point / 64) % 64, 128 + point % 64)
    }
    function unescaped(text,   out, at, letter) {
      out = ""
      while ((at = index(text, "\\")) > 0) {
        out = out substr(text, 1, at - 1)
        letter = substr(text, at + 1, 1)
        if (letter == "u") { out = out utf8(hex(substr(text, at + 2, 4))); text = substr(text, at + 6); continue }
        out = out (letter == "n" ? "\n" : letter == "t" ? "\t" : letter == "r" ? "\r" : letter == "b" || letter == "f" ? "" : letter)
        text = substr(text, at + 2)
      }
      return out text
    }
    function xml(text) {
      gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); gsub(/"/, "\\&quot;", text)
      gsub(/[\001-\010\013\014\016-\037]/, "?", text)
      return text
    }
    function attribute(text) { text = xml(text); gsub(/\n/, "\\&#10;", text); return text }
    function show(text) { printf "%s", text; fflush() }
    # What a test printed, without the lines that say where it is.
    function words(text,   line, lines, n, i, out) {
      n = split(text, lines, "\n")
      out = ""
      for (i = 1; i <= n; i++) if (lines[i] !~ /^ *(=== (RUN|PAUSE|CONT|NAME)|--- (PASS|FAIL|SKIP))/ && lines[i] != "") { sub(/^ +/, "", lines[i]); out = out (out == "" ? "" : "\n") lines[i] }
      return out
    }
    function ended(key, result, seconds) { status[key] = result; time[key] = seconds }
    !/^\{.*\}\r?$/ { show($0 "\n"); next }
    {
      print >events
      action = raw("Action"); package = unescaped(raw("Package")); test = unescaped(raw("Test")); key = package SUBSEP test
      if (action == "build-output") { show(unescaped(raw("Output"))); next }
      if (package != "" && !(package in known)) { known[package] = ++packages; order[packages] = package }
      if (action == "output") {
        text = unescaped(raw("Output"))
        if (verbose) show(text)
        else if (test == "" && text != "PASS\n") show(text)
        if (test != "") printed[key] = printed[key] text
        else said[package] = said[package] text
        if (test == "" && text ~ /^ok.*\t\(cached\)/) { held[package] = 1; cached++ }
        next
      }
      if (test == "") {
        if (action == "fail" || action == "pass" || action == "skip") { result[package] = action; took[package] = raw("Elapsed") }
        if (action == "fail" && !verbose) for (i = 1; i <= tests[package]; i++) {
          open = package SUBSEP names[package, i]
          if (!(open in status)) show(printed[open])
        }
        next
      }
      if (action == "run") { names[package, ++tests[package]] = test }
      else if (action == "pass" || action == "skip" || action == "fail") {
        ended(key, action, raw("Elapsed"))
        if (action == "fail" && !verbose) show(printed[key])
      }
    }
    END {
      print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>" >report
      for (p = 1; p <= packages; p++) {
        package = order[p]; failures = skipped = errors = 0; body = ""
        for (i = 1; i <= tests[package]; i++) {
          key = package SUBSEP names[package, i]
          seconds = time[key] + 0
          body = body "\t\t<testcase classname=\"" attribute(package) "\" name=\"" attribute(names[package, i]) "\" time=\"" sprintf("%.3f", seconds) "\""
          text = words(printed[key])
          if (status[key] == "pass") body = body "></testcase>\n"
          else if (status[key] == "skip") { skipped++; body = body ">\n\t\t\t<skipped message=\"" attribute(text) "\"></skipped>\n\t\t</testcase>\n" }
          else {
            failures++
            body = body ">\n\t\t\t<failure message=\"" (status[key] == "fail" ? "Failed" : "It never ended: its process did") "\">" xml(text) "</failure>\n\t\t</testcase>\n"
          }
        }
        if (result[package] == "fail" && failures == 0) {
          errors = 1
          body = body "\t\t<testcase classname=\"" attribute(package) "\" name=\"TestMain\" time=\"0.000\">\n\t\t\t<error message=\"Failed\">" xml(said[package]) "</error>\n\t\t</testcase>\n"
        }
        if (tests[package] + errors > 0) printf "\t<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n%s%s\t</testsuite>\n", attribute(package), tests[package] + errors, failures, errors, skipped, took[package] + 0, (package in held ? "\t\t<properties><property name=\"go.cached\" value=\"true\"></property></properties>\n" : ""), body >report
      }
      print "</testsuites>" >report
      print cached + 0 >held_in
    }'
}

# Go's events once more, by a tool that people use for it.
go_report_by_tool() {
  if has go-junit-report; then go-junit-report -parser gojson -in "$work_dir/go.json" -out "$work_dir/go.xml"
  elif has gotestsum; then gotestsum --junitfile "$work_dir/go.xml" --format testname --raw-command -- cat "$work_dir/go.json"
  fi >/dev/null 2>&1
  if [ -s "$work_dir/go.xml" ]; then cat "$work_dir/go.xml" >"$junit_target"; fi
}

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
