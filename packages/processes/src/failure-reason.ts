import { visible } from '@taproom/core/lines'

/** Characters of a reason. */
const SHOWN = 300

/** An error as Node prints one that was not caught: `TypeError: x is not a function`, `AppError [CODE]: …`. */
const ERROR_LINE = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b.*/
const NODE_VERSION = /^Node\.js v\d/

/**
 * Why a program failed, by what it wrote to stderr: the newest line of JSON with the level `fatal` (its `problems`, or the message of its
 * error), else the newest line that names an error, else the newest line with text. One line of at most 300 characters without control
 * characters; undefined when nothing was written.
 */
export function failureReason(lines: readonly string[]): string | undefined {
  const reason =
    lines.map(fatalReason).findLast((text) => text !== undefined) ??
    lines.findLast((line) => ERROR_LINE.test(line)) ??
    lines.findLast((line) => line.trim() !== '' && !NODE_VERSION.test(line))
  return reason === undefined ? undefined : visible(reason.trim(), SHOWN)
}

function fatalReason(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const { level, msg, problems, err } = JSON.parse(line) as Readonly<Record<string, unknown>>
    if (level !== 'fatal') return undefined
    if (Array.isArray(problems)) return problems.join('; ')
    const { message } = (err ?? {}) as { readonly message?: unknown }
    return String(message ?? msg ?? '') || undefined
  } catch {
    // A line that only begins like JSON, or was cut off.
    return undefined
  }
}
