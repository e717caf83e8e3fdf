import { createDevIssuer } from '@taproom/jwt/testing'
import { HttpProblem } from '@taproom/service'
import type { SystemFacts } from '@taproom/start/control'

export interface TokenFor {
  readonly user: string
  readonly groups: readonly string[]
}

/** Makes tokens as `pnpm run token` does. */
export type MakeToken = (whom: TokenFor) => Promise<string>

/** With the key in `keys`, the folder that the running system accepts tokens by; undefined where it accepts others. Of its first issuer. */
export function createTokens({ keys, issuers: [url] }: Pick<SystemFacts, 'keys' | 'issuers'>): MakeToken {
  let issuer: ReturnType<typeof createDevIssuer> | undefined
  return async ({ user, groups }) => {
    if (keys === undefined) {
      throw new HttpProblem(404, {
        detail: 'this system does not accept development tokens: the MP_JWT_VERIFY_… variables name another key',
      })
    }
    issuer ??= createDevIssuer({ folder: keys, ...(url !== undefined && { issuer: url }) })
    return (await issuer).sign({ user, groups })
  }
}
