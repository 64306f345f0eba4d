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
