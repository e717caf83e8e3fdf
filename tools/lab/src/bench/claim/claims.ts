import { createDevIssuer, type DevClaims } from '@taproom/jwt/testing'
import { APPS } from '../../harness/apps.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import { startBundle } from '../bundled.ts'

export const CLAIM_PATH = '/secure/claim'
/** As many as any side remembers. */
export const KNOWN_TOKENS = 64
/** More than any side remembers: each is forgotten before it comes again. */
export const NEW_TOKENS = 2560

export type Claims = Awaited<ReturnType<typeof openClaims>>

/** An issuer of tokens, and the variables by which a service knows it. */
export async function openClaims() {
  const { issuer, publicKeyPem, sign } = await createDevIssuer()
  const token = async (claims: DevClaims) => `Bearer ${await sign(claims)}`
  return {
    issuer,
    publicKeyPem,
    env: { MP_JWT_VERIFY_PUBLICKEY: publicKeyPem, MP_JWT_VERIFY_ISSUER: issuer },
    /** Value of an Authorization header. */
    token,
    tokens: (count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => token({ user: `user-${index}` }))),
  }
}

export async function startClaims(
  { env }: Claims,
  more: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return startBundle(APPS.claims, { env: { ...env, LOG_LEVEL: 'info', ...more } })
}
