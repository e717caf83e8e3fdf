import { reasonOf } from '@taproom/core/lines'
import { steadily } from './steady.ts'

export interface RequestsOptions {
  readonly url: string
  /** Asked for before each. */
  readonly headers?: () => Readonly<Record<string, string>>
  readonly perSecond: number
  /** Says what is wrong with an answer of 200; undefined when nothing is. */
  check(body: string): string | undefined
}

/** Requests at a steady rate, each sent once. */
export interface Requests extends AsyncDisposable {
  readonly sent: number
  /** Why requests failed, in the order of their ends: the status, or what broke. */
  readonly failures: readonly string[]
}

/** Longer than any answer may take. */
const TIMEOUT_MS = 30_000

export function sendRequests({ url, headers = () => ({}), perSecond, check }: RequestsOptions): Requests {
  const failures: string[] = []

  async function send(): Promise<void> {
    requests.sent += 1
    try {
      const response = await fetch(url, { headers: headers(), signal: AbortSignal.timeout(TIMEOUT_MS) })
      const body = await response.text()
      const problem = response.status === 200 ? check(body) : `${response.status} ${body.slice(0, 200)}`
      if (problem !== undefined) failures.push(problem)
    } catch (error) {
      failures.push(error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : reasonOf(error))
    }
  }

  const requests = { sent: 0, failures, [Symbol.asyncDispose]: () => sending[Symbol.asyncDispose]() }
  const sending = steadily(perSecond, send)
  return requests
}
