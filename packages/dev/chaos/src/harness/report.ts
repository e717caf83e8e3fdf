/** What a run has to say: it holds when there are no findings. */
export interface Report {
  readonly title: string
  /** What was done and measured. */
  readonly facts: Readonly<Record<string, string | number>>
  readonly findings: readonly string[]
}

/** The report as lines of text. */
export function formatReport({ title, facts, findings }: Report): readonly string[] {
  const width = Math.max(...Object.keys(facts).map((name) => name.length))
  const lines = Object.entries(facts).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
  const verdict = findings.length === 0 ? ['  holds'] : findings.map((finding) => `  BROKEN: ${finding}`)
  return [title, ...lines, ...verdict]
}
