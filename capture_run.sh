#!/usr/bin/env bash
# Runs a test command and records what the run was: exit code, toolchain, lockfile, installed packages, JUnit, source.
# Needs bash 3.2 and POSIX tools. Sends nothing anywhere, installs nothing, retries nothing.
# shellcheck disable=SC2317 # probe_* and installed_* are called by the name of their ecosystem
set -u
# In bash 5.2 an `&` in a replacement would mean the matched text.
shopt -u patsub_replacement 2>/dev/null

OWN_FILES=(toolchain.txt run.txt SHA256SUMS '*.exit' lock.copy 'lock-*.copy' freeze.txt 'freeze-*.txt' junit.xml 'junit-*.xml')
PYTHON_LOCKS='requirements.lock poetry.lock uv.lock pylock.toml pdm.lock Pipfile.lock'
NODE_LOCKS='package-lock.json pnpm-lock.yaml yarn.lock bun.lock'
ENVIRONMENT='CI TZ LANG LC_ALL PYTHONHASHSEED PYTHONWARNINGS PYTHONDONTWRITEBYTECODE NODE_ENV GOFLAGS'
newline=$'\n'

usage() {
  cat <<'TEXT'
usage: capture_run.sh [options]                       find the test runner by the project's layout, and run it
       capture_run.sh [options] -- COMMAND [ARG ...]  run this instead

  --out DIR        where the evidence is written (default: evidence)
  --bundle DIR     the committed evidence, where it is not --out: its files are no part of the recorded source
  --junit PATH     JUnit XML that the command writes, copied in; a glob; may repeat
  --lockfile PATH  the lockfile, in place of the first one found by name; may repeat
  --no-run         record toolchain, lockfile and installed packages alone
  --help

Exits with the command's own code, 128+n for signal n; 2 for wrong usage or where no runner is found.
TEXT
}

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

# Takes the user part out of URLs and the home directory's name out of paths: the evidence is committed.
redact() {
  local home=${HOME-}
  home=$(printf '%s' "${home%/}" | sed 's/[][\\.*^$#]/\\&/g')
  case $home in
    /*) sed -e 's#://[^/@"[:space:]]*@#://#g' -e "s#^$home/#~/#" -e "s#\([^A-Za-z0-9._~-]\)$home/#\1~/#g" \
          -e "s#\([^A-Za-z0-9._~-]\)$home\$#\1~#" ;;
    *) sed -e 's#://[^/@"[:space:]]*@#://#g' ;;
  esac
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

# --- the command, and what runs the tests in it ---

has_python_layout() {
  local file
  grep -qs pytest tox.ini setup.cfg pyproject.toml && return
  for file in pytest.ini .pytest.ini pytest.toml conftest.py tests/conftest.py test/conftest.py \
    test_*.py *_test.py tests/test_*.py tests/*_test.py tests/*/test_*.py test/test_*.py test/*_test.py; do
    [ -f "$file" ] && return
  done
  return 1
}

has_npm_test() { grep -s '"test"[[:space:]]*:' package.json | grep -qv 'no test specified'; }

# The interpreter in the directory of a virtual environment.
venv_python() {
  local file
  for file in "$1/bin/python" "$1/Scripts/python.exe"; do [ -x "$file" ] && printf '%s\n' "$file" && return; done
  return 1
}

# Takes a command where there is none yet, and else notes that it was found too.
offer() {
  if [ ${#run_argv[@]} -eq 0 ]; then run_argv=("$@"); else also_found="$also_found, \`$*\`"; fi
}

# Chooses the command by the project's layout, and sets no_runner where there is none.
choose_command() {
  local python also_found=''
  if has_python_layout; then
    for python in "$(venv_python "${VIRTUAL_ENV:-/none}")" "$(venv_python .venv)" "$(venv_python venv)" python3 python; do
      if [ -n "$python" ] && ask "$python" -B -c 'import pytest' >/dev/null; then offer "$python" -m pytest; break; fi
    done
    [ ${#run_argv[@]} -gt 0 ] || { no_runner=NO_PYTEST; say 'there are Python tests, and no Python that has pytest'; }
  else no_runner=NO_PYTEST_LAYOUT
  fi
  has_npm_test && offer npm test
  [ -f go.mod ] && offer go test ./...
  [ -f Cargo.toml ] && offer cargo test
  [ ${#run_argv[@]} -eq 0 ] || no_runner=''
  [ -z "$also_found" ] || say "not run, but found too: ${also_found#, }"
}

# Finds SCRIPT in `bash -c SCRIPT`; sets script_text.
find_script() {
  local index=1 word
  case ${run_argv[0]##*[/\\]} in bash | sh | bash.exe | sh.exe) ;; *) return 1 ;; esac
  while [ "$index" -lt ${#run_argv[@]} ]; do
    word=${run_argv[index]}
    index=$((index + 1))
    case $word in
      --rcfile | --init-file) index=$((index + 1)) ;;
      --*) ;;
      -*c*o* | -*o*c*) script_text=${run_argv[index + 1]-}; return ;;
      -*c*) script_text=${run_argv[index]-}; return ;;
      [-+]*[oO]) index=$((index + 1)) ;;
      [-+]*) ;;
      *) return 1 ;;
    esac
  done
  return 1
}

# Sets runner_name by the words of one simple command; fails where it starts no runner that is known.
runner_of() {
  local word seen=' '
  for word in "$@"; do
    case ${word##*/} in
      install | add | pip | pip3 | echo | printf | which | type | command) return 1 ;;
      pytest | pytest.exe | py.test | -mpytest) runner_name=pytest; return ;;
      -* | +* | *=*) continue ;;
    esac
    seen="$seen${word##*/} "
    case $seen in
      *' npm test '* | *' npm t '* | *' npm run test'* | *' npm run-script test'*) runner_name='npm-test'; return ;;
      *' go test '*) runner_name=go-test; return ;;
      *' cargo test '* | *' cargo t '* | *' cargo nextest '*) runner_name=cargo-test; return ;;
    esac
  done
  return 1
}

# Sets command_text, runner_name, run_words (the command that runs the tests) and all_words. Not a shell's parser: a
# script is cut at operators, good enough to see which tools it names.
read_command() {
  local line text words continuation=$'\\\n'
  command_text=$(as_typed "${run_argv[@]}")
  run_words=("${run_argv[@]}")
  all_words=("${run_argv[@]}")
  if ! find_script; then runner_of "${run_argv[@]}" && runner_count=1; return 0; fi
  command_text=$script_text
  while [ "${command_text%"$newline"}" != "$command_text" ]; do command_text=${command_text%"$newline"}; done
  all_words=()
  run_words=()
  text=${command_text//"$continuation"/ }
  text=${text//[;&|()]/$newline}
  while IFS= read -r line; do
    words=()
    read -r -a words <<<"${line//[\"\']/}"
    case ${words[0]-} in
      '' | '#'*) continue ;;
      source | .) case ${words[1]-} in */activate) activated=${words[1]%/activate}: ;; esac ;;
    esac
    all_words+=("${words[@]}")
    if runner_of "${words[@]}"; then
      runner_count=$((runner_count + 1))
      [ "$runner_count" -gt 1 ] || run_words=("${words[@]}")
    elif [ "$runner_count" -eq 0 ] && [[ " ${words[*]}" == *[\ /]python* ]]; then run_words=("${words[@]}")
    fi
  done <<<"$text"
}

# --- toolchain ---

# Asks a tool something, undisturbed by settings that are meant for the tests, and without network.
ask() (
  unset COVERAGE_PROCESS_START COV_CORE_SOURCE NODE_OPTIONS PYTHONSTARTUP
  export PYTHONIOENCODING=utf-8:backslashreplace npm_config_update_notifier=false GOPROXY=off RUSTUP_AUTO_INSTALL=0
  exec "$@" </dev/null 2>/dev/null
)

# Sets ecosystems: that of the command first, then those of the project's files.
find_ecosystems() {
  local word
  ecosystems=' '
  case $runner_name in pytest) add_ecosystem python ;; npm-test) add_ecosystem node ;; esac
  for word in ${all_words[@]+"${all_words[@]}"}; do
    case ${word##*/} in
      python | python[0-9]* | python.exe | pypy* | tox | nox | coverage | uv | poetry | pdm | pipenv | hatch)
        add_ecosystem python ;;
      node | npm | npx | pnpm | yarn | jest | vitest) add_ecosystem node ;;
      go | gotestsum) add_ecosystem go ;;
      cargo) add_ecosystem rust ;;
    esac
  done
  for word in $PYTHON_LOCKS requirements.txt pyproject.toml setup.py; do [ -f "$word" ] && add_ecosystem python; done
  has_python_layout && add_ecosystem python
  [ -f package.json ] && add_ecosystem node
  [ -f go.mod ] && add_ecosystem go
  [ -f Cargo.toml ] && add_ecosystem rust
  [ "$ecosystems" != ' ' ] || add_ecosystem python
}
add_ecosystem() { case $ecosystems in *" $1 "*) ;; *) ecosystems="$ecosystems$1 " ;; esac; }

# The interpreter that the first lines of an installed script name.
shebang_python() {
  local first='' second='' path=''
  { IFS= read -r first; IFS= read -r second; } 2>/dev/null <"$1"
  case $first in
    '#!/bin/sh'*) path=${second#*"exec' "}; path=${path%% \"\$0\"*}; path=${path#\"}; path=${path%\"} ;;
    '#!'*/env\ *) path=${first#*env }; path=${path#-S }; path=$(command -v "${path%% *}") ;;
    '#!'*) path=${first#\#!}; path=${path# }; path=${path%% -*} ;;
  esac
  case ${path##*/} in python* | pypy*) printf '%s\n' "$path" ;; *) return 1 ;; esac
}

# Sets python_path: the interpreter that the command uses as things stand now, as found.
find_python() {
  local PATH=$activated$PATH word previous=''
  python_path=''
  for word in ${run_words[@]+"${run_words[@]}"}; do
    case $word in *=*) continue ;; esac
    case ${word##*/} in
      python | python[0-9]* | python.exe | pypy | pypy[0-9]*) python_path=$(command -v "$word") ;;
      pytest | py.test | coverage) has "$word" && python_path=$(shebang_python "$(command -v "$word")") ;;
      run)
        case $previous in
          uv) python_path=$(venv_python "${UV_PROJECT_ENVIRONMENT:-.venv}" || venv_python "${git_top:-.}/.venv") ;;
          poetry) python_path=$(ask poetry env info -e) ;;
          pdm) python_path=$(ask pdm info --python) ;;
          pipenv) python_path=$(ask pipenv --py) ;;
        esac ;;
    esac
    [ -z "$python_path" ] || return 0
    previous=$word
  done
  python_path=$(venv_python "${VIRTUAL_ENV:-/none}" || command -v python3 || command -v python)
}

probe_python() {
  [ -n "$python_path" ] || return 0
  put python.path "$python_path"
  # Python 2.7 and later. The working directory must not shadow the modules that are asked.
  ask "$python_path" -B -c '
import sys
sys.path[:] = [p for p in sys.path if p not in ("", ".")]
import os, platform, re, sysconfig
def put(key, value):
    if value: sys.stdout.write("%s=%s\n" % (key, value))
def flag(value): return value and "yes" or "no"
put("exe", sys.executable)
put("python.realpath", os.path.realpath(sys.executable))
put("python.version", platform.python_version())
put("python.implementation", platform.python_implementation())
put("python.soabi", sysconfig.get_config_var("SOABI"))
put("python.platform", sysconfig.get_platform())
put("python.freethreaded", flag(sysconfig.get_config_var("Py_GIL_DISABLED")))
put("python.debug", flag(hasattr(sys, "gettotalrefcount")))
put("python.prefix", sys.prefix)
put("python.venv", flag(hasattr(sys, "real_prefix") or sys.prefix != getattr(sys, "base_prefix", sys.prefix)))
seen = set()
for folder in sys.path:
    try: names = sorted(os.listdir(folder))
    except (IOError, OSError): continue
    for name in names:
        found = re.match(r"(pip|pytest)-([0-9][^-]*)(-py[0-9.]+)?\.(dist|egg)-info$", name)
        if found and found.group(1) not in seen:
            seen.add(found.group(1))
            put(found.group(1) + ".version", found.group(2))
' | grep -E '^(exe|(python|pip|pytest)\.[a-z]+)='
}

probe_node() {
  has node || return 0
  local npm
  npm=$(command -v npm)
  put node.path "$(command -v node)"
  ask node -e '
var fs = require("fs"), path = require("path"), v = process.versions
function put(key, value) { if (value) console.log(key + "=" + value) }
put("node.realpath", fs.realpathSync(process.execPath))
put("node.version", v.node)
put("node.modules", v.modules)
put("node.napi", v.napi)
put("node.openssl", v.openssl)
put("node.platform", process.platform)
put("node.arch", process.arch)
try {
  var about = JSON.parse(fs.readFileSync(path.join(fs.realpathSync(process.argv[1]), "../../package.json"), "utf8"))
  if (about.name === "npm") put("npm.version", about.version)
} catch (e) {}
' "$npm"
}

probe_go() {
  has go || return 0
  local key value
  put go.path "$(command -v go)"
  for key in version GOOS GOARCH GOAMD64 GOARM64 CGO_ENABLED GOFLAGS GOTOOLCHAIN GOEXPERIMENT; do
    IFS= read -r value || break
    [ "$key" != version ] || value=${value#go}
    put "go.$key" "$value"
  done < <(ask go env GOVERSION GOOS GOARCH GOAMD64 GOARM64 CGO_ENABLED GOFLAGS GOTOOLCHAIN GOEXPERIMENT)
}

probe_rust() {
  local key value
  has cargo && put cargo.version "$(ask cargo -V | sed -n 's/^cargo \([^ ]*\).*/\1/p')"
  has rustc || return 0
  put rustc.path "$(command -v rustc)"
  while read -r key value; do
    case $key in
      release:) put rustc.version "$value"
        case $value in *nightly*) put rustc.channel nightly ;; *beta*) put rustc.channel beta ;; *) put rustc.channel stable ;; esac ;;
      host:) put rustc.host "$value" ;;
    esac
  done < <(ask rustc -vV)
}

# The C library of a program, by the loader that its header names; nothing where it names none.
libc_of() {
  local loader
  loader=$(head -c 4096 "$1" 2>/dev/null | LC_ALL=C tr -c '[:print:]' '\n' | sed -n '/^\/.*\/ld[^/]*\.so/{p;q;}')
  case $loader in
    *musl*) put libc "musl $("$loader" 2>&1 </dev/null | sed -n 's/^Version //p')" ;;
    ?*) put libc "$(getconf GNU_LIBC_VERSION 2>/dev/null)" ;;
  esac
}

# Whether the processor is another one than the programs see; nothing where that cannot be told.
emulation() {
  local vendor
  if [ "$1" = Darwin ]; then
    if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then echo rosetta; else echo no; fi
    return
  fi
  vendor=$(sed -n -e '/^vendor_id/{s/.*: *//p;q;}' -e '/^CPU implementer/{s/.*/arm/p;q;}' /proc/cpuinfo 2>/dev/null)
  case $2:$vendor in
    *:VirtualApple) echo rosetta ;;
    x86_64:arm | i?86:arm | aarch64:*Intel | aarch64:*AMD) echo qemu ;;
    x86_64:?* | i?86:?* | aarch64:arm | armv*:arm) echo no ;;
  esac
}

time_zone() {
  local zone=${TZ-}
  [ -n "$zone" ] || zone=$(readlink /etc/localtime 2>/dev/null) || zone=''
  case $zone in *zoneinfo/*) zone=${zone#*zoneinfo/} ;; '') zone=$(date +%Z) ;; esac
  printf '%s\n' "${zone#Etc/}"
}

system_facts() {
  local os kernel arch name real
  read -r os kernel arch < <(uname -srm)
  case $os in MINGW* | MSYS* | CYGWIN*) os=Windows ;; esac
  put schema 2
  put os "$os"
  put arch "$arch"
  put kernel "$kernel"
  if has sw_vers; then put distro "macos $(sw_vers -productVersion)"; fi
  # shellcheck disable=SC1091 # a file of the system
  [ ! -r /etc/os-release ] || put distro "$(. /etc/os-release && echo "${ID-} ${VERSION_ID-}" | sed 's/ *$//')"
  name=${ecosystems# }
  real=$(sed -n 's/^[a-z]*\.realpath=//p' "$work_dir/facts.${name%% *}")
  libc_of "${real:-/bin/sh}"
  put emulated "$(emulation "$os" "$arch")"
  put cpus "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null)"
  put tz "$(time_zone)"
  put locale "${LC_ALL:-${LC_CTYPE:-${LANG-}}}"
  for name in $ENVIRONMENT; do put "env.$name" "${!name-}"; done
  [ -z "${PYTHONPATH-}" ] || put env.PYTHONPATH set
  put image.os "${ImageOS-}"
  put image.version "${ImageVersion-}"
  put runner.os "${RUNNER_OS-}"
  put runner.arch "${RUNNER_ARCH-}"
}

# Asks each tool that has not answered yet, and writes toolchain.txt.
write_toolchain() {
  local kind
  for kind in $ecosystems; do
    grep -qs '\.version=' "$work_dir/facts.$kind" || "probe_$kind" >"$work_dir/facts.$kind"
  done
  { system_facts; for kind in $ecosystems; do grep -v '^exe=' "$work_dir/facts.$kind"; done; } | redact >"$out_dir/toolchain.txt"
}

# Looks again after the command, which may have made an environment or installed the tools.
renew_toolchain() {
  local kind before=$python_path missing=''
  find_python
  if [ "$python_path" != "$before" ] || { [ "$runner_name" = pytest ] && ! grep -qs '^pytest' "$work_dir/facts.python"; }; then
    rm -f "$work_dir/facts.python"
  fi
  for kind in $ecosystems; do grep -qs '\.version=' "$work_dir/facts.$kind" || missing=yes; done
  [ -z "$missing" ] || write_toolchain
}

# --- installed packages, lockfile, source ---

installed_python() {
  local python
  python=$(sed -n 's/^exe=//p' "$work_dir/facts.python" 2>/dev/null)
  [ -n "$python" ] || return
  cd / || return
  # What `pip freeze` prints, from the same metadata: pip itself takes longer to start than many a test run.
  ask "$python" -B -c '
import io, os, sys
sys.path[:] = [p for p in sys.path if p not in ("", ".")]
def read(path):
    try:
        with io.open(path, encoding="utf-8", errors="replace") as file: return file.read()
    except (IOError, OSError): return ""
lines = {}
for folder in sys.path:
    try: entries = sorted(os.listdir(folder))
    except (IOError, OSError): continue
    for entry in entries:
        if not entry.endswith((".dist-info", ".egg-info")): continue
        path = os.path.join(folder, entry)
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
for key in sorted(lines): print(lines[key])' >"$1" && return
  ask "$python" -B -m pip --disable-pip-version-check --no-input freeze >"$1" && return
  has uv && ask uv pip freeze --offline --python "$python" >"$1"
}
installed_node() { [ -d node_modules ] && { ask npm ls --all --unicode --offline >"$1"; [ -s "$1" ]; }; }
installed_go() {
  [ -f go.mod ] || return
  # The whole module graph needs files that a test run may not have brought; then what the packages really use.
  ask go list -mod=readonly -m all >"$1" || ask go list -mod=readonly -deps -test \
    -f '{{with .Module}}{{.Path}}{{with .Version}} {{.}}{{end}}{{end}}' ./... | LC_ALL=C sort -u | grep . >"$1"
}
installed_rust() { [ -f Cargo.toml ] && ask cargo metadata --format-version 1 --locked --offline >"$1"; }

# freeze.txt for the ecosystem of the command, freeze-<ecosystem>.txt for others.
write_freezes() {
  local kind file=freeze.txt
  for kind in $ecosystems; do
    [ "$file" = freeze.txt ] || file=freeze-$kind.txt
    if ("installed_$kind" "$work_dir/installed"); then redact <"$work_dir/installed" >"$out_dir/$file"; fi
    file=other
  done
}

# The lockfile that is found by name: here, then at the top of the repository; requirements.txt where there is no other.
find_lockfile() {
  local names folder name
  case $runner_name in
    pytest) names=$PYTHON_LOCKS ;;
    npm-test) names=$NODE_LOCKS ;;
    go-test) names=go.sum ;;
    cargo-test) names=Cargo.lock ;;
    *) names="$PYTHON_LOCKS $NODE_LOCKS go.sum Cargo.lock" ;;
  esac
  for folder in . "${git_top:-.}"; do
    for name in $names; do [ -f "$folder/$name" ] && printf '%s\n' "$folder/$name" && return; done
  done
  case $runner_name in pytest | command) ;; *) return 1 ;; esac
  for folder in . "${git_top:-.}"; do
    [ -f "$folder/requirements.txt" ] || continue
    say 'the only lockfile is requirements.txt, which need not name everything that is installed'
    printf '%s\n' "$folder/requirements.txt"
    return
  done
  return 1
}

# Copies the lockfiles, before the command can change them; writes their lines of run.txt.
copy_lockfiles() {
  local number=1 path key=lockfile file=lock.copy found
  if [ ${#lock_paths[@]} -eq 0 ]; then
    if found=$(find_lockfile); then lock_paths=("$found"); else echo NO_LOCKFILE >"$out_dir/lock.copy"; fi
  fi
  for path in ${lock_paths[@]+"${lock_paths[@]}"}; do
    if [ -f "$path" ] && cat <"$path" >"$out_dir/$file"; then
      put_escaped "$key" "$(in_repository "$path" || printf '%s' "${path#./}")"
    else say "no such lockfile: $path"
    fi
    number=$((number + 1))
    key=lockfile.$number
    file=lock-$number.copy
  done
}

# Git, with nothing of the repository's settings that would run a program or write to the repository.
git_() {
  git -c 'safe.directory=*' -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.splitIndex=false \
    -c core.sparseCheckout=false -c core.safecrlf=false -c advice.addEmbeddedRepo=false "$@" 2>/dev/null
}

# Drops the variables that git sets for its hooks: they name a repository, or an index, that need not be this one.
forget_git() {
  # shellcheck disable=SC2046 # names of variables
  unset $(git rev-parse --local-env-vars 2>/dev/null)
}

# Takes the bundle's own files out of the index.
drop_own_files() {
  [ ${#own_specs[@]} -eq 0 ] || git_ ls-files -z -- "${own_specs[@]}" | git_ update-index -z --force-remove --stdin
}

# The source that is run, as lines of run.txt: the tree of the working tree, untracked files included, without the
# bundle's own files. Index and objects are temporary ones, so that the repository stays as it is.
git_facts() (
  local head hidden base tree folder name objects
  forget_git
  export GIT_NO_REPLACE_OBJECTS=1 GIT_NO_LAZY_FETCH=1 GIT_OPTIONAL_LOCKS=0
  cd "$git_top" || return
  own_specs=()
  for folder in "$bundle_dir" "$out_dir"; do
    folder=$(in_repository "$folder") || continue
    folder=$(printf '%s' "${folder:+$folder/}" | sed 's/[][\\*?]/\\&/g')
    for name in "${OWN_FILES[@]}"; do own_specs+=(":(glob)$folder$name"); done
  done
  head=$(git_ rev-parse --verify --quiet 'HEAD^{commit}')
  hidden=$(git_ ls-files -v | LC_ALL=C grep -c '^[a-zS]')
  # What was staged although .gitignore names it.
  if [ -n "$head" ]; then git_ diff-index --cached --diff-filter=A --name-only -z HEAD; else git_ ls-files -z; fi >"$work_dir/staged"
  objects=$(git_ rev-parse --git-path objects)
  objects=$(absolute "$objects" | sed 's/[\\"]/\\&/g')
  mkdir "$work_dir/objects"
  export GIT_INDEX_FILE=$work_dir/index GIT_OBJECT_DIRECTORY=$work_dir/objects GIT_ALTERNATE_OBJECT_DIRECTORIES="\"$objects\""
  if [ -n "$head" ]; then git_ read-tree HEAD; else git_ read-tree --empty; fi
  drop_own_files && base=$(git_ write-tree --missing-ok)
  if git_ update-index -z --add --remove --stdin <"$work_dir/staged" && git_ add -A && drop_own_files; then
    tree=$(git_ write-tree --missing-ok)
  else say 'git could not add every file: the source is not recorded'
  fi
  put git.head "$head"
  put git.tree "${tree-}"
  [ -z "${tree-}" ] || put git.dirty "$(if [ "$tree" = "${base-}" ]; then echo no; else echo yes; fi)"
  put git.hidden "$hidden"
)

# --- JUnit ---

# The regular files that --junit names, sorted, one a line.
junit_files() (
  shopt -s nullglob
  shopt -s globstar 2>/dev/null
  for pattern in ${junit_globs[@]+"${junit_globs[@]}"}; do
    IFS='' # no word splitting, globs alone; bash 3.2 would join the list above
    [ ! -f "$pattern" ] || [ -L "$pattern" ] || { printf '%s\n' "$pattern"; continue; }
    for file in $pattern; do [ -L "$file" ] || [ ! -f "$file" ] || printf '%s\n' "$file"; done
  done | LC_ALL=C sort -u
)

digest_line() { printf '%s %s\n' "$(sha256 <"$1")" "$1"; }

# The file that the command, or PYTEST_ADDOPTS, has pytest write.
named_junit() {
  local word words previous=''
  read -r -a words <<<"${PYTEST_ADDOPTS-}"
  for word in ${words[@]+"${words[@]}"} ${all_words[@]+"${all_words[@]}"}; do
    case $previous=$word in
      *=--junitxml=* | *=--junit-xml=*) printf '%s\n' "${word#*=}"; return ;;
      --junitxml=* | --junit-xml=*) printf '%s\n' "$word"; return ;;
    esac
    previous=$word
  done
  return 1
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

# Decides where JUnit comes from; sets junit_options, which PYTEST_ADDOPTS gets for the command alone.
plan_junit() {
  local named file target=$out_dir/junit.xml
  if [ "$runner_name" = pytest ] && [ ${#junit_globs[@]} -eq 0 ]; then
    case " ${all_words[*]} ${PYTEST_ADDOPTS-} " in
      *no:junitxml* | *' -c '*) say 'no JUnit: the command rules it out or has settings of its own' ;;
      *)
        if named=$(named_junit); then junit_globs=("$named")
        elif junit_is_configured; then say "no JUnit: pytest's settings name a file of their own; give it with --junit"
        elif [ "$runner_count" -gt 1 ]; then say 'no JUnit: pytest runs more than once; give its files with --junit'
        else
          has cygpath && target=$(cygpath -m "$target")
          case $target in
            *[\'\\\$\`]* | *"$newline"*) say "no JUnit: pytest cannot be told of $target" ;;
            *) junit_options="${PYTEST_ADDOPTS:+$PYTEST_ADDOPTS }'--junitxml=$target'"
              say 'asks pytest for JUnit: --junitxml, through PYTEST_ADDOPTS' ;;
          esac
        fi ;;
    esac
  fi
  while IFS= read -r file; do digest_line "$file"; done < <(junit_files) >"$work_dir/junit.before"
  : >"$work_dir/start"
}

# Copies the JUnit files of this run into the bundle. One that lay there before, unchanged and older, is not of this run.
collect_junit() {
  local file name number=0 older=0 fresh=()
  while IFS= read -r file; do
    name=${file##*/}
    if [ ! "$file" -nt "$work_dir/start" ] && digest_line "$file" | grep -qxFf - "$work_dir/junit.before"; then
      say "older than the command, left out: $file"
      put_escaped "junit.older.$older" "$file" >>"$work_dir/older"
      older=$((older + 1))
    elif [ "$file" -ef "$out_dir/$name" ] && [[ $name == junit.xml || $name == junit-*.xml ]]; then :
    else fresh+=("$file")
    fi
  done < <(junit_files)
  for file in ${fresh[@]+"${fresh[@]}"}; do
    name=junit.xml
    if [ ${#fresh[@]} -gt 1 ] || [ -e "$out_dir/$name" ]; then
      number=$((number + 1))
      while [ -e "$out_dir/junit-$number.xml" ]; do number=$((number + 1)); done
      name=junit-$number.xml
    fi
    cat <"$file" >"$out_dir/$name" || say "cannot copy $file"
  done
  [ ${#junit_globs[@]} -eq 0 ] || [ ${#fresh[@]} -gt 0 ] || [ -e "$out_dir/junit.xml" ] || say "no new file is named by: ${junit_globs[*]}"
}

# --- the run ---

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
  { exec 8<&0; } 2>/dev/null || exec 8</dev/null
  # Both ends are opened here: what a process opens later may never find the other.
  mkfifo "$work_dir/alive" && exec 9<>"$work_dir/alive" && exec 7<"$work_dir/alive" && start_canary
  trap 'on_signal INT' INT
  trap 'on_signal TERM' TERM
  trap 'on_signal HUP' HUP
  (
    [ -z "$junit_options" ] || export PYTEST_ADDOPTS="$junit_options"
    exec_default "${run_argv[@]}"
  ) <&8 7<&- 8<&- 9>&- &
  command_pid=$!
  while [ -n "$wait_again" ]; do
    wait_again=''
    wait "$command_pid" 2>/dev/null
    exit_code=$?
  done
  # From here on nothing stops the record; the tools it asks can be stopped.
  trap : INT TERM HUP
  exec 7<&- 8<&- 9>&-
  case $signal_name in INT) exit_code=130 ;; TERM) exit_code=143 ;; HUP) exit_code=129 ;; esac
}

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

write_run() {
  local index=0
  {
    put schema 2
    if [ -n "$started_at" ]; then
      put runner "$runner_name"
      put_escaped command "$command_text"
      while [ "$index" -lt ${#run_argv[@]} ]; do put_escaped "argv.$index" "${run_argv[index]}"; index=$((index + 1)); done
    fi
    put_escaped cwd "${git_prefix:-.}"
    put started "$started_at"
    put finished "$finished_at"
    [ -z "$finished_at" ] || if [ -n "$signal_name" ]; then put signal "$signal_name"; else put exit "$exit_code"; fi
    cat "$work_dir/lockfiles" "$work_dir/git" "$work_dir/older"
    put capture.sha256 "$capture_digest"
  } | redact >"$out_dir/run.txt"
}

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
      --help | -h) usage; exit 0 ;;
      --) shift; run_argv=("$@"); [ $# -gt 0 ] || fail 'no command after --'; break ;;
      *) fail "unknown argument: $1; a command goes after --" ;;
    esac
    [ -n "$value" ] || fail "$option needs a value"
    case $option in
      --out) out_name=$value ;;
      --bundle) bundle_name=$value ;;
      --junit) junit_globs+=("$value") ;;
      --lockfile) lock_paths+=("$value") ;;
      --no-run) with_run='' ;;
    esac
    shift
  done
}

# --- from here it runs ---

out_name=evidence bundle_name='' with_run=yes no_runner=''
run_argv=() junit_globs=() lock_paths=() run_words=() all_words=()
command_text='' script_text='' runner_name=command runner_count=0 activated=''
ecosystems='' python_path='' git_top='' git_prefix='' junit_options='' capture_digest=''
started_at='' finished_at='' exit_code='' signal_name='' canary_pid='' command_pid='' wait_again=yes

parse_arguments "$@"
[ ${#run_argv[@]} -gt 0 ] || choose_command
[ ${#run_argv[@]} -eq 0 ] || read_command
[ -n "$with_run" ] || no_runner=""
[ -z "$no_runner" ] || runner_name=pytest

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

{ IFS= read -r git_top; IFS= read -r git_prefix; } < <(forget_git; git_ rev-parse --show-toplevel --show-prefix)
git_prefix=${git_prefix%/}
if [ -n "$git_top" ]; then git_facts; fi >"$work_dir/git"
capture_digest=$(sha256 <"${BASH_SOURCE[0]}" 2>/dev/null)
capture_digest=${capture_digest%% *}
find_ecosystems
find_python
copy_lockfiles >"$work_dir/lockfiles"
: >"$work_dir/older"
write_toolchain

if [ -n "$no_runner" ]; then
  echo "$no_runner" >"$out_dir/pytest.exit"
  say 'no test runner was found; name the command: capture_run.sh -- COMMAND'
  exit_code=2
elif [ -n "$with_run" ]; then
  plan_junit
  started_at=$(now)
  write_run
  run_command
  finished_at=$(now)
  echo "$exit_code" >"$out_dir/$runner_name.exit"
  collect_junit
  write_run
  renew_toolchain
fi
write_freezes
[ -n "$started_at" ] || write_run
write_sums || say 'no tool for SHA-256: SHA256SUMS is not written'
if [ -n "$finished_at" ]; then say "exit $exit_code${signal_name:+, interrupted by SIG$signal_name}"; fi
if [ -z "$bundle_name" ]; then say "the evidence is in $out_name: commit it with the change"; fi
exit "${exit_code:-0}"
