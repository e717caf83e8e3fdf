import type { JwtClaims } from './claims.ts'

/**
 * What the token may be used for: `scope`, a list with spaces (RFC 8693, section 4.2), or else `scp`, which some issuers write instead;
 * either may be an array of texts, too. Anything else gives no scope.
 */
export function scopesOf({ scope, scp }: JwtClaims): readonly string[] {
  const granted = scope ?? scp
  if (typeof granted === 'string') return granted.split(' ').filter((one) => one !== '')
  return Array.isArray(granted) ? granted.filter((one) => typeof one === 'string') : []
}

/** A scope's characters (RFC 6749, section 3.3), none of which ends the quoted text of a challenge. */
export function isScope(text: string): boolean {
  return /^[!#-[\]-~]+$/.test(text)
}
