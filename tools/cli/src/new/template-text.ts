const LINE = /^\s*(?:\/\/|<!--) (?:begin (?<begin>[a-z|]+)|end)(?: -->)?$/
const INLINE = /[ \t]*\/\* begin ([a-z|]+) \*\/((?:(?!\/\* begin)[\s\S])*?)\/\* end \*\/(,?)/g

/**
 * Leaves in a template what is for the chosen parts. `// begin jwt|database` up to `// end` is for services with one of them at least; the same
 * within a line is written `/* begin jwt *\/` and `/* end *\/`.
 *
 * @throws {RangeError} when a mark has no other end
 */
export function chosenText(template: string, chosen: ReadonlySet<string>): string {
  const has = (expression: string) => expression.split('|').some((part) => chosen.has(part))
  const open: boolean[] = []
  const lines: string[] = []
  let isAfterMark = false
  for (const line of template.split('\n')) {
    const mark = LINE.exec(line)
    if (mark === null && !open.every(Boolean)) continue
    // The formatter leaves an object open whose first member is on a line of its own, as that behind a mark has to be.
    if (mark === null && isAfterMark && lines.at(-1)?.endsWith('{')) lines.push(`${lines.pop()} ${line.trim()}`)
    else if (mark === null) lines.push(line)
    isAfterMark = mark !== null
    if (mark === null) continue
    if (mark.groups?.['begin'] !== undefined) open.push(has(mark.groups['begin']))
    else if (open.pop() === undefined) throw new RangeError('the template has an end without a beginning')
  }
  if (open.length > 0) throw new RangeError('the template has a beginning without an end')
  return lines.join('\n').replaceAll(INLINE, (_mark, expression: string, text: string, comma: string) => {
    return has(expression) ? ` ${text.trim()}${comma}` : ''
  })
}
