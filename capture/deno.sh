# --- Deno ---

uses_deno() { any_file deno.json deno.jsonc deno.lock; }
locks_deno() { echo deno.lock; }

probe_deno() {
  has deno || return 0
  put deno.path "$(command -v deno)"
  ask deno eval --no-config --no-lock '
const put = (key, value) => { if (value) console.log(key + "=" + value) }
put("deno.realpath", Deno.realPathSync(Deno.execPath()))
put("deno.version", Deno.version.deno)
put("deno.v8", Deno.version.v8)
put("deno.typescript", Deno.version.typescript)
put("deno.target", Deno.build.target)'
}

installed_deno() { :; }
