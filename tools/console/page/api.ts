import { dropSession, sessionSecret } from './session.ts'

/** A failed request to the console's API, or one without an answer. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  /** 0: no answer. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }

  /** A remedy, in one sentence. */
  get advice(): string {
    if (this.status === 0) return 'Check that pnpm start runs. The page retries.'
    if (this.status === 401 || this.status === 403)
      return 'Open the address that pnpm start printed: it contains the secret of this session.'
    if (this.status === 404) return 'It may have been removed, or may not exist yet.'
    if (this.status >= 500) return 'See the log of pnpm start.'
    return 'Correct the input and try again.'
  }
}

export interface Items<T> {
  readonly items: readonly T[]
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask('GET', path, undefined, signal)).json() as Promise<T>
}

/** Sends a change; undefined when the answer has no body. */
export async function send<T>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const answer = await ask(method, path, body, signal)
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Makes a request with the secret, and returns the response. @throws {ApiProblem} for a status other than 2xx, or no answer */
export async function ask(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  accept = 'application/json',
): Promise<Response> {
  const headers = new Headers({ accept })
  const secret = sessionSecret()
  if (secret !== null) headers.set('authorization', `Bearer ${secret}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null }
  const answer = await fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new ApiProblem(0, 'The console does not answer.')
  })
  if (answer.status === 401 && secret !== null) dropSession(secret)
  if (!answer.ok) throw new ApiProblem(answer.status, await detailOf(answer))
  return answer
}

async function detailOf(answer: Response): Promise<string> {
  try {
    const { detail, title } = (await answer.json()) as { detail?: string; title?: string }
    return detail ?? title ?? `${answer.status} ${answer.statusText}`
  } catch {
    return `${answer.status} ${answer.statusText}`
  }
}

export function problemOf(error: unknown): ApiProblem {
  return error instanceof ApiProblem
    ? error
    : new ApiProblem(400, error instanceof Error ? error.message : String(error))
}
