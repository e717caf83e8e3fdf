import { styleText } from 'node:util'
import { visible, visibleLines } from './hidden-characters.ts'

export interface ReadableLineOptions {
  /** Name of the service that wrote the line. Default: not shown. */
  readonly service?: string
  /** Shows the stack of an error in lines of its own. Default false: only its message. */
  readonly stacks?: boolean
}

const SHOWN_APART = new Set(['level', 'time', 'service', 'msg', 'pid', 'hostname'])
const SERVICE_WIDTH = 16
/** Characters shown of one value; JSON lines have it whole. */
const MAX_LENGTH = 16_384
const COLOURS = new Map<string, 'red' | 'yellow'>([
  ['fatal', 'red'],
  ['error', 'red'],
  ['warn', 'yellow'],
])

/**
 * The fields of a log line for a person at a terminal: time, service, level, message, then everything else as `name=value`,
 * without a line end. Whatever names and values contain, the text stays on its line and sends the terminal no commands.
 */
export function readableLine(fields: Readonly<Record<string, unknown>>, options: ReadableLineOptions = {}): string {
  const { service, stacks = false } = options
  const level = visible(String(fields['level'] ?? 'info'), MAX_LENGTH)
  const rest = Object.entries(fields).filter(([name]) => !SHOWN_APART.has(name))
  const details = rest.map(([name, value]) => `${visible(name, MAX_LENGTH)}=${readableValue(value)}`)
  const shown = [
    styleText('dim', timeOf(fields['time'])),
    ...(service === undefined ? [] : [styleText('cyan', visible(service, MAX_LENGTH).padEnd(SERVICE_WIDTH))]),
    styleText(COLOURS.get(level) ?? 'green', level.padEnd(5)),
    visible(String(fields['msg'] ?? ''), MAX_LENGTH),
    ...(details.length > 0 ? [styleText('dim', details.join(' '))] : []),
  ]
  return [shown.join(' '), ...(stacks ? rest.flatMap(([, value]) => stackOf(value)) : [])].join('\n')
}

function readableValue(value: unknown): string {
  const shown = isError(value) ? value.message : value
  return visible(typeof shown === 'string' && shown === value ? shown : String(JSON.stringify(shown)), MAX_LENGTH)
}

function stackOf(value: unknown): string[] {
  return isError(value) && typeof value.stack === 'string' ? [`    ${visibleLines(value.stack, MAX_LENGTH)}`] : []
}

function isError(value: unknown): value is { readonly message: unknown; readonly stack: unknown } {
  return typeof value === 'object' && value !== null && 'message' in value && 'stack' in value
}

function timeOf(time: unknown): string {
  const date = typeof time === 'string' || typeof time === 'number' ? new Date(time) : new Date()
  return (Number.isNaN(date.getTime()) ? new Date() : date).toISOString().slice(11, 23)
}
