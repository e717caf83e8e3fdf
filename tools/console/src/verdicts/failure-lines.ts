import type { LogLine } from '../api/services.ts'

/** Why a service ended or refused to start, as it wrote itself. */
export interface WrittenFailure {
  readonly text: string
  /** The line that has it. */
  readonly line: LogLine
  /** True when the line lists `problems`, as a configuration error does. */
  readonly isConfiguration: boolean
}

const SEVERE: readonly LogLine['level'][] = ['error', 'fatal']
/** Node's first line for what it could not load or run. */
const ERROR_LINE = /^\w*(?:Error|Exception)\b[^:\n]*: .+/
const MAX_TEXT = 1000

/** The cause among the last lines of a service: its fatal or last error line, else the error that Node wrote. */
export function failureAmong(lines: readonly LogLine[]): WrittenFailure | undefined {
  const severe =
    lines.findLast(({ level }) => level === 'fatal') ?? lines.findLast(({ level }) => SEVERE.includes(level))
  const found = severe ?? lines.findLast(({ msg }) => ERROR_LINE.test(msg))
  if (found === undefined) return undefined
  const problems = found.fields['problems']
  const isConfiguration = Array.isArray(problems) && problems.length > 0
  const text = isConfiguration ? problems.map(String).join('; ') : severe === undefined ? found.msg : lineText(found)
  return { text: text.slice(0, MAX_TEXT), line: found, isConfiguration }
}

/** A line's message with the error that it reports. */
export function lineText({ msg, fields }: LogLine): string {
  const { err, reason } = fields
  const cause = typeof reason === 'string' ? reason : messageOf(err)
  return [msg, cause].filter((part) => part !== undefined && part !== '').join(': ')
}

function messageOf(err: unknown): string | undefined {
  if (typeof err === 'string') return err
  if (typeof err !== 'object' || err === null) return undefined
  const { message, cause } = err as { readonly message?: unknown; readonly cause?: unknown }
  const because = messageOf(cause)
  return [message, because].filter((part) => typeof part === 'string' && part !== '').join(': ') || undefined
}
