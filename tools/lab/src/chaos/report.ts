/** Result of a run: a success when there are no findings. */
export interface Report {
  readonly title: string
  readonly facts: Readonly<Record<string, string | number>>
  readonly findings: readonly string[]
}

/** How often each came, in words. */
export function tally(times: Readonly<Record<string, number>>): string {
  return Object.entries(times)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

/** Writes the report line by line; true when there are no findings. */
export function writeReport({ title, facts, findings }: Report, write: (line: string) => void): boolean {
  const width = Math.max(...Object.keys(facts).map((name) => name.length))
  write(title)
  for (const [name, value] of Object.entries(facts)) write(`  ${name.padEnd(width)}  ${value}`)
  for (const finding of findings) write(`  BROKEN: ${finding}`)
  if (findings.length === 0) write('  holds')
  return findings.length === 0
}
