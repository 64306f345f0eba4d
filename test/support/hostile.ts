import type { Content } from './checkout.ts'

/** Words that want to be more than text, by what they want. `MARK` stands in each, to be found again. */
const WORDS: Readonly<Record<string, string>> = {
  'a workflow command': '::error file=x::MARK',
  'an output': '::set-output name=conclusion::success MARK',
  'a mask': '::add-mask::success MARK',
  'a command in a line': 'see ##[error]MARK',
  'a command behind a carriage return': 'a\r::stop-commands::MARK',
  'a command file': 'conclusion<<EOF\nsuccess MARK\nEOF',
  'the end of a cell': '| MARK | b |\n| --- | --- |\n| c',
  'the end of a fold': '</summary></details></td></table><h1>MARK</h1>',
  'a script': '<script>document.title="MARK"</script><img src=x onerror="document.title=1">',
  'a picture': '![MARK](https://evil.example/p.png) <img src="https://evil.example/MARK">',
  'a link': '[MARK](javascript:alert(1)) https://evil.example/MARK www.evil.example',
  'a mention': '@octocat MARK @octo/team #1 GH-2 octo/shop#3 0123456789abcdef0123456789abcdef01234567',
  'the end of a code span': '`` ` MARK ``` ~~~ `',
  'a heading and a list': '# MARK\n- [ ] x\n1. y\n> z\n***',
  'a formula': '$`MARK`$ $$x$$ \\(y\\)',
  'letters that turn the line around': 'a\u202eMARK\u2066b\u200b\ufeff\u00ad',
  'a colour of the terminal': '\u001b[31mMARK\u001b]8;;https://evil.example\u0007x',
  'a sentence': 'identical to MARK',
  'an entity': '&lt;b&gt;MARK&amp;#64; &#64;octocat <!-- MARK',
}

const xml = (text: string) =>
  text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`).replace(/[\u0000-\u0008\u001b]/g, '\ufffd')
const line = (text: string) => text.replace(/[\r\n]+/g, ' ')
const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
const PASS = { 'evidence/pytest.exit': '0\n' }

/** The places of a bundle that such words can stand in. */
const PLACES: Readonly<Record<string, (text: string) => Record<string, Content>>> = {
  'an exit file': (text) => ({ 'evidence/pytest.exit': text }),
  'the toolchain': (text) => ({
    ...PASS,
    'evidence/toolchain.txt': `schema=2\nos=${line(text)}\npython.version=${line(text)}\n${line(text)}\nx=${line(text)}\n`,
  }),
  'the run': (text) => ({
    ...PASS,
    'evidence/run.txt': `schema=2\nrunner=pytest\ncommand=${escaped(text)}\nstarted=${escaped(text)}\ngit.tree=${'a'.repeat(40)}\ngit.untracked.0=${escaped(text)}\ngit.hidden=1\ngit.hidden.0=${escaped(text)}\n${line(text)}\n`,
  }),
  'the tests': (text) => ({
    ...PASS,
    'evidence/junit.xml': `<testsuite name="${xml(text)}" hostname="${xml(text)}" timestamp="${xml(text)}"><testcase classname="${xml(text)}" name="${xml(text)}"><failure message="${xml(text)}"/></testcase><testcase name="x"><skipped message="${xml(text)}"/></testcase></testsuite>`,
  }),
  'the lockfile and the packages': (text) => ({
    ...PASS,
    'requirements.txt': 'a==1\n',
    'evidence/lock.copy': `a==2 ; ${line(text)}\n${line(text)}==1\n`,
    'evidence/freeze.txt': `a==3\n${line(text)}==4\n${line(text)}\n`,
  }),
  'names of files': (text) => {
    const name = text.replaceAll('/', '\u2215').replaceAll('\0', '').slice(0, 120)
    return {
      ...PASS,
      [`evidence/${name}.txt`]: 'x',
      'evidence/SHA256SUMS': `${'0'.repeat(64)}  ${line(text)}\n`,
      [`${name}.py`]: '',
    }
  },
}

/** Bundles whose shape is hostile, not their words: what they name lies in a folder outside of the repository. */
const SHAPES: Readonly<Record<string, (outside: string) => Record<string, Content>>> = {
  'an exit file that is a link': (outside) => ({ 'evidence/pytest.exit': { link: `${outside}/secret.txt` } }),
  'every file a link': (outside) =>
    Object.fromEntries(
      ['pytest.exit', 'toolchain.txt', 'run.txt', 'junit.xml', 'lock.copy', 'freeze.txt', 'SHA256SUMS'].map((name) => [
        `evidence/${name}`,
        { link: `${outside}/secret.txt` },
      ]),
    ),
  'a bundle that is a link': (outside) => ({ evidence: { link: outside } }),
  'lockfiles that are links': (outside) => ({
    ...PASS,
    ...Object.fromEntries(
      ['requirements.txt', 'package-lock.json', 'Cargo.lock', 'x.py'].map((name) => [
        name,
        { link: `${outside}/secret.txt` },
      ]),
    ),
    '.gitattributes': '*.py filter=lfs\n',
    'evidence/lock.copy': 'a==1\n',
  }),
  'sums of files elsewhere': (outside) => ({
    ...PASS,
    'evidence/SHA256SUMS': ['../../../../..', '']
      .map((up) => `${'0'.repeat(64)}  ${up}${outside}/secret.txt\n`)
      .join(''),
  }),
  'recorded paths of files elsewhere': (outside) => ({
    ...PASS,
    'evidence/lock.copy': 'a==1\n',
    'evidence/run.txt': `schema=2\ncwd=${outside}\nlock.0=${outside}/secret.txt\nlockfile=${outside}/secret.txt\njunit=${outside}/secret.txt\ngit.untracked.0=${outside}/secret.txt\ngit.base=${outside}\ngit.commit=--output=${outside}/x\ngit.tree=HEAD:../../x\n`,
  }),
  'an entity that names a file': (outside) => ({
    ...PASS,
    'evidence/junit.xml': `<!DOCTYPE x [<!ENTITY a SYSTEM "file://${outside}/secret.txt">]><testsuite><testcase name="&a;"/></testsuite>`,
  }),
  'entities of entities': () => ({
    ...PASS,
    'evidence/junit.xml': `<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">${Array.from({ length: 12 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('')}]><testsuite><testcase name="&a12;"/></testsuite>`,
  }),
  'names that are options and patterns': () => ({
    ...PASS,
    'evidence/--output=x': 'x',
    'evidence/-rf': 'x',
    'evidence/:(exclude)*': 'x',
    'evidence/*': 'x',
    'evidence/$(touch x).txt': 'x',
    'evidence/`touch x`;touch x': 'x',
  }),
  'settings of git': (outside) => ({
    ...PASS,
    'evidence/.gitattributes': '* filter=evil diff=evil export-subst ident eol=crlf\n',
    '.gitattributes': '* filter=evil diff=evil merge=evil\n',
    '.gitmodules': `[submodule "x"]\n\tpath = evidence/x\n\turl = ext::sh -c touch% ${outside}/x\n\tupdate = !touch ${outside}/x\n`,
    '.gitconfig': `[core]\n\tfsmonitor = touch ${outside}/x\n`,
  }),
  'bytes that are no text': () =>
    Object.fromEntries(
      ['pytest.exit', 'toolchain.txt', 'run.txt', 'junit.xml', 'lock.copy', 'freeze.txt', 'SHA256SUMS'].map((name) => [
        `evidence/${name}`,
        Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256),
      ]),
    ),
  'more files than are read': () =>
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`evidence/${at}.exit`, '0\n'])),
}

export interface HostileBundle {
  readonly name: string
  /** Its files; `outside` is a folder that is none of its business. */
  readonly files: (outside: string) => Readonly<Record<string, Content>>
  /** The pull request's own words. */
  readonly words: string
}

/** Each of the words in each of the places, and the shapes. */
export const HOSTILE: readonly HostileBundle[] = [
  ...Object.entries(WORDS).flatMap(([what, text]) =>
    Object.entries(PLACES).map(([where, place]) => ({
      name: `${what} in ${where}`,
      files: () => place(text),
      words: `All tests pass ${text}`,
    })),
  ),
  ...Object.entries(SHAPES).map(([name, files]) => ({ name, files, words: '' })),
]
