import type { IntrospectionOptions } from '../src/verifier/ask-introspection.ts'
import type { JwtVerifier } from '../src/verifier/verifier.ts'
import { createVerification } from './verification.ts'

export const { issuer, verifier } = await createVerification()

export const URL = 'https://id.example/introspect?x=1'
export const now = Math.floor(Date.now() / 1000)
export const facts = (more: object = {}) => ({
  active: true,
  iss: issuer.issuer,
  exp: now + 600,
  iat: now,
  sub: 'duke',
  ...more,
})

/** An introspection endpoint in this process, and the calls that it got. */
export interface Endpoint {
  answer: (body: URLSearchParams) => Response | Promise<Response>
  readonly calls: { url: string; init: RequestInit }[]
  open(options?: Partial<IntrospectionOptions>, more?: Parameters<typeof verifier>[0]): Promise<JwtVerifier>
}

export function endpoint(): Endpoint {
  const calls: Endpoint['calls'] = []
  const one: Endpoint = {
    answer: () => Response.json(facts()),
    calls,
    open: (options, more) =>
      verifier({
        introspection: { url: URL, clientId: 'beer:app', clientSecret: 's e+c%ret', ...options },
        fetch: (async (url: unknown, init: RequestInit) => {
          calls.push({ url: String(url), init })
          return one.answer(init.body as URLSearchParams)
        }) as typeof fetch,
        ...more,
      }),
  }
  return one
}

/** `accepted`, the reason of a refusal, or the code of an error. */
export async function outcome(one: JwtVerifier, token: string): Promise<string> {
  return Promise.resolve(one.verify(token)).then(
    () => 'accepted',
    ({ reason, code }: { reason?: string; code?: string }) => reason ?? String(code),
  )
}
