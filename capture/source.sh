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
