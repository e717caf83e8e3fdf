import type { LogLine } from '../api/services.ts'
import type { Verdict } from '../api/verdicts.ts'
import type { Facts } from './facts.ts'

const LATELY_MS = 60_000
const LINES = 200

/** The fault of a token, by the reason in the log of refusals; other reasons are about callers without a token, or their roles. */
const REASONS: Readonly<Record<string, string>> = {
  malformed: 'the token is not a signed JWT',
  algorithm: 'the signing algorithm is not accepted',
  type: 'the token type is not accepted',
  key: 'the signing key is not known',
  signature: 'the signature does not match',
  expired: 'the token has expired',
  not_yet_valid: 'the token is not valid yet',
  too_old: 'the token was issued too long ago',
  issuer: 'the issuer is not accepted',
  audience: 'the audience is not accepted',
  claim: 'a required claim is missing or invalid',
  principal: 'the token names no principal',
  encryption: 'the token is not encrypted as it must be',
  inactive: 'the token is not active',
  revoked: 'the token has been revoked',
}

/** Verdicts of tokens that were refused within a minute, one for each service and reason. */
export function tokenVerdicts({ now, lines, system }: Facts): readonly Verdict[] {
  const refused = lines({ text: 'request refused' }, LINES).filter(({ time, fields }) => {
    return fields['log'] === 'security' && now - time < LATELY_MS && String(fields['reason']) in REASONS
  })
  const issuers = system.issuers.join(', ')
  const keyOf = ({ service, fields }: LogLine) => `${service} ${String(fields['reason'])}`
  return [...Map.groupBy(refused, keyOf).values()].flatMap((own) => {
    const last = own.at(-1)
    if (last === undefined) return []
    const { service, fields, id } = last
    const reason = String(fields['reason'])
    const accepted = reason === 'issuer' && issuers !== '' ? `; accepted: ${issuers}` : ''
    return {
      part: `service/${service}`,
      severity: 'warning',
      problem: `${service} refused ${own.length} ${own.length === 1 ? 'token' : 'tokens'} in the last minute: ${REASONS[reason]}${accepted}`,
      evidence: { reason, count: own.length, issuers, path: String(fields['path'] ?? ''), logLine: id },
      remedy:
        system.keys === undefined
          ? 'Compare the token with the MP_JWT_… variables of the service.'
          : 'Make a token that is accepted with pnpm run token, or set MP_JWT_VERIFY_ISSUER and the key of the other issuer.',
    }
  })
}
