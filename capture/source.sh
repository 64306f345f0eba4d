# --- the source ---

# Git, with nothing of the repository's settings that would run a program or write to the repository, or let a change
# go unseen.
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

# Lists of names end in NUL, since names may hold line ends. These two let tools work on them that know lines only.
nul_lines() { LC_ALL=C tr '\n\0' '\0\n'; }
count_nul() { LC_ALL=C tr -dc '\0' | wc -c | tr -d ' '; }

# A list that ends in NUL as lines KEY.0=, KEY.1= …, as many as fit: the rest is counted in KEY.more.
put_list() {
  local entry index=0 more=0 left=$3
  while IFS= read -r -d '' entry; do
    left=$((left - ${#entry} - ${#1} - 5))
    if [ "$index" -ge "$2" ] || [ "$left" -lt 0 ]; then more=$((more + 1)) left=0
    else put_escaped "$1.$index" "$entry"; index=$((index + 1))
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

# The index becomes the working tree: from HEAD on, with nothing hidden, without the bundle's own files. No content is
# stored, only its names: a tree is told by them.
index_working_tree() {
  if [ -n "$1" ]; then git_ read-tree --reset "$1"; else git_ read-tree --empty; fi || return
  git_ update-index -z --no-assume-unchanged --stdin <"$work_dir/hidden"
  git_ update-index -z --no-skip-worktree --stdin <"$work_dir/hidden"
  # What was a file and is a directory goes before what is in it comes.
  {
    git_ ls-files -z -m
    cat "$work_dir/staged"
    git_ ls-files -z -o --exclude-standard
  } | nul_lines | LC_ALL=C sed 's,/$,,' | nul_lines >"$work_dir/seen"
  git_ update-index -z --add --remove --replace --info-only --stdin <"$work_dir/seen" || return
  own_files_as glob
  [ ${#own_specs[@]} -eq 0 ] || git_ ls-files -z -- "${own_specs[@]}" | git_ update-index -z --force-remove --stdin
}

# The newest commit before HEAD that a remote has: others can have that one too.
published() {
  local found=''
  [ -z "$(git_ for-each-ref --count=1 refs/remotes)" ] ||
    found=$(git_ rev-list --boundary "$1" --not --remotes | sed -n 's/^-//p' | head -n 1)
  printf '%s\n' "${found:-$1}"
}

# How each submodule stands: what is changed inside of it is in no tree of ours.
submodules() {
  local entry path
  git_ ls-files -z -s | nul_lines | LC_ALL=C sed -n 's/^160000 [0-9a-f]* 0.//p' | nul_lines | while IFS= read -r -d '' path; do
    if [ ! -e "$path/.git" ]; then entry=absent
    elif [ -n "$(git_ -C "$path" status --porcelain --ignore-submodules=none --untracked-files=normal | head -n 1)" ]; then entry=dirty
    else entry=clean
    fi
    printf '%s %s\0' "$entry" "$path"
  done
}

# How many files of Git LFS are there as pointers only, their content not fetched.
lfs_pointers() {
  local path line number=0
  git_ ls-files -z -- ':(glob)**/.gitattributes' | xargs -0 grep -qs 'filter=lfs' /dev/null || return 0
  while IFS= read -r -d '' path; do
    line=''
    [ ! -f "$path" ] || LC_ALL=C IFS= read -r -n 42 line <"$path"
    [ "$line" != 'version https://git-lfs.github.com/spec/v1' ] || number=$((number + 1))
  done < <(git_ ls-files -z -- ':(attr:filter=lfs)')
  echo "$number"
}

# The source that is about to run, as lines of run.txt: the tree of the working tree, untracked files included, without the
# bundle's own files, and how it differs from a commit that others have.
git_facts() (
  local head base empty tree index own_specs=()
  enter_repository || return
  head=$(git_ rev-parse --verify --quiet 'HEAD^{commit}')
  empty=$(git_ hash-object -t tree /dev/null)
  index=$(git_ rev-parse --git-path index)
  submodules >"$work_dir/submodules"
  git_ ls-files -z -v | nul_lines | LC_ALL=C sed -n 's/^[a-zS] //p' | nul_lines >"$work_dir/hidden"
  # What was staged although .gitignore names it.
  git_ diff-index --cached --diff-filter=A --name-only -z "${head:-$empty}" >"$work_dir/staged"
  put git.head "$head"
  put git.ignored "$(git_ ls-files -z -o -i --directory --exclude-standard | count_nul)"
  put git.lfs "$(lfs_pointers)"
  put git.autocrlf "$(git_ config core.autocrlf)"
  put git.eol "$(git_ config core.eol)"
  put git.hidden "$(count_nul <"$work_dir/hidden")"
  put_list git.hidden 20 2000 <"$work_dir/hidden"
  put_list git.submodule 50 4000 <"$work_dir/submodules"

  mkdir "$work_dir/objects"
  [ ! -f "$index" ] || cp -p "$index" "$work_dir/index"
  use_own_index
  # An entry that HEAD does not have is not in the index any more.
  if ! index_working_tree "$head" || ! tree=$(git_ write-tree --missing-ok); then
    say 'git could not read every file: the source is not recorded'
    rm -f "$work_dir/index"
    return
  fi
  put git.tree "$tree"
  own_files_as exclude,glob
  git_ diff-index --cached --name-only --diff-filter=A -z "${head:-$empty}" -- ${own_specs[@]+"${own_specs[@]}"} >"$work_dir/untracked"
  if git_ diff-index --cached --quiet --ignore-submodules=none "${head:-$empty}" -- ${own_specs[@]+"${own_specs[@]}"}; then put git.dirty no
  else put git.dirty yes
  fi
  put_list git.untracked 200 12000 <"$work_dir/untracked"
  base=$head
  [ -z "$head" ] || base=$(published "$head")
  put git.base "$base"
  # Mode and name of the content, then the path; a file that is not there has zeroes.
  git_ diff-index --cached --raw -z --no-renames --ignore-submodules=none "${base:-$empty}" -- ${own_specs[@]+"${own_specs[@]}"} |
    while IFS= read -r -d '' tree && IFS= read -r -d '' index; do
      tree=${tree#* }
      printf '%s %s\0' "${tree%% *} $(expr "$tree" : '[0-9]* [0-9a-f]* \([0-9a-f]*\)')" "$index"
    done | put_list git.change 200 24000
)

# What became of the source while it ran, as lines of run.txt: M for a changed file, D for one that is gone, A for one that
# is new.
git_after() (
  local own_specs=() letter path
  [ -s "$work_dir/index" ] && enter_repository || return
  use_own_index
  git_ update-index -q --refresh
  own_files_as exclude,glob
  {
    git_ diff-files --name-status -z --no-renames --ignore-submodules=all | while IFS= read -r -d '' letter && IFS= read -r -d '' path; do
      case $letter in D) ;; *) letter=M ;; esac
      printf '%s %s\0' "$letter" "$path"
    done
    git_ ls-files -z -o --exclude-standard -- ${own_specs[@]+"${own_specs[@]}"} | while IFS= read -r -d '' path; do printf 'A %s\0' "$path"; done
  } | put_list git.after 100 8000
)
