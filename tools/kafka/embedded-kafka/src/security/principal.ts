/** Who a client is, as ACLs name it: `User:alice`. Listeners without authentication have everyone as `User:ANONYMOUS`. */
export function userPrincipal(name: string): string {
  return `User:${name}`
}

/** The user's name of a principal, as quotas have it. */
export function nameOf(principal: string): string {
  return principal.slice(principal.indexOf(':') + 1)
}

export const ANONYMOUS = userPrincipal('ANONYMOUS')
