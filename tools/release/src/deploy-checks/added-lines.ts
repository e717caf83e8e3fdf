/** The lines, counted from 1, that a unified diff without context adds to each file. */
export function addedLines(diff: string): Map<string, ReadonlySet<number> | 'all'> {
  const added = new Map<string, ReadonlySet<number> | 'all'>()
  let lines = new Set<number>()
  for (const line of diff.split('\n')) {
    const path = /^\+\+\+ b\/(?<path>.*)/.exec(line)?.groups?.['path']
    if (path !== undefined) {
      lines = new Set()
      added.set(path.trimEnd(), lines)
    }
    const hunk = /^@@ -\S+ \+(?<first>\d+)(?:,(?<count>\d+))? @@/.exec(line)?.groups
    if (hunk === undefined) continue
    const [first, count] = [Number(hunk['first']), Number(hunk['count'] ?? 1)]
    for (let number = first; number < first + count; number += 1) lines.add(number)
  }
  return added
}
