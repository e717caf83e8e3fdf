/** The lines of each region, by the region's name. */
export type Regions = Readonly<Record<string, readonly string[]>>

/**
 * Replaces the regions of a hand-written file. A region lies between two comments, `generated: NAME` and `end of generated`; its lines
 * get the indentation of the first comment.
 *
 * @throws {RangeError} when the file lacks a region, or one has no end
 */
export function withRegions(file: string, text: string, regions: Regions): string {
  const lines = text.split('\n')
  for (const [name, content] of Object.entries(regions)) {
    const found = findRegion(lines, name)
    if (found === undefined) throw new RangeError(`${file}: there is no region "generated: ${name}" with an end`)
    const { start, end } = found
    const margin = /^\s*/.exec(lines[start] ?? '')?.[0] ?? ''
    const inside = content.flatMap((entry) => entry.split('\n')).map((line) => (line === '' ? '' : margin + line))
    lines.splice(start + 1, end - start - 1, ...inside)
  }
  return lines.join('\n')
}

/** What is in a region of a text; nothing when there is none. */
export function linesOf(text: string, name: string): readonly string[] {
  const lines = text.split('\n')
  const found = findRegion(lines, name)
  return found === undefined ? [] : lines.slice(found.start + 1, found.end)
}

function findRegion(
  lines: readonly string[],
  name: string,
): { readonly start: number; readonly end: number } | undefined {
  const start = lines.findIndex((line) => line.trim().replace(/ -->$/, '').endsWith(` generated: ${name}`))
  const end = lines.findIndex((line, index) => index > start && /^\s*(?:#|<!--) end of generated/.test(line))
  return start < 0 || end < 0 ? undefined : { start, end }
}

/** Whether a text has the beginning of any region. */
export function hasRegions(text: string): boolean {
  return /^\s*(?:#|<!--) generated: /m.test(text)
}

/** The hand-written part: the text with all lines of its regions empty, so that every other line is where it was. */
export function withoutRegions(text: string): string {
  return text.replaceAll(
    /^(.* generated: .*\n)([\s\S]*?)(^\s*(?:#|<!--) end of generated)/gm,
    (_all, start: string, inside: string, end: string) => start + inside.replaceAll(/.+/g, '') + end,
  )
}
