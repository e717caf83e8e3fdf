import { withoutCredentials } from './config-error.ts'
import { type Env, hasSecretName, NOTE, type NotedRead } from './env-reader.ts'

/** A variable that a configuration reads. */
export interface VariableRead {
  readonly name: string
  /** The variable that has its value, whose name may be spelled otherwise; undefined when its default counts. */
  readonly setAs?: string
  /** `[hidden]` for a secret that is not empty; undefined when it is not set and has no default. */
  readonly value?: string
  /** What its value may be, in words. */
  readonly expected?: string
}

const HIDDEN = '[hidden]'
const MAX_VALUE = 1000

/** The value of a variable as it can be shown: hidden if the name is that of a secret, a URL without user and password. */
export function shownVariable(name: string, value: string | undefined): { readonly value?: string } {
  if (value === undefined) return {}
  return { value: hasSecretName(name) ? hidden(value) : withoutCredentials(value).slice(0, MAX_VALUE) }
}

/** An environment that remembers what a `readConfig` reads of it: each variable once, in the order in which they are read. */
export function recordReads(env: Env): { readonly env: Env; reads(): readonly VariableRead[] } {
  const reads = new Map<string, VariableRead>()
  const note = ({ name, found, default: absent, expected, isSecret }: NotedRead) => {
    const value = found?.value ?? textOf(absent)
    const shown = isSecret && value !== undefined ? { value: hidden(value) } : shownVariable(name, value)
    // What reads it a second time may know less of it.
    if (reads.get(name)?.expected !== undefined) return
    reads.set(name, {
      name,
      ...(found !== undefined && { setAs: found.name }),
      ...shown,
      ...(expected !== undefined && { expected }),
    })
  }
  return { env: { ...env, [NOTE]: note } as Env, reads: () => [...reads.values()] }
}

/** That there is none is no secret. */
function hidden(value: string): string {
  return value === '' ? '' : HIDDEN
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(',')
  return typeof value === 'object' ? undefined : String(value)
}
