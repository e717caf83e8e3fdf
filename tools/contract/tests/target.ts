import { readFile } from 'node:fs/promises'
import { fetchAlone } from '@taproom/openapi/testing'
import { waitFor } from '@taproom/testkit'
import { inject } from 'vitest'

/** The system under test, as `system-setup.ts` or `pnpm contract` describes it. */
export interface Target {
  /** The contract's `{base_url}`. */
  readonly url: string
  /** Folder of the key pair that signs tokens the system accepts. */
  readonly keys: string
  /** Issuer of those tokens; default: the development issuer. */
  readonly issuer?: string
  /** File with the system's log, if any: only the log shows which sink received an event. */
  readonly log?: string
  /** Whether this suite started the system, by \@taproom/start, whose gateway has a description. */
  readonly isOwn?: boolean
  /** How long a sink may stay up after its last event, in milliseconds. */
  readonly sinkIdleMs: number
}

declare module 'vitest' {
  interface ProvidedContext {
    target: Target
  }
}

export const target: Target = inject('target')

export function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetchAlone(`${target.url}${path}`, init)
}

/** Every structured log line so far that mentions `text`. */
export async function logLines(text: string): Promise<Record<string, unknown>[]> {
  if (target.log === undefined) throw new Error('the log file of the system is not known')
  const lines = (await readFile(target.log, 'utf8')).split('\n')
  return lines.filter((line) => line.includes(text)).flatMap((line) => jsonObject(line))
}

export function waitForLogLines(text: string, count: number): Promise<Record<string, unknown>[]> {
  return waitFor(
    `${count} log lines with ${text}`,
    async () => {
      const lines = await logLines(text)
      return lines.length >= count && lines
    },
    { intervalMs: 100 },
  )
}

function jsonObject(line: string): Record<string, unknown>[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return [] // a line cut in the middle of a write, or not a structured one
  }
}
