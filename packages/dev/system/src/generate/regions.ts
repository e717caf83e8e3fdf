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
    const start = lines.findIndex((line) => line.trim().replace(/ -->$/, '').endsWith(` generated: ${name}`))
    const end = lines.findIndex((line, index) => index > start && /^\s*(?:#|<!--) end of generated/.test(line))
    if (start < 0 || end < 0) throw new RangeError(`${file}: there is no region "generated: ${name}" with an end`)
    const margin = /^\s*/.exec(lines[start] ?? '')?.[0] ?? ''
    const inside = content.flatMap((entry) => entry.split('\n')).map((line) => (line === '' ? '' : margin + line))
    lines.splice(start + 1, end - start - 1, ...inside)
  }
  return lines.join('\n')
}

/** The text with all its regions empty: the hand-written part. */
export function withoutRegions(text: string): string {
  return text.replaceAll(/^(.* generated: .*\n)[\s\S]*?(^\s*(?:#|<!--) end of generated)/gm, '$1$2')
}
