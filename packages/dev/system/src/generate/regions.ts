/** What stands between the two lines that mark a region, by the region's name. */
export type Regions = Readonly<Record<string, readonly string[]>>

/**
 * Writes regions into a file that people write. A region lies between two comments, `generated: NAME` and `end of generated`, and
 * has the indentation of the first; its lines are added to what is around it as they are.
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

/** The text without what is between the marks, so that what people wrote themselves can be looked at. */
export function withoutRegions(text: string): string {
  return text.replaceAll(/^(.* generated: .*\n)[\s\S]*?(^\s*(?:#|<!--) end of generated)/gm, '$1$2')
}
