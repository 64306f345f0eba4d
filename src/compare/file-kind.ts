import { posix } from 'node:path'
import { LOCKFILE_NAMES } from '../read/lockfile/find.ts'

/** What a file of a repository is there for, as its path tells. */
export type FileKind =
  | 'source'
  | 'tests'
  | 'test configuration'
  | 'lockfile'
  | 'workflow'
  | 'capture script'
  | 'documentation'

/** In the order in which they are looked for. The path is relative to the repository, with slashes. */
const KINDS: readonly [FileKind, RegExp][] = [
  [
    'workflow',
    /^(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci\.yml$|\.circleci\/|azure-pipelines\.yml$|Jenkinsfile$)/,
  ],
  ['capture script', /(?:^|\/)capture_run\.sh$/],
  [
    'test configuration',
    /(?:^|\/)(?:conftest\.py|\.?pytest\.(?:ini|toml)|noxfile\.py|\.coveragerc|(?:jest|vitest|playwright|cypress|karma|ava|wdio|nightwatch|web-test-runner)\.(?:config|conf|workspace|setup)[\w.]*\.(?:[cm]?[jt]s|json)|vitest\.workspace\.json|\.mocharc[\w.]*|\.nycrc[\w.]*|\.c8rc[\w.]*|\.taprc|phpunit\.xml(?:\.dist)?|\.rspec|spec_helper\.rb|rails_helper\.rb|test_helper\.(?:rb|exs)|testng\.xml|junit-platform\.properties|\.runsettings|cypress\.json)$/,
  ],
  ['test configuration', /^\.(?:config\/nextest\.toml|cargo\/config(?:\.toml)?)$/],
  [
    'tests',
    /(?:^|\/)(?:tests?|specs?|__tests__|__snapshots__|__mocks__|testing|testdata|test-data|fixtures|e2e|features)\//i,
  ],
  [
    'tests',
    /(?:^|\/)(?:test_[^/]*\.py|[^/]*[_.-](?:test|tests|spec|snap)\.[A-Za-z0-9]+|[^/]*\.(?:test|spec)\.[A-Za-z0-9.]+|[^/]*(?:Test|Tests|TestCase|Spec|IT)\.(?:java|kt|kts|groovy|scala|cs|fs|vb|php|swift)|[^/]*\.snap)$/,
  ],
  [
    'documentation',
    /(?:\.(?:md|mdx|markdown|rst|adoc|asciidoc)|(?:^|\/)(?:LICEN[CS]E|COPYING|NOTICE|CHANGELOG|CHANGES|CONTRIBUTING|AUTHORS|README|CODEOWNERS|HISTORY)(?:\.txt)?)$/i,
  ],
  ['documentation', /^docs?\/.*\.(?:txt|png|svg|jpe?g|gif|html|css|pdf)$/i],
]

const LOCKFILES = new Set(LOCKFILE_NAMES.map((name) => posix.basename(name)))

/**
 * @param path relative to the repository
 * @param testParts paths of files that configure tests among other things, where that part is what changed
 */
export function fileKind(path: string, testParts: readonly string[] = []): FileKind {
  if (testParts.includes(path)) return 'test configuration'
  if (LOCKFILES.has(posix.basename(path))) return 'lockfile'
  return KINDS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'source'
}
