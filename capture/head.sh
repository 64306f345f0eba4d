#!/usr/bin/env bash
# Runs a test command and records what the run was: exit code, toolchain, lockfile, installed packages, JUnit, source.
# Needs bash 3.2 and POSIX tools. Sends nothing anywhere, installs nothing, retries nothing.
# shellcheck disable=SC2317,SC2329 # many functions are called by a name that is put together
set -u
# In bash 5.2 an `&` in a replacement would mean the matched text.
shopt -u patsub_replacement 2>/dev/null

OWN_FILES=(toolchain.txt run.txt SHA256SUMS '*.exit' lock.copy 'lock-*.copy' freeze.txt 'freeze-*.txt' junit.xml 'junit-*.xml')
newline=$'\n'
