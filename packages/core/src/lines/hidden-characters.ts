/** Characters without a shape, that turn text around, or that end a line for some readers: by UTF-16 unit, as in a class of a pattern. */
const HIDDEN = [
  '\\x7f-\\x9f', // DEL and the C1 control characters
  '\\xad', // soft hyphen
  '\\u061c', // Arabic letter mark
  '\\u180e', // Mongolian vowel separator
  '\\u200b-\\u200f', // zero width, left-to-right and right-to-left marks
  '\\u2028-\\u202e', // line and paragraph separator, embeddings and overrides
  '\\u2060-\\u206f', // word joiner, isolates, deprecated format characters
  '\\udb40-\\udb43', // the first halves of tags and of everything else beyond U+E0000
  '\\ufeff', // byte order mark
  '\\ufff9-\\ufffb', // interlinear annotation
].join('')

/** Halves of surrogate pairs: a first one without a second, and a second one whose first is missing or hidden. */
const HALF = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udb3f\\udb44-\\udbff])[\\udc00-\\udfff]'

/** Most texts hold none, and this search costs a tenth of one for halves, too. */
const ANY_HIDDEN = new RegExp(`[${HIDDEN}]`)
const ANY_CONTROL_OR_HIDDEN = new RegExp(`[\\0-\\x1f${HIDDEN}]`)
const EACH_HIDDEN = new RegExp(`[${HIDDEN}]|${HALF}`, 'g')
const EACH_CONTROL_OR_HIDDEN = new RegExp(`[\\0-\\x1f${HIDDEN}]|${HALF}`, 'g')
/** Backspace to carriage return have escapes of two characters in JSON. */
const EACH_OF_SIX = new RegExp(`[\\0-\\x07\\x0e-\\x1f${HIDDEN}]|${HALF}`, 'g')

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
  return holdsNone(json, ANY_HIDDEN) ? json : json.replace(EACH_HIDDEN, escapeOf)
}

/** A value as one line of {@link safeJson}, with the line's end. */
export function jsonLine(value: object): string {
  return `${safeJson(JSON.stringify(value))}\n`
}

/** How many UTF-16 units of a text {@link visible} writes as six characters each; counts no further than `most`. */
export function countHidden(text: string, most: number): number {
  if (holdsNone(text, ANY_CONTROL_OR_HIDDEN)) return 0
  let count = 0
  EACH_OF_SIX.lastIndex = 0
  while (count < most && EACH_OF_SIX.test(text)) count += 1
  return count
}

function escapeControls(text: string): string {
  return holdsNone(text, ANY_CONTROL_OR_HIDDEN) ? text : text.replace(EACH_CONTROL_OR_HIDDEN, escapeOf)
}

/** Made once for each character: a text may hold a million of them. */
const ESCAPES = new Map([
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
])

function escapeOf(unit: string): string {
  let written = ESCAPES.get(unit)
  if (written === undefined) {
    written = `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    ESCAPES.set(unit, written)
  }
  return written
}
