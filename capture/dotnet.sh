# --- .NET ---

uses_dotnet() { any_file global.json ./*.sln ./*.slnx ./*.csproj ./*.fsproj ./*.vbproj; }
locks_dotnet() { echo packages.lock.json; }

probe_dotnet() {
  has dotnet || return 0
  put dotnet.path "$(command -v dotnet)"
  ask dotnet --info | awk '
    { sub(/\r$/, "") }
    /^[^ ]/ { section = $0 }
    section ~ /^\.NET.* SDK/ && $1 == "Version:" { print "dotnet.version=" $2 }
    section ~ /^Runtime Env/ && $1 == "RID:" { print "dotnet.rid=" $2 }
    section ~ /^Runtime Env/ && $1 == "Base" { sub(/^ *Base Path: */, ""); sub(/sdk\/[^\/]*\/?$/, ""); print "dotnet.root=" $0 }
    section ~ /^Host/ && $1 == "Version:" { print "dotnet.host=" $2 }
    section ~ /^Host/ && $1 == "Architecture:" { print "dotnet.arch=" $2 }
    section ~ /runtimes installed/ && $1 == "Microsoft.NETCore.App" { runtimes = runtimes (runtimes == "" ? "" : " ") $2 }
    END { if (runtimes != "") print "dotnet.runtimes=" runtimes }' | while IFS= read -r line; do
    case $line in dotnet.root=*) put dotnet.realpath "$(real_path "${line#*=}dotnet")" ;; *) printf '%s\n' "$line" ;; esac
  done
}

installed_dotnet() { :; }
