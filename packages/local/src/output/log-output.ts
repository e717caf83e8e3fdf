import { styleText } from 'node:util'
import type { LogLevel } from '@taproom/service'
import type { ServiceLine } from './service-line.ts'

/** Where the services' log lines go. */
export interface LogOutput {
  write(line: ServiceLine): void
}

/** Options of {@link createLogOutput}. */
export interface LogOutputOptions {
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean }
  /** Lines less severe than this are left out. */
  readonly level: LogLevel
  /** Lines that the person in front of the terminal is told already; they are left out there, and there only. Default: none. */
  isTold?(line: ServiceLine): boolean
}

const severity: Readonly<Record<string, number>> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 }
const shownApart = new Set(['level', 'time', 'service', 'msg', 'pid', 'hostname'])
const nameWidth = 16

/** Passes log lines on: readable on a terminal, else one JSON object a line. */
export function createLogOutput({ stream, level, isTold = () => false }: LogOutputOptions): LogOutput {
  const least = severity[level] ?? Number.POSITIVE_INFINITY
  return {
    write(line) {
      const lineLevel = levelOf(line.fields['level'])
      if ((severity[lineLevel] ?? 30) < least) return
      if (stream.isTTY !== true) stream.write(`${line.json}\n`)
      else if (!isTold(line)) stream.write(`${readable(line, lineLevel)}\n`)
    },
  }
}

function levelOf(level: unknown): string {
  if (typeof level === 'number') return Object.keys(severity).find((name) => severity[name] === level) ?? 'info'
  return typeof level === 'string' ? level : 'info'
}

function readable({ service, fields }: ServiceLine, level: string): string {
  const time = timeOf(fields['time'])
  const name = service.padEnd(nameWidth)
  const rest = Object.entries(fields).filter(([key]) => !shownApart.has(key))
  const details = rest.map(([key, value]) => `${key}=${readableValue(value)}`)
  const message = [String(fields['msg'] ?? ''), ...(details.length > 0 ? [styleText('dim', details.join(' '))] : [])]
  const colour = level === 'error' || level === 'fatal' ? 'red' : level === 'warn' ? 'yellow' : 'green'
  return `${styleText('dim', time)} ${styleText('cyan', name)} ${styleText(colour, level.padEnd(5))} ${message.join(' ')}`
}

/** An error by its message; whoever wants its stack reads the JSON lines. */
function readableValue(value: unknown): string {
  if (typeof value === 'string') return value
  const isError = typeof value === 'object' && value !== null && 'message' in value && 'stack' in value
  return isError ? JSON.stringify(value.message) : JSON.stringify(value)
}

function timeOf(time: unknown): string {
  const date = typeof time === 'string' || typeof time === 'number' ? new Date(time) : new Date()
  return (Number.isNaN(date.getTime()) ? new Date() : date).toISOString().slice(11, 23)
}
