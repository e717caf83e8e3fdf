/** Mean width of a letter as a part of the text's size, in the widest of the page's fonts. */
const LETTER = { plain: 0.62, bold: 0.68 }

/** How many letters fit. */
export function lettersIn(width: number, textSize: number, weight: keyof typeof LETTER = 'plain'): number {
  return Math.max(1, Math.floor(width / (textSize * LETTER[weight])))
}

/** The ellipsis is as wide as two letters. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 2))}…`
}

/**
 * A name in one line or two. It breaks behind its separators, or else inside of a word. What does not fit is left out before the end: names
 * of many parts begin alike.
 */
export function linesOf(name: string, most: number): readonly string[] {
  if (name.length <= most) return [name]
  const first = name
    .split(/(?<=[-./ ])/)
    .reduce(
      (line, part) => (line.length + part.length <= most && name.startsWith(line + part) ? line + part : line),
      '',
    )
  const line = first === '' ? name.slice(0, most) : first
  const rest = name.slice(line.length)
  return [line, rest.length <= most ? rest : `…${rest.slice(-Math.max(1, most - 2))}`]
}
