import { readableLine, type ServiceLine } from '@taproom/core/lines'
import type { LogLevel } from '@taproom/service'

export interface LogOutput {
  write(line: ServiceLine): void
}

export interface LogOutputOptions {
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean }
  /** Lines less severe than this are left out. */
  readonly level: LogLevel
  /** Lines that a terminal shows already in other words: they are left out there, and only there. Default: none. */
  isShown?(line: ServiceLine): boolean
}

const SEVERITY: Readonly<Record<string, number>> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 }

/** Passes log lines on: readable on a terminal, else one JSON object a line. */
export function createLogOutput({ stream, level, isShown = () => false }: LogOutputOptions): LogOutput {
  const least = SEVERITY[level] ?? Number.POSITIVE_INFINITY
  return {
    write(line) {
      const lineLevel = levelOf(line.fields['level'])
      if ((SEVERITY[lineLevel] ?? 30) < least) return
      if (stream.isTTY !== true) stream.write(`${line.json}\n`)
      else if (!isShown(line)) stream.write(`${readableLine({ ...line.fields, level: lineLevel }, line)}\n`)
    },
  }
}

function levelOf(level: unknown): string {
  if (typeof level === 'number') return Object.keys(SEVERITY).find((name) => SEVERITY[name] === level) ?? 'info'
  return typeof level === 'string' ? level : 'info'
}
