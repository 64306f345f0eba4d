# --- go test -json, as text and as JUnit ---

# Reads Go's events and prints what `go test` would have printed, as it comes; then has them written as JUnit, by a tool for
# that where there is one. A test that never ended, because its process did, failed.
go_report() {
  local interactive=() verbose=''
  case " ${all_words[*]} " in *' -v '* | *' -v=true '* | *' -test.v '*) verbose=yes ;; esac
  # mawk would read and write in blocks.
  if awk -W version 2>&1 </dev/null | grep -q '^mawk'; then interactive=(-W interactive); fi
  : >"$work_dir/go.json"
  LC_ALL=C awk ${interactive[@]+"${interactive[@]}"} -v verbose="$verbose" -v events="$work_dir/go.json" -v report="$junit_target" -v held_in="$work_dir/go.cached" '
    # The value of a field, as it stands in the line. A quote within a value is always escaped, so that a name with its
    # quotes is a name.
    function raw(name,   at, rest) {
      at = index($0, "\"" name "\":")
      if (at == 0) return ""
      rest = substr($0, at + length(name) + 3)
      if (substr(rest, 1, 1) != "\"") { match(rest, /^[^,}]*/); return substr(rest, 1, RLENGTH) }
      match(rest, /^"([^"\\]|\\.)*"/)
      return substr(rest, 2, RLENGTH - 2)
    }
    function hex(text,   i, value) {
      for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
      return value
    }
    function utf8(point) {
      if (point < 128) return sprintf("%c", point)
      if (point < 2048) return sprintf("%c%c", 192 + int(point / 64), 128 + point % 64)
      return sprintf("%c%c%c", 224 + int(point / 4096), 128 + int(point / 64) % 64, 128 + point % 64)
    }
    function unescaped(text,   out, at, letter) {
      out = ""
      while ((at = index(text, "\\")) > 0) {
        out = out substr(text, 1, at - 1)
        letter = substr(text, at + 1, 1)
        if (letter == "u") { out = out utf8(hex(substr(text, at + 2, 4))); text = substr(text, at + 6); continue }
        out = out (letter == "n" ? "\n" : letter == "t" ? "\t" : letter == "r" ? "\r" : letter == "b" || letter == "f" ? "" : letter)
        text = substr(text, at + 2)
      }
      return out text
    }
    function xml(text) {
      gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); gsub(/"/, "\\&quot;", text)
      gsub(/[\001-\010\013\014\016-\037]/, "?", text)
      return text
    }
    function attribute(text) { text = xml(text); gsub(/\n/, "\\&#10;", text); return text }
    function show(text) { printf "%s", text; fflush() }
    # What a test printed, without the lines that say where it is.
    function words(text,   line, lines, n, i, out) {
      n = split(text, lines, "\n")
      out = ""
      for (i = 1; i <= n; i++) if (lines[i] !~ /^ *(=== (RUN|PAUSE|CONT|NAME)|--- (PASS|FAIL|SKIP))/ && lines[i] != "") { sub(/^ +/, "", lines[i]); out = out (out == "" ? "" : "\n") lines[i] }
      return out
    }
    function ended(key, result, seconds) { status[key] = result; time[key] = seconds }
    !/^\{.*\}\r?$/ { show($0 "\n"); next }
    {
      print >events
      action = raw("Action"); package = unescaped(raw("Package")); test = unescaped(raw("Test")); key = package SUBSEP test
      if (action == "build-output") { show(unescaped(raw("Output"))); next }
      if (package != "" && !(package in known)) { known[package] = ++packages; order[packages] = package }
      if (action == "output") {
        text = unescaped(raw("Output"))
        if (verbose) show(text)
        else if (test == "" && text != "PASS\n") show(text)
        if (test != "") printed[key] = printed[key] text
        else said[package] = said[package] text
        if (test == "" && text ~ /^ok.*\t\(cached\)/) { held[package] = 1; cached++ }
        next
      }
      if (test == "") {
        if (action == "fail" || action == "pass" || action == "skip") { result[package] = action; took[package] = raw("Elapsed") }
        if (action == "fail" && !verbose) for (i = 1; i <= tests[package]; i++) {
          open = package SUBSEP names[package, i]
          if (!(open in status)) show(printed[open])
        }
        next
      }
      if (action == "run") { names[package, ++tests[package]] = test }
      else if (action == "pass" || action == "skip" || action == "fail") {
        ended(key, action, raw("Elapsed"))
        if (action == "fail" && !verbose) show(printed[key])
      }
    }
    END {
      print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>" >report
      for (p = 1; p <= packages; p++) {
        package = order[p]; failures = skipped = errors = 0; body = ""
        for (i = 1; i <= tests[package]; i++) {
          key = package SUBSEP names[package, i]
          seconds = time[key] + 0
          body = body "\t\t<testcase classname=\"" attribute(package) "\" name=\"" attribute(names[package, i]) "\" time=\"" sprintf("%.3f", seconds) "\""
          text = words(printed[key])
          if (status[key] == "pass") body = body "></testcase>\n"
          else if (status[key] == "skip") { skipped++; body = body ">\n\t\t\t<skipped message=\"" attribute(text) "\"></skipped>\n\t\t</testcase>\n" }
          else {
            failures++
            body = body ">\n\t\t\t<failure message=\"" (status[key] == "fail" ? "Failed" : "It never ended: its process did") "\">" xml(text) "</failure>\n\t\t</testcase>\n"
          }
        }
        if (result[package] == "fail" && failures == 0) {
          errors = 1
          body = body "\t\t<testcase classname=\"" attribute(package) "\" name=\"TestMain\" time=\"0.000\">\n\t\t\t<error message=\"Failed\">" xml(said[package]) "</error>\n\t\t</testcase>\n"
        }
        if (tests[package] + errors > 0) printf "\t<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n%s%s\t</testsuite>\n", attribute(package), tests[package] + errors, failures, errors, skipped, took[package] + 0, (package in held ? "\t\t<properties><property name=\"go.cached\" value=\"true\"></property></properties>\n" : ""), body >report
      }
      print "</testsuites>" >report
      print cached + 0 >held_in
    }'
}

# Go's events once more, by a tool that people use for it.
go_report_by_tool() {
  if has go-junit-report; then go-junit-report -parser gojson -in "$work_dir/go.json" -out "$work_dir/go.xml"
  elif has gotestsum; then gotestsum --junitfile "$work_dir/go.xml" --format testname --raw-command -- cat "$work_dir/go.json"
  fi >/dev/null 2>&1
  if [ -s "$work_dir/go.xml" ]; then cat "$work_dir/go.xml" >"$junit_target"; fi
}
