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
