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
