/**
 * Headers in which a client could say where its request comes from, or what it asked for, and services believe it. Gateways take them away,
 * as that of `pnpm start` does; `X-Forwarded-For` and `X-Forwarded-Proto` are set by all. A rule of an HTTPRoute has at most 16.
 */
export const CLAIMED_HEADERS = [
  'Forwarded',
  'X-Forwarded-Host',
  'X-Forwarded-Port',
  'X-Forwarded-Prefix',
  'X-Forwarded-Server',
  'X-Real-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Original-Host',
  'X-Original-URL',
  'X-Rewrite-URL',
  'True-Client-IP',
  'CF-Connecting-IP',
] as const

/** The filter of a rule of an HTTPRoute that takes them away. */
export const WITHOUT_CLAIMS = { type: 'RequestHeaderModifier', requestHeaderModifier: { remove: [...CLAIMED_HEADERS] } }

/** A manifest whose lines `# CLAIMED HEADERS` are all of them, as YAML. */
export function withClaimedHeaders(text: string): string {
  return text.replaceAll(/^( *)# CLAIMED HEADERS$/gm, (_all, indent: string) =>
    CLAIMED_HEADERS.map((name) => `${indent}- ${name}`).join('\n'),
  )
}
