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
