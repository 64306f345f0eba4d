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
