# --- the source ---

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

# Sets git_top, the top of the working tree, and git_prefix, where in it we are. Either may hold line ends.
locate_repository() {
  local answer
  answer=$(forget_git; git_ rev-parse --show-cdup --show-prefix) || return
  git_top=$(absolute "./${answer%%"$newline"*}")
  answer=${answer#*"$newline"}
  git_prefix=${answer%/}
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
