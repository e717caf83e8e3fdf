/** Who a client is, as ACLs name it: `User:alice`. Listeners without authentication have everyone as `User:ANONYMOUS`. */
export function userPrincipal(name: string): string {
  return `User:${name}`
}

export const ANONYMOUS = userPrincipal('ANONYMOUS')
