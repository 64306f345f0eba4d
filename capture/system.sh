# --- the system ---

# Variables that change how tests run and hold no secret: recorded with their value.
SHOWN='CI GITHUB_ACTIONS TZ LANG LC_ALL LC_CTYPE PYTHONHASHSEED PYTHONWARNINGS PYTHONDONTWRITEBYTECODE PYTHONOPTIMIZE PYTHONUTF8
  PYTEST_DISABLE_PLUGIN_AUTOLOAD NODE_ENV RUSTUP_TOOLCHAIN RUST_TEST_THREADS RAILS_ENV RACK_ENV APP_ENV
  ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT'
# Those that change it too, and whose value may hold anything: recorded as `set`.
MASKED='PYTHONPATH PYTEST_ADDOPTS NODE_OPTIONS NODE_PATH RUSTFLAGS JAVA_TOOL_OPTIONS MAVEN_OPTS GRADLE_OPTS RUBYOPT LD_PRELOAD
  LD_LIBRARY_PATH HTTP_PROXY HTTPS_PROXY http_proxy https_proxy'

# Bytes of a file, as decimal numbers: FILE OFFSET COUNT.
bytes_of() { od -An -v -t u1 -j "$2" -N "$3" "$1" 2>/dev/null; }

# A number of such bytes, the least significant one first.
little() {
  local byte number=0 factor=1
  for byte in "$@"; do number=$((number + byte * factor)); factor=$((factor * 256)); done
  echo "$number"
}

# The loader that a program's ELF header names; `static` where it names none. Fails for what is no little-endian ELF, and
# for a file that ends before its header does.
loader_of() {
  local b wide whole table size count index type at length
  # shellcheck disable=SC2207 # numbers
  b=($(bytes_of "$1" 0 64))
  [ "${b[*]:0:4}" = '127 69 76 70' ] && [ "${b[5]-}" = 1 ] || return 1
  [ "${b[4]}" = 2 ] && wide=yes whole=64 || wide='' whole=52
  [ "${#b[@]}" -ge "$whole" ] || return 1
  if [ -n "$wide" ]; then table=$(little "${b[@]:32:8}") size=$(little "${b[@]:54:2}") count=$(little "${b[@]:56:2}")
  else table=$(little "${b[@]:28:4}") size=$(little "${b[@]:42:2}") count=$(little "${b[@]:44:2}")
  fi
  # shellcheck disable=SC2207 # numbers
  b=($(bytes_of "$1" "$table" $((size * count))))
  [ "$count" -gt 0 ] && [ "${#b[@]}" -eq $((size * count)) ] || return 1
  for ((index = 0; index < ${#b[@]}; index += size)); do
    type=$(little "${b[@]:index:4}")
    [ "$type" = 3 ] || continue # PT_INTERP
    if [ -n "$wide" ]; then at=$(little "${b[@]:index+8:8}") length=$(little "${b[@]:index+32:8}")
    else at=$(little "${b[@]:index+4:4}") length=$(little "${b[@]:index+16:4}")
    fi
    tail -c "+$((at + 1))" "$1" | head -c $((length - 1))
    return
  done
  echo static
}

# The C library that a program is loaded with, and its version as the loader itself, or else the system, gives it; nothing
# where that cannot be told.
libc_of() {
  local loader text
  loader=$(loader_of "$1") || return
  case $loader in
    static) echo static ;;
    */ld-musl*) text=$("$loader" 2>&1 </dev/null | sed -n 's/^Version //p'); [ -z "$text" ] || echo "musl $text" ;;
    */ld-linux* | */ld64.so* | */ld.so*)
      text=$("$loader" --version 2>/dev/null </dev/null | sed -n '1s/.*[^0-9.]\([0-9]\{1,3\}\.[0-9]\{1,3\}\)\.*$/\1/p')
      if [ -n "$text" ]; then echo "glibc $text"
      else case $loader in /lib*) getconf GNU_LIBC_VERSION 2>/dev/null ;; esac
      fi ;;
  esac
}

# The C library of the first tool; that of the system's shell where no tool tells, and for compilers, whose own says
# nothing of what they build.
libc_fact() {
  local kind real libc
  for kind in $ecosystems; do
    case $kind in go | rust) continue ;; esac
    real=$(sed -n 's/^[a-z]*\.realpath=//p' "$work_dir/facts.$kind" | head -n 1)
    libc=$([ -z "$real" ] || libc_of "$real")
    [ -z "$libc" ] || { echo "$libc"; return; }
  done
  libc_of /bin/sh
}

# Whether the processor is another one than the programs see: `rosetta`, `qemu`, `no`; nothing where that cannot be told.
# SYSTEM ARCHITECTURE
emulation() {
  local vendor command
  if [ "$1" = Darwin ]; then
    if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then echo rosetta
    elif [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ] && grep -qsE '^(python\.platform=.*-x86_64|node\.arch=x64|go\.GOARCH=amd64|rustc\.host=x86_64.*|java\.arch=x86_64|ruby\.platform=x86_64-.*)$' "$work_dir"/facts.*; then echo rosetta
    elif [ -n "$(sysctl -n hw.ncpu 2>/dev/null)" ]; then echo no
    fi
    return
  fi
  # What emulates this shell is named by its command line as another process sees it; tr is another one.
  command=$(tr '\0' '\n' 2>/dev/null <"/proc/$$/cmdline" | head -n 1)
  case ${command##*/} in qemu-*) echo qemu; return ;; rosetta*) echo rosetta; return ;; esac
  vendor=$(sed -n -e '/^vendor_id/{s/.*: *//p;q;}' -e '/^CPU implementer/{s/.*/arm/p;q;}' /proc/cpuinfo 2>/dev/null)
  case $2:$vendor in
    *:VirtualApple) echo rosetta ;;
    x86_64:arm | i?86:arm | aarch64:*Intel | aarch64:*AMD | arm*:*Intel | arm*:*AMD) echo qemu ;;
    x86_64:?* | i?86:?* | aarch64:arm | armv*:arm) echo no ;;
  esac
}

# The kind of container, by the marks that it leaves; `none found` where there are none, which proves nothing.
container() {
  local groups
  [ ! -e /.dockerenv ] || { echo docker; return; }
  [ ! -e /run/.containerenv ] || { echo podman; return; }
  [ -z "${KUBERNETES_SERVICE_HOST-}" ] || { echo kubernetes; return; }
  groups=$(cat /proc/1/cgroup 2>/dev/null)
  case $groups in
    *kubepods*) echo kubernetes ;;
    *docker* | *containerd*) echo docker ;;
    *libpod*) echo podman ;;
    *lxc*) echo lxc ;;
    *) echo 'none found' ;;
  esac
}

time_zone() {
  local zone=${TZ-}
  [ -n "$zone" ] || zone=$(readlink /etc/localtime 2>/dev/null) || zone=''
  case $zone in *zoneinfo/*) zone=${zone#*zoneinfo/} ;; '') zone=$(date +%Z) ;; esac
  printf '%s\n' "${zone#Etc/}"
}

# A digest of the machine's name, by which it is known again and not told: reports hold the name itself.
host_mark() {
  local name
  name=$(uname -n 2>/dev/null | tr '[:upper:]' '[:lower:]')
  name=${name%%.*}
  [ -z "$name" ] || { name=$(printf '%s' "$name" | sha256) && echo "${name:0:16}"; }
}

system_facts() {
  local os kernel arch name
  read -r os kernel arch < <(uname -srm)
  case $os in MINGW* | MSYS* | CYGWIN*) os=Windows ;; esac
  put schema 2
  put os "$os"
  put arch "$arch"
  put kernel "$kernel"
  put host "$(host_mark)"
  if has sw_vers; then put distro "macos $(sw_vers -productVersion)"
  elif [ -r /etc/os-release ]; then
    # shellcheck disable=SC1091 # a file of the system
    put distro "$(. /etc/os-release && echo "${ID-} ${VERSION_ID-}" | sed 's/ *$//')"
  fi
  put libc "$(libc_fact)"
  put emulated "$(emulation "$os" "$arch")"
  [ "$os" != Linux ] || put container "$(container)"
  put cpus "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null)"
  put tz "$(time_zone)"
  put locale "${LC_ALL:-${LC_CTYPE:-${LANG-}}}"
  for name in $SHOWN; do put "env.$name" "${!name-}"; done
  for name in $MASKED; do [ -z "${!name-}" ] || put "env.$name" set; done
  put image.os "${ImageOS-}"
  put image.version "${ImageVersion-}"
  put runner.os "${RUNNER_OS-}"
  put runner.arch "${RUNNER_ARCH-}"
  put runner.environment "${RUNNER_ENVIRONMENT-}"
}
