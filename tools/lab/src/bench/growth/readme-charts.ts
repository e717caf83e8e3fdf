/** Where the chart of a curve begins and ends in the README. */
export function chartMarks(name: string): { readonly begin: string; readonly end: string } {
  return { begin: `<!-- growth of ${name} -->\n`, end: `<!-- end of ${name} -->` }
}

/** The text of a README with the chart of a curve between its marks. @throws {Error} when it has them not once, in their order */
export function withChart(readme: string, name: string, chart: string): string {
  const { begin, end } = chartMarks(name)
  const [before, rest, ...others] = readme.split(begin)
  const [old, after, ...more] = rest?.split(end) ?? []
  if (before === undefined || old === undefined || after === undefined || others.length + more.length > 0) {
    throw new Error(`the README has no place for the growth of ${name}: ${begin.trim()} and ${end}, once each`)
  }
  return `${before}${begin}\n\`\`\`text\n${chart}\n\`\`\`\n\n${end}${after}`
}
