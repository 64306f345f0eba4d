import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Git } from './git.ts'

/** A file that two trees have differently, by its path relative to the repository. */
export interface FileChange {
  readonly path: string
  /** `added`: the first tree does not have it; `removed`: the second does not. */
  readonly how: 'added' | 'changed' | 'removed'
  /** The name of the content that the second tree has; zeroes where it has none. */
  readonly oid: string
}

/** Makes trees of a repository, and compares them, in a place of its own: the repository has none of them. */
export class Trees {
  readonly #git: Git
  readonly #place: string
  #indexes = 0

  constructor(git: Git) {
    this.#git = git
    this.#place = mkdtempSync(join(tmpdir(), 'scratch-evidence-git-'))
  }

  /** Removes what was made. */
  close(): void {
    rmSync(this.#place, { recursive: true, force: true })
  }

  /**
   * The tree of a commit without some files.
   *
   * @param pathspecs glob pathspecs relative to the repository, of the files that are left out
   * @returns the name of the tree
   */
  without(commit: string, pathspecs: readonly string[]): string {
    return this.#write(commit, pathspecs)
  }

  /** The tree of the whole working tree, what is untracked and not ignored included, without some files. */
  workingTree(pathspecs: readonly string[]): string {
    return this.#write(this.#git.commit('HEAD'), pathspecs, (env) => {
      this.#git.run(['-c', 'advice.addEmbeddedRepo=false', '-c', 'core.safecrlf=false', 'add', '-A'], { env })
    })
  }

  /**
   * The tree of a commit with some changes, without some files.
   *
   * @param commit null for no file at all
   * @param changes a mode and the name of a content for each path, as git quotes it; of mode 000000 for one that is taken away
   */
  changed(
    commit: string | null,
    changes: readonly { readonly mode: string; readonly oid: string; readonly quoted: string }[],
    pathspecs: readonly string[],
  ): string {
    const lines = changes.map(({ mode, oid, quoted }) => `${mode} ${oid}\t${quoted}\n`)
    return this.#write(commit, pathspecs, (env) => {
      this.#git.run(['update-index', '--index-info'], { env, input: Buffer.from(lines.join('')) })
    })
  }

  /** The files that differ between two commits or trees, of the repository or made here. */
  differing(from: string, to: string): FileChange[] {
    const fields = this.#git
      .run(['diff-tree', '-r', '-z', '--no-renames', '--raw', '--abbrev=64', from, to], { env: this.#env('') })
      .toString()
      .split('\0')
    return fields.flatMap((raw, at): FileChange[] => {
      const [, , , oid, letter] = raw.split(' ')
      const path = fields[at + 1]
      if (at % 2 === 1 || oid === undefined || letter === undefined || path === undefined) return []
      return [{ path, how: letter === 'A' ? 'added' : letter === 'D' ? 'removed' : 'changed', oid }]
    })
  }

  /** The bytes of a regular file of a tree; null where there is none at that path, or one of more bytes than that. */
  file(tree: string, path: string, most: number): Buffer | null {
    const env = this.#env('')
    const row = this.#git.run(['ls-tree', '-z', '-l', '--full-tree', tree, '--', path], { env }).toString('latin1')
    const [, oid, size] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t/.exec(row) ?? []
    return oid === undefined || Number(size) > most ? null : this.#git.run(['cat-file', 'blob', oid], { env })
  }

  #env(index: string): Record<string, string> {
    return {
      GIT_INDEX_FILE: join(this.#place, `index${index}`),
      GIT_OBJECT_DIRECTORY: this.#place,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: this.#git.objectDirectory(),
    }
  }

  #write(
    commit: string | null,
    pathspecs: readonly string[],
    change: (env: Record<string, string>) => void = () => {},
  ): string {
    this.#indexes += 1
    const env = this.#env(String(this.#indexes))
    this.#git.run(['read-tree', commit ?? '--empty'], { env })
    change(env)
    // With no pathspec git would list every file.
    const left =
      pathspecs.length === 0
        ? Buffer.of()
        : this.#git.run(['--glob-pathspecs', 'ls-files', '-z', '--', ...pathspecs], { env })
    if (left.length > 0) this.#git.run(['update-index', '-z', '--force-remove', '--stdin'], { env, input: left })
    return this.#git.run(['write-tree', '--missing-ok'], { env }).toString().trim()
  }
}
