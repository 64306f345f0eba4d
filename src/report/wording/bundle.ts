import type { Finding } from '../../judge/finding.ts'
import { code, count, enumerate, group, t } from '../document.ts'
import { reviewed, type Sentence, sentenceCase } from './sentence.ts'

const CAPTURE = code('./capture_run.sh')

/** The words for what is wrong with a bundle as files; null for another finding. */
export function bundleSentence(finding: Finding): Sentence | null {
  switch (finding.id) {
    case 'bundle/none': {
      const { absent, name } = finding.bundle
      const where = code(name)
      const lead =
        absent === 'no directory'
          ? t`${sentenceCase(reviewed(finding.under))} has no directory ${where}.`
          : absent === 'empty directory'
            ? t`The directory ${where} is empty.`
            : absent === 'not read'
              ? t`Whether ${where} holds evidence could not be told.`
              : t`No file in ${where} can be read as evidence.`
      if (absent === 'not read') return { lead, detail: ['It may: why it could not be read stands beside it.'] }
      return {
        lead,
        detail: t`To leave evidence: run ${CAPTURE} where the tests are run, and commit the directory that it writes.`,
      }
    }
    case 'bundle/unexpected-file': {
      const files = finding.problems.map(({ file, expected }) =>
        expected === null ? [code(file)] : t`${code(file)} (would be read as ${code(expected)})`,
      )
      return {
        lead: t`${count(files.length, 'file is', 'files are')} no part of a bundle, and ${files.length === 1 ? 'was' : 'were'} not read.`,
        detail: t`${enumerate(files, 5)}.`,
      }
    }
    case 'bundle/not-regular': {
      const { file, what } = finding.problem
      if (file === '')
        return {
          lead: t`The bundle's directory is a ${what}, and was not followed.`,
          detail: t`To have it read: commit the directory itself.`,
        }
      return {
        lead: t`${code(file)} is a ${what}, and counts as missing.`,
        detail: ['Only regular files are read. To have it read: commit the file itself.'],
      }
    }
    case 'bundle/over-cap': {
      const { file, bytes, cap } = finding.problem
      return {
        lead: t`${code(file)} is too large, and counts as missing.`,
        detail: t`It has ${group(bytes)} bytes; files of its kind are read up to ${group(cap)} together.`,
      }
    }
    case 'bundle/too-many-files':
      return {
        lead: t`The bundle has ${count(finding.problem.count, 'file')}; the first ${finding.problem.cap} were looked at.`,
        detail: ['The others count as missing.'],
      }
    case 'bundle/unreadable': {
      const { file, line, why } = finding.problem
      return {
        lead:
          file === ''
            ? ['The bundle cannot be read, and counts as missing.']
            : t`${code(file)} cannot be read, and counts as missing.`,
        detail: t`${line === null ? '' : `Line ${line}: `}${why.charAt(0).toUpperCase()}${why.slice(1)}${/[.!?]$/.test(why) ? '' : '.'}`,
      }
    }
    case 'bundle/unrecognised-line': {
      const { problems, file } = finding
      return {
        lead: t`${code(file ?? '')} has ${count(problems.length, 'line')} of no known shape.`,
        detail: t`${enumerate(
          problems.map((problem) => t`${code(problem.text)} (line ${problem.line})`),
          5,
        )}. ${problems.length === 1 ? 'It is' : 'They are'} not compared.`,
      }
    }
    case 'bundle/repeated-key': {
      const { problems, file } = finding
      return {
        lead: t`${code(file ?? '')} gives ${count(problems.length, 'key')} more than once. The first counts.`,
        detail: t`${enumerate(
          problems.map((problem) => t`${code(problem.key)} (line ${problem.line})`),
          5,
        )}.`,
      }
    }
    case 'bundle/not-utf8':
      return { lead: t`${code(finding.problem.file)} is not all UTF-8.`, detail: ['What is not is shown as \ufffd.'] }
    case 'bundle/control-characters':
      return { lead: t`${code(finding.problem.file)} holds control characters.`, detail: ['They are shown as \ufffd.'] }
    case 'bundle/edited-after-capture':
      return {
        lead: t`${count(finding.files.length, 'file is', 'files are')} not as ${code('SHA256SUMS')} says: changed, added or removed after the capture.`,
        detail: t`${enumerate(
          finding.files.map((file) => [code(file)]),
          5,
        )}. To have a bundle of one piece: run ${CAPTURE} again and commit what it writes.`,
      }
    case 'bundle/no-sums':
      return {
        lead: t`The bundle has no ${code('SHA256SUMS')}. Whether its files are as the capture wrote them is not known.`,
        detail: t`The script writes it last, wherever it finds ${code('sha256sum')}, ${code('shasum')} or ${code('openssl')}. To have it: run ${CAPTURE} again and commit all that it writes.`,
      }
    case 'bundle/secret': {
      const { problems, file } = finding
      return {
        lead: t`${file ? code(file) : 'What was recorded'} holds what looks like ${problems.length === 1 ? 'a secret' : `${problems.length} secrets`}.`,
        detail: t`${enumerate(
          problems.map(({ line, what }) => (line === null ? [code(what)] : t`Line ${line}: ${code(what)}`)),
          5,
        )}. It is not shown here, and it is in the commit: whoever can read that has it. To be safe: revoke it, and leave it out of what tests print.`,
      }
    }
    case 'bundle/line-endings':
      return {
        lead: t`${count(finding.files.length, 'file has', 'files have')} other line endings than ${code('SHA256SUMS')} says, and ${finding.files.length === 1 ? 'is' : 'are'} otherwise as captured.`,
        detail: t`${enumerate(
          finding.files.map((file) => [code(file)]),
          5,
        )}. Git converts them where it is told to; ${code('evidence/** -text')} in ${code('.gitattributes')} prevents it.`,
      }
    default:
      return null
  }
}
