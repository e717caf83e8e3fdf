import { REFUSALS, type RefusalReason } from '@taproom/jwt'
import type { LogLine } from '../api/services.ts'
import type { Verdict } from '../api/verdicts.ts'
import type { Facts } from './facts.ts'

const LATELY_MS = 60_000
const LINES = 200

/** Verdicts of tokens that were refused within a minute, one for each service and reason. */
export function tokenVerdicts({ now, lines, system }: Facts): readonly Verdict[] {
  const refused = lines({ text: 'request refused', since: now - LATELY_MS }, LINES).filter(isOfToken)
  const issuers = system.issuers.join(', ')
  const keyOf = ({ service, fields }: TokenLine) => `${service} ${fields.reason}`
  return [...Map.groupBy(refused, keyOf).values()].flatMap((own) => {
    const last = own.at(-1)
    if (last === undefined) return []
    const { service, fields, id } = last
    const { reason } = fields
    const fault = REFUSALS[reason].replace(/^./, (first) => first.toLowerCase())
    const accepted = reason === 'issuer' && issuers !== '' ? `; accepted: ${issuers}` : ''
    return {
      part: `service/${service}`,
      severity: 'warning',
      problem: `${service} refused ${own.length} ${own.length === 1 ? 'token' : 'tokens'} in the last minute: ${fault}${accepted}`,
      evidence: { reason, count: own.length, issuers, path: String(fields['path'] ?? ''), logLine: id },
      remedy:
        system.keys === undefined
          ? 'Compare the token with the MP_JWT_… variables of the service.'
          : 'Make a token that is accepted with pnpm run token, or set MP_JWT_VERIFY_ISSUER and the key of the other issuer.',
    }
  })
}

type TokenLine = LogLine & { readonly fields: { readonly reason: RefusalReason } }

/** Others are about callers without a token, or about their roles. */
function isOfToken(line: LogLine): line is TokenLine {
  const { log, reason } = line.fields
  return log === 'security' && typeof reason === 'string' && Object.hasOwn(REFUSALS, reason)
}
