const LAST_C0 = 0x1f
/** Tab to carriage return have escapes of two characters. */
const [FIRST_CONTROL_OF_TEXT, LAST_CONTROL_OF_TEXT] = [8, 13]
const DELETE = 0x7f
const LAST_C1 = 0x9f

/** Beyond Latin-1: characters without a shape, that turn text around, or that end a line for some readers. First and last of each range. */
const HIDDEN_RANGES = [
  [0x061c, 0x061c], // Arabic letter mark
  [0x180e, 0x180e], // Mongolian vowel separator
  [0x200b, 0x200f], // zero width, left-to-right and right-to-left marks
  [0x2028, 0x202e], // line and paragraph separator, embeddings and overrides
  [0x2060, 0x206f], // word joiner, isolates, deprecated format characters
  [0xdb40, 0xdb43], // the first halves of tags and of everything else beyond U+E0000
  [0xfeff, 0xfeff], // byte order mark
  [0xfff9, 0xfffb], // interlinear annotation
] as const
const FIRST_HIDDEN = 0x061c
const SOFT_HYPHEN = 0xad

/** All hidden characters but halves of surrogate pairs. Most texts have none, and a search costs a tenth of looking at each unit. */
const HIDDEN_CLASS = `\\x7f-\\x9f\\xad${HIDDEN_RANGES.map(([first, last]) => `${unicode(first)}-${unicode(last)}`).join('')}`
const ANY_HIDDEN = new RegExp(`[${HIDDEN_CLASS}]`)
const ANY_CONTROL_OR_HIDDEN = new RegExp(`[\\0-\\x1f${HIDDEN_CLASS}]`)

function unicode(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

function holdsNone(text: string, any: RegExp): boolean {
  return text.isWellFormed() && !any.test(text)
}

/**
 * A text from outside as it can be shown to a person: control characters (C0, DEL, C1), characters that turn text around or have no
 * width, line and paragraph separators, and halves of surrogate pairs become `\u001b` and the like; `\n`, `\r` and `\t` are written so.
 * So it stays on its line, and a terminal takes nothing in it for a command.
 *
 * @param maxLength a longer text is cut to this many characters, and says how many are missing; default: no limit
 */
export function visible(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  if (text.length <= maxLength) return escapeControls(text)
  return `${escapeControls(text.slice(0, maxLength))}… (${text.length - maxLength} more characters)`
}

/**
 * A text of several lines, such as a stack, each made {@link visible}. The lines after the first are indented by four spaces, so that
 * none of them looks like a new log line.
 */
export function visibleLines(text: string, maxLength?: number): string {
  const lines = text.split('\n').map((line) => visible(line, maxLength))
  return lines.map((line, index) => (index === 0 ? line : `    ${line}`)).join('\n')
}

/**
 * The same JSON value with every character escaped that {@link visible} would escape: no reader of lines splits it, and a terminal
 * shows it as it is.
 */
export function safeJson(json: string): string {
  return holdsNone(json, ANY_HIDDEN) ? json : escapeUnits(json, isHidden)
}

/** A value as one line of {@link safeJson}, with the line's end. */
export function jsonLine(value: object): string {
  return `${safeJson(JSON.stringify(value))}\n`
}

function escapeControls(text: string): string {
  return holdsNone(text, ANY_CONTROL_OR_HIDDEN) ? text : escapeUnits(text, isControlOrHidden)
}

/** How many UTF-16 units of a text {@link visible} writes as six characters each; counts no further than `most`. */
export function countHidden(text: string, most: number): number {
  if (holdsNone(text, ANY_CONTROL_OR_HIDDEN)) return 0
  let count = 0
  for (let at = 0; at < text.length && count < most; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit > LAST_CONTROL_OF_TEXT || unit < FIRST_CONTROL_OF_TEXT) count += isControlOrHidden(text, at, unit) ? 1 : 0
  }
  return count
}

function escapeUnits(text: string, isToEscape: (text: string, at: number, unit: number) => boolean): string {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (!isToEscape(text, at, unit)) continue
    if (from < at) parts.push(text.slice(from, at))
    parts.push(escapeOf(unit))
    from = at + 1
  }
  return from === 0 ? text : parts.join('') + text.slice(from)
}

/** Cached for each character: so 1 MiB of them takes about 20 ms. */
const ESCAPES = new Map<number, string>([
  [9, '\\t'],
  [10, '\\n'],
  [13, '\\r'],
])

function escapeOf(unit: number): string {
  let written = ESCAPES.get(unit)
  if (written === undefined) {
    written = `\\u${unit.toString(16).padStart(4, '0')}`
    ESCAPES.set(unit, written)
  }
  return written
}

function isControlOrHidden(text: string, at: number, unit: number): boolean {
  return unit <= LAST_C0 || isHidden(text, at, unit)
}

/** By UTF-16 unit: 1 for those of {@link HIDDEN_RANGES}. */
const HIDDEN = new Uint8Array(0x10000)
for (const [first, last] of HIDDEN_RANGES) HIDDEN.fill(1, first, last + 1)

function isHidden(text: string, at: number, unit: number): boolean {
  if (unit < FIRST_HIDDEN) return unit === SOFT_HYPHEN || (unit >= DELETE && unit <= LAST_C1)
  return HIDDEN[unit] === 1 || isHiddenHalf(text, at, unit)
}

/** Whether half of a surrogate pair has no other half, or belongs to a hidden character. */
function isHiddenHalf(text: string, at: number, unit: number): boolean {
  if (unit < 0xd800 || unit > 0xdfff) return false
  if (unit < 0xdc00) return !isBetween(text.charCodeAt(at + 1), 0xdc00, 0xdfff)
  const before = text.charCodeAt(at - 1)
  return !isBetween(before, 0xd800, 0xdbff) || isBetween(before, 0xdb40, 0xdb43)
}

function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last
}
