import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { exec } from '@actions/exec'

/** A command to run and record, as a witness of CI's own run. */
export interface CommandRequest {
  /** Path of `capture_run.sh`. */
  readonly script: string
  /** Where the command runs. */
  readonly directory: string
  /** The directory that the evidence is written to; it exists and is empty. */
  readonly out: string
  /** The committed bundle's directory, as `directory` sees it: its files are left out of the recorded tree. */
  readonly bundle: string
  /** Globs of the JUnit XML that the command writes. */
  readonly junit: readonly string[]
  /** Lockfiles to record; where none is named, the script finds one by name. */
  readonly lockfiles: readonly string[]
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Runs the script in a process group of its own and names the group, so that a signal can be passed on to all of it. This
 * shell outlives a Ctrl-C, which the terminal sends to it too, and ends as the script does.
 */
const IN_A_GROUP = `
  trap : INT TERM HUP
  set -m
  "$BASH" --noprofile --norc "$@" &
  set +m
  printf %s "$!" >"$0"
  while wait "$!"; code=$?; kill -0 "$!" 2>/dev/null; do :; done
  exit "$code"`

/** A command that runs. */
export interface RunningCommand {
  /** The exit code that the process returned; null where it died of a signal. */
  readonly exitCode: Promise<number | null>
  /** Passes a signal on to the command. */
  readonly signal: (signal: NodeJS.Signals) => void
}

/**
 * Runs a command through `capture_run.sh`, which writes the evidence of it, and shows the command's output as it comes.
 * The exit code is what the process returned: no file is asked.
 *
 * @throws where no bash can be started
 */
export function runCommand(request: CommandRequest): RunningCommand {
  const pidFile = join(request.out, '.pid')
  let group = 0
  const learnGroup = () => {
    if (group === 0 && existsSync(pidFile)) group = Number(readFileSync(pidFile, 'utf8'))
  }
  // Soon, and once: the command can write to that file too.
  const learning = setInterval(learnGroup, 20)
  const args = [
    ...['--noprofile', '--norc', '-c', IN_A_GROUP, pidFile],
    ...[request.script, '--out', request.out, '--bundle', request.bundle],
    ...request.junit.flatMap((glob) => ['--junit', glob]),
    ...request.lockfiles.flatMap((path) => ['--lockfile', path]),
    ...['--', ...request.argv],
  ]
  const exitCode = exec(`"${bash()}"`, args, {
    cwd: request.directory,
    env: { ...request.environment },
    ignoreReturnCode: true,
    // Silent: it would print its own command line. The listeners pass on what the command prints, byte for byte.
    silent: true,
    // An end of input: a command that reads it must not wait for ever.
    input: Buffer.alloc(0),
    listeners: {
      stdout: (data) => process.stdout.write(data),
      stderr: (data) => process.stderr.write(data),
    },
  }) as Promise<number | null>
  return {
    exitCode: exitCode.finally(() => {
      clearInterval(learning)
      rmSync(pidFile, { force: true })
    }),
    signal: (signal) => {
      learnGroup()
      if (!Number.isSafeInteger(group) || group <= 1) return
      try {
        process.kill(group, signal)
      } catch {
        // It has ended, and what it left behind holds its output open.
      }
    },
  }
}

/** On Windows `bash` may be that of WSL, another machine: Git's is preferred, as the runner does. */
function bash(): string {
  const git = join(process.env.ProgramFiles ?? 'C:\\Program Files', 'Git', 'bin', 'bash.exe')
  return process.platform === 'win32' && existsSync(git) ? git : 'bash'
}
