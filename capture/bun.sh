# --- Bun ---

uses_bun() { any_file bun.lock bun.lockb bunfig.toml; }
locks_bun() { echo bun.lock; }

probe_bun() {
  has bun || return 0
  put bun.path "$(command -v bun)"
  ask bun -e '
const put = (key, value) => { if (value) console.log(key + "=" + value) }
put("bun.realpath", require("fs").realpathSync(process.execPath))
put("bun.version", Bun.version)
put("bun.modules", process.versions.modules)
put("bun.platform", process.platform)
put("bun.arch", process.arch)'
}

installed_bun() { case $ecosystems in *' node '*) ;; *) has bun && list_node_modules bun >"$1" ;; esac; }
