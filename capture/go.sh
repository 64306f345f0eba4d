# --- Go ---

uses_go() { any_file go.mod go.work; }
locks_go() { echo go.sum; }

probe_go() {
  has go || return 0
  local key value
  put go.path "$(command -v go)"
  for key in version GOOS GOARCH GOAMD64 GOARM64 CGO_ENABLED GOFLAGS GOTOOLCHAIN GOEXPERIMENT realpath; do
    IFS= read -r value || break
    case $key in version) value=${value#go} ;; realpath) value=$(real_path "$value/bin/go") ;; esac
    put "go.$key" "$value"
  done < <(ask go env GOVERSION GOOS GOARCH GOAMD64 GOARM64 CGO_ENABLED GOFLAGS GOTOOLCHAIN GOEXPERIMENT GOROOT)
}

# The modules that packages and tests were built from, as `go list -m all` prints them. That itself needs files of modules
# that no build needs, so that it often fails after a test run.
installed_go() {
  [ -f go.mod ] && has go || return
  ask go list -mod=readonly -e -deps -test -f \
    '{{with .Module}}{{.Path}}{{with .Version}} {{.}}{{end}}{{with .Replace}} => {{.Path}}{{with .Version}} {{.}}{{end}}{{end}}{{end}}' \
    ./... | LC_ALL=C sort -u | grep . >"$1"
}
