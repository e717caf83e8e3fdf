import { inspect } from 'node:util'
import type { Log } from '@taproom/core/lines'

/** Keeps all that it is given as text, errors with their stacks, causes and fields. */
export function recordLog(): { readonly log: Log; text(): string } {
  const lines: string[] = []
  const write = (fields: object, message: string) => void lines.push(`${message} ${inspect(fields, { depth: 10 })}`)
  return { log: { debug: write, info: write, warn: write, error: write }, text: () => lines.join('\n') }
}
