import { readableLine } from '@taproom/lines'
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

/** Passes log lines on: readable on a terminal, else one JSON object a line. */
export function createLogOutput({ stream, level, isTold = () => false }: LogOutputOptions): LogOutput {
  const least = severity[level] ?? Number.POSITIVE_INFINITY
  return {
    write(line) {
      const lineLevel = levelOf(line.fields['level'])
      if ((severity[lineLevel] ?? 30) < least) return
      if (stream.isTTY !== true) stream.write(`${line.json}\n`)
      else if (!isTold(line)) stream.write(`${readableLine({ ...line.fields, level: lineLevel }, line)}\n`)
    },
  }
}

function levelOf(level: unknown): string {
  if (typeof level === 'number') return Object.keys(severity).find((name) => severity[name] === level) ?? 'info'
  return typeof level === 'string' ? level : 'info'
}
