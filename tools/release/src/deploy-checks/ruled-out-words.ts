/** One place in a text that the house rules do not allow. */
export interface WordProblem {
  /** Counted from 1. */
  readonly line: number
  readonly message: string
}

interface Rule {
  readonly pattern: RegExp
  readonly message: string
}

/** docs/house-rules.md lists the words; this file and its test are not checked. */
const WORDS: readonly Rule[] = [
  { pattern: /\b(?:[Tt]old|[Tt]ells)\b/, message: 'write: says, reports, sends, knows' },
  { pattern: /\b[Aa]new\b/, message: 'write: again' },
  { pattern: /\b[Mm]end(?:s|ed|ing)?\b/, message: 'write: fix, correct, repair' },
  { pattern: /\b(?:[Ww]hoever|[Nn]obody|[Ss]omebody)\b/, message: 'name the person, the program or the part' },
  { pattern: /(?<!\bthere )\bis no (?!longer\b|more\b|less\b)\w/i, message: 'write: is not a' },
]

const OPENING = /^(?:Of|Whether|What|Those|Whose|One that|Its|Their|Who|So)\b/

/** The text at which a comment begins in a line: a line or block comment of TypeScript or CSS, or a comment of a script or YAML. */
const BEGINNING = /^\s*(?:\/\/|\/\*\*?|#)\s+(?<text>\S.*)/
const CONTINUED = /^\s*(?:\/\/|#)/
const OPENED_ALONE = /^\s*\/\*\*?\s*$/

/** The problems of a file in the given lines, which count from 1. A Markdown file has words, but no comments. */
export function ruledOutWords(path: string, text: string, isChecked: (line: number) => boolean): WordProblem[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (!isChecked(index + 1)) return []
    const words = WORDS.flatMap(({ pattern, message }) => {
      const [found] = pattern.exec(line) ?? []
      return found === undefined ? [] : [{ line: index + 1, message: `"${found}": ${message}` }]
    })
    const opening = path.endsWith('.md') ? undefined : OPENING.exec(openingOf(lines, index))?.[0]
    if (opening === undefined) return words
    return [
      ...words,
      { line: index + 1, message: `a comment begins with "${opening}": begin with a subject and a verb` },
    ]
  })
}

/** The words with which a comment begins in this line; empty where none begins. */
function openingOf(lines: readonly string[], index: number): string {
  const [before = '', line = ''] = [lines[index - 1], lines[index]]
  if (OPENED_ALONE.test(before)) return line.replace(/^\s*\*\s*/, '')
  const text = BEGINNING.exec(line)?.groups?.['text'] ?? ''
  return CONTINUED.test(line) && CONTINUED.test(before) ? '' : text
}
