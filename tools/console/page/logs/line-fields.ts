import type { LogLine } from '../../src/api/services.ts'

/** A field of a line: its name as a filter takes it, and its value as a text. */
export interface LineField {
  readonly name: string
  readonly value: string
}

/** A field as a row shows it. */
export interface ShownField extends LineField {
  readonly label: string
}

/** All fields of a line besides time, level, service, message and trace; an error by its message, as in a terminal. */
export function fieldsOf({ fields }: Pick<LogLine, 'fields'>): readonly ShownField[] {
  return Object.entries(fields).map(([label, value]) => {
    if (isError(value)) return { label, name: `${label}.message`, value: value.message }
    return { label, name: label, value: typeof value === 'string' ? value : JSON.stringify(value) }
  })
}

function isError(value: unknown): value is { readonly message: string } {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
}

/** A line as a terminal shows it, with its whole time. */
export function lineText(line: LogLine): string {
  const pairs = fieldsOf(line).map(({ label, value }) => `${label}=${value}`)
  return [new Date(line.time).toISOString(), line.service, line.level, line.msg, ...pairs].join(' ')
}

/** A line as JSON, with the names that its service wrote. */
export function lineJson({ time, service, level, msg, traceId, spanId, fields }: LogLine): string {
  const head = { level, time: new Date(time).toISOString(), service }
  return JSON.stringify({ ...head, trace_id: traceId, span_id: spanId, ...fields, msg })
}
