# --- Node.js ---

uses_node() { [ -f package.json ] && { has_test_script || ! any_file deno.json deno.jsonc bun.lock bun.lockb; }; }
locks_node() { echo npm-shrinkwrap.json package-lock.json pnpm-lock.yaml yarn.lock; }

has_test_script() { grep -s '"test"[[:space:]]*:' package.json | grep -qv 'no test specified'; }

# The package manager that the project names, by its `packageManager` or its lockfile.
node_manager() {
  case $(sed -n 's/.*"packageManager"[[:space:]]*:[[:space:]]*"\([a-z]*\)@.*/\1/p' package.json) in
    pnpm) echo pnpm; return ;;
    yarn) echo yarn; return ;;
    npm) echo npm; return ;;
    bun) echo bun; return ;;
  esac
  if [ -f pnpm-lock.yaml ]; then echo pnpm
  elif [ -f yarn.lock ]; then echo yarn
  elif any_file bun.lock bun.lockb && has bun; then echo bun
  else echo npm
  fi
}

# Asks Node.js, with the paths of the package managers. Their versions are read: each takes longer to start than Node.js.
# `script:` lines are the project's scripts, for this script alone.
probe_node() {
  has node || return 0
  local manager paths=() version
  for manager in npm pnpm yarn; do has "$manager" && paths+=("$(command -v "$manager")"); done
  put node.path "$(command -v node)"
  ask node -e '
var fs = require("fs"), path = require("path"), v = process.versions
function put(key, value) { if (value) console.log(key + "=" + String(value).replace(/[\0-\x1f]/g, " ")) }
function json(file) { try { return JSON.parse(fs.readFileSync(file, "utf8")) } catch (e) { return {} } }
put("node.realpath", fs.realpathSync(process.execPath))
put("node.version", v.node)
put("node.modules", v.modules)
put("node.napi", v.napi)
put("node.openssl", v.openssl)
put("node.platform", process.platform)
put("node.arch", process.arch)
var project = json("package.json"), named = /^(\w+)@([\w.-]+)/.exec(project.packageManager || "") || []
process.argv.slice(1).forEach(function (found) {
  var manager = path.basename(found).replace(/\..*/, ""), folder = path.dirname(fs.realpathSync(found)), about = {}
  for (var up = 0; up < 4 && !about.name; up++, folder = path.dirname(folder)) about = json(path.join(folder, "package.json"))
  var own = /\/(yarn-(\d[\w.-]*))\.c?js/.exec(manager === "yarn" ? (/^yarnPath:\s*(\S+)/m.exec(read(".yarnrc.yml")) || [])[1] || "" : "")
  if (own) put("yarn.version", own[2])
  else if (about.name === manager) put(manager + ".version", about.version)
  else if (about.name === "corepack" && named[1] === manager) put(manager + ".version", named[2])
  else put("ask:" + manager, found)
})
function read(file) { try { return fs.readFileSync(file, "utf8") } catch (e) { return "" } }
try { if (require("node:test/reporters").junit && process.allowedNodeEnvironmentFlags.has("--test-reporter")) put("reporter:", "yes") } catch (e) {}
for (var name in project.scripts || {}) put("script:" + name, project.scripts[name])
' ${paths[@]+"${paths[@]}"} | while IFS= read -r line; do
    case $line in
      # A shim, or one program of its own: it alone knows.
      ask:*) manager=${line%%=*}; manager=${manager#ask:}
        case $all_runners in *" $manager-test "*) version=$(ask "$manager" --version) && put "$manager.version" "$version" ;; esac ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}

# What lies in node_modules, whoever put it there, as `npm ls --all --parseable --long` prints it: PATH:NAME@VERSION.
installed_node() { has node && list_node_modules node >"$1"; }
list_node_modules() {
  [ -d node_modules ] || return
  ask "$1" -e '
var fs = require("fs"), path = require("path"), seen = {}, lines = []
function list(folder) { try { return fs.readdirSync(folder) } catch (e) { return [] } }
function one(folder) {
  var real, about
  try { real = fs.realpathSync(folder); about = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")) } catch (e) { return }
  if (seen[real]) return
  seen[real] = true
  // A workspace member or a linked package is the project itself.
  if (real.split(path.sep).indexOf("node_modules") >= 0 && about.name && about.version) lines.push(folder.split(path.sep).join("/") + ":" + about.name + "@" + about.version)
  // What a package brings along in its own archive is part of it.
  if (!about.bundleDependencies && !about.bundledDependencies) all(path.join(folder, "node_modules"))
}
function all(folder) {
  list(folder).forEach(function (name) {
    var inner = path.join(folder, name)
    if (name[0] === "@") list(inner).forEach(function (scoped) { one(path.join(inner, scoped)) })
    else if (name[0] !== ".") one(inner)
    else if (name === ".pnpm") list(inner).forEach(function (kept) { all(path.join(inner, kept, "node_modules")) })
  })
}
all("node_modules")
lines.sort().forEach(function (line) { console.log(line.replace(/[\0-\x1f]/g, "?")) })'
}
