# --- Rust ---

uses_rust() { [ -f Cargo.toml ]; }
locks_rust() { echo Cargo.lock; }

probe_rust() {
  local key value
  has cargo && put cargo.version "$(ask cargo -V | sed -n 's/^cargo \([^ ]*\).*/\1/p')"
  has rustc || return 0
  put rustc.path "$(command -v rustc)"
  # rustup's shim is not it.
  value=$(ask rustc --print sysroot) && put rustc.realpath "$(real_path "$value/bin/rustc")"
  while read -r key value; do
    case $key in
      release:) put rustc.version "$value"
        case $value in *nightly*) put rustc.channel nightly ;; *beta*) put rustc.channel beta ;; *-dev*) put rustc.channel dev ;; *) put rustc.channel stable ;; esac ;;
      host:) put rustc.host "$value" ;;
      commit-hash:) put rustc.commit "$value" ;;
    esac
  done < <(ask rustc -vV)
}

installed_rust() { [ -f Cargo.toml ] && has cargo && ask cargo metadata --format-version 1 --locked --offline >"$1"; }
