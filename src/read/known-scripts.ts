import published from './published-scripts.json' with { type: 'json' }

/** The SHA-256 of the `capture_run.sh` of each version, this one included, as the build writes them. */
export const KNOWN_SCRIPTS: ReadonlySet<string> = new Set(Object.values(published))
