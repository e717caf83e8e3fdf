import { fetchAlone, readText } from '@taproom/openapi/testing'
import { expectThat } from './check.ts'

/** As long as a sink may take to start from zero. */
export const ANSWER_LIMIT_MS = 30_000

/** An answer with its whole body. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends a request, follows no redirect, and reads a bounded answer. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
  const response = await fetchAlone(url, { signal, ...init })
  const { status, headers } = response
  if (mediaTypeOf(headers) === 'text/event-stream') {
    await response.body?.cancel()
    return { status, headers, text: '' }
  }
  return { status, headers, text: await readText(response) }
}

export function mediaTypeOf(headers: Headers): string {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'nothing'
}

export function expectStatus({ status }: Answer, ...expected: readonly number[]): void {
  expectThat(expected.includes(status), `expected ${expected.join(' or ')}, got ${status}`)
}

export function expectType({ headers }: Answer, ...expected: readonly string[]): void {
  const type = mediaTypeOf(headers)
  expectThat(expected.includes(type), `expected ${expected.join(' or ')}, got ${type}`)
}

/** The JSON object of a body. */
export function objectOf({ text }: Answer): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  expectThat(typeof value === 'object' && value !== null && !Array.isArray(value), 'the body is no JSON object')
  return value as Readonly<Record<string, unknown>>
}

/** A problem as RFC 9457 has it. */
export function expectProblem(answer: Answer, status: number): void {
  expectStatus(answer, status)
  expectType(answer, 'application/problem+json')
  const problem = objectOf(answer)
  expectThat(
    problem['status'] === status,
    `the problem's status is ${JSON.stringify(problem['status'])}, not ${status}`,
  )
  expectThat(typeof problem['title'] === 'string', 'the problem has no title')
}
