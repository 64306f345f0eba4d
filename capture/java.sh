# --- Java ---

uses_java() { any_file pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts; }
locks_java() { echo gradle.lockfile; }

# The java that the command uses: build tools take that of JAVA_HOME first.
java_found() {
  local word
  for word in ${seen_words[@]+"${seen_words[@]}"}; do
    case $word in */java) printf '%s\n' "$word"; return ;; java) command -v java; return ;; esac
  done
  if [ -x "${JAVA_HOME:-/none}/bin/java" ]; then printf '%s\n' "$JAVA_HOME/bin/java"; else command -v java; fi
}

# The version in the name of a build tool's own jar: its launcher, its place below the tool's directory.
jar_version() {
  local folder file named
  folder=$(real_path "$(command -v "$1")")
  for file in "${folder%/bin/*}"/lib/"$2"-[0-9]*.jar; do
    # A distribution may have it elsewhere, under a name with the version and one without.
    file=$(real_path "$file")
    for named in "$file" "${file%.jar}"-[0-9]*.jar; do
      named=${named##*-}
      case $named in [0-9]*.[0-9]*[0-9].jar) printf '%s\n' "${named%.jar}"; return ;; esac
    done
  done
  return 1
}

# The version in the distribution's URL, which a wrapper's settings name.
wrapper_version() { sed -n 's/^distributionUrl=.*[/-]\([0-9][0-9.]*[0-9]\(-[a-z0-9-]*[0-9]\)\{0,1\}\)-[a-z]*\.zip.*/\1/p' "$1" 2>/dev/null | head -n 1; }

probe_java() {
  local java version
  java=$(java_found) || return 0
  put java.path "$java"
  # shellcheck disable=SC2016 # of the inner shell
  ask sh -c 'exec "$1" -XshowSettings:properties -version 2>&1' sh "$java" | sed -n \
    -e 's/^ *java\.home = \(.*\)/java.home=\1/p' -e 's/^ *java\.version = /java.version=/p' \
    -e 's/^ *java\.class\.version = /java.class=/p' -e 's/^ *java\.vm\.name = /java.vm=/p' \
    -e 's/^ *java\.vendor = /java.vendor=/p' -e 's/^ *java\.runtime\.version = /java.runtime=/p' \
    -e 's/^ *os\.arch = /java.arch=/p' | while IFS= read -r line; do
    case $line in java.home=*) put java.realpath "$(real_path "${line#*=}/bin/java")" ;; *) printf '%s\n' "$line" ;; esac
  done
  if [ -f pom.xml ]; then
    if [ -f .mvn/wrapper/maven-wrapper.properties ] && [ -f mvnw ]; then version=$(wrapper_version .mvn/wrapper/maven-wrapper.properties)
    elif has mvn; then version=$(jar_version mvn maven-core || ask mvn -v | sed -n 's/.*Apache Maven \([0-9][^ ]*[0-9]\).*/\1/p')
    else version=''
    fi
    put mvn.version "$version"
  fi
  if any_file build.gradle build.gradle.kts settings.gradle settings.gradle.kts; then
    if [ -f gradle/wrapper/gradle-wrapper.properties ]; then version=$(wrapper_version gradle/wrapper/gradle-wrapper.properties)
    elif has gradle; then version=$(jar_version gradle gradle-core || jar_version gradle gradle-launcher)
    else version=''
    fi
    put gradle.version "$version"
  fi
}

installed_java() { :; }
