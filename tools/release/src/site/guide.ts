/** What a guide has its reader do, in order. */
export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly content: string }
  /** Lines of a file that is there, and what takes their place. */
  | { readonly kind: 'change'; readonly path: string; readonly before: string; readonly after: string }
  | {
      readonly kind: 'commands'
      readonly commands: string
      /** In a terminal of its own: it goes on while the next steps are done. */
      readonly isBackground: boolean
      /** Done with what is published, by another test than those here. */
      readonly needsRegistry?: true
      /** Lines of its output, in this order; `…` is any text. */
      readonly expected: readonly string[]
    }
  /** Lines that what runs in the background prints once the steps before are done, likewise. */
  | { readonly kind: 'output'; readonly expected: readonly string[] }

const BLOCK = /^```(\w*)(?: ([^\n]*))?\n(.*?)^```$/gms
const COMMANDS: ReadonlySet<string> = new Set(['', 'background', 'registry', 'registry background'])

/**
 * The steps of a guide, from its blocks of code: those with a file's name behind the language are written, or change that file when the
 * language is `diff`; those in `sh` are run, and a `text` behind commands is what they print. Those in `sh` that want a cluster are for the
 * reader alone.
 *
 * @throws {RangeError} for a block that is none of these
 */
export function stepsOf(markdown: string): readonly Step[] {
  const steps: Step[] = []
  for (const [block, language, detail = '', content = ''] of markdown.matchAll(BLOCK)) {
    const last = steps.at(-1)
    if (language === 'sh' && COMMANDS.has(detail)) {
      const isBackground = detail.endsWith('background')
      const registry = detail.startsWith('registry') ? { needsRegistry: true as const } : {}
      steps.push({ kind: 'commands', commands: content, isBackground, ...registry, expected: [] })
    } else if (language === 'sh' && detail === 'cluster') {
      // There is none.
    } else if (language === 'text' && detail === 'background') {
      steps.push({ kind: 'output', expected: content.trimEnd().split('\n') })
    } else if (language === 'text' && detail === '' && last?.kind === 'commands') {
      steps.splice(-1, 1, { ...last, expected: content.trimEnd().split('\n') })
    } else if (/^(?!\/)[\w./-]+\.\w+$/.test(detail)) {
      const change = { before: withoutLines('+', content), after: withoutLines('-', content) }
      steps.push(
        language === 'diff' ? { kind: 'change', path: detail, ...change } : { kind: 'file', path: detail, content },
      )
    } else {
      throw new RangeError(`neither a file, commands nor what commands print: ${block}`)
    }
  }
  return steps
}

/** One side of a diff. */
function withoutLines(mark: '+' | '-', diff: string): string {
  const lines = diff.split(/^/m).filter((line) => !line.startsWith(mark))
  return lines.map((line) => line.slice(1)).join('')
}

/** Which of the expected lines is not in the output, or not behind the one before it; undefined when all are there. */
export function missingLine(output: string, expected: readonly string[]): string | undefined {
  const lines = output.split('\n').map((line) => line.trimEnd())
  let from = 0
  return expected.find((line) => {
    const pattern = new RegExp(
      `^${line
        .split('…')
        .map((part) => RegExp.escape(part))
        .join('.*')}$`,
    )
    const at = lines.findIndex((candidate, index) => index >= from && pattern.test(candidate))
    from = at + 1
    return at < 0
  })
}
