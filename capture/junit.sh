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
