# --- Go ---

uses_go() { any_file go.mod go.work; }
locks_go() { echo go.mod go.sum; }

# Flags of go with the values of those that change what is built or tested; of others the name, since they may hold anything.
go_flags() {
  local word flags=''
  # shellcheck disable=SC2086 # words
  for word in $1; do
    case $word in
      -tags=* | --tags=* | -mod=* | -race* | -buildmode=* | -cover* | -count=* | -p=* | -short* | -timeout=*) ;;
      *=*) word=${word%%=*}=… ;;
    esac
    flags="$flags $word"
  done
  flags=${flags# }
  printf '%s\n' "${flags:-none}"
}

probe_go() {
  has go || return 0
  local key value
  put go.path "$(command -v go)"
  for key in version GOOS GOARCH GOAMD64 GOARM64 CGO_ENABLED GOFLAGS GOTOOLCHAIN GOEXPERIMENT realpath; do
    IFS= read -r value || break
    case $key in
      version) value=${value#go} ;;
      # Asked, and empty, is an answer.
      GOEXPERIMENT) value=${value:-none} ;;
      GOFLAGS) value=$(go_flags "$value") ;;
      realpath) value=$(real_path "$value/bin/go") ;;
    esac
    put "go.$key" "$value"
  done < <(ask go env GOVERSION GOOS GOARCH GOAMD64 GOARM64 CGO_ENABLED GOFLAGS GOTOOLCHAIN GOEXPERIMENT GOROOT)
}

# The modules that packages and tests were built from, as `go list -m all` prints them. That itself needs files of modules
# that no build needs, so that it often fails after a test run.
installed_go() {
  [ -f go.mod ] && has go || return
  ask go list -mod=readonly -e -deps -test -f \
    '{{with .Module}}{{.Path}}{{with .Version}} {{.}}{{end}}{{with .Replace}} => {{.Path}}{{with .Version}} {{.}}{{end}}{{end}}{{end}}' \
    ./... | LC_ALL=C sort -u | grep . >"$1.modules" || return
  { echo '# go list -deps -test ./...'; cat "$1.modules"; } >"$1"
}
