import type { App } from '../app.ts'
import { variableOf } from '../variable-of.ts'

/** Names the variables of an app that have a host of one word which is not among `hosts`. */
export function unknownHosts(
  { needs = [] }: Pick<App, 'needs'>,
  env: Readonly<Record<string, string>>,
  hosts: ReadonlySet<string>,
): readonly string[] {
  const addresses = needs.map(({ variables: [property] }) => variableOf(property))
  return Object.entries(env).flatMap(([variable, value]) => {
    // The issuer of tokens is a name, and no address.
    if (/_ISSUER$/.test(variable)) return []
    const named = hostsIn(value, addresses.includes(variable))
    return named
      .filter((host) => /^[a-z][\w-]*$/i.test(host) && host !== 'localhost' && !hosts.has(host))
      .map((host) => `${variable} names ${host}: expected a service of this file, or a name with a dot`)
  })
}

function hostsIn(value: string, isAddress: boolean): readonly string[] {
  const [, ofUrl] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(value) ?? []
  const list = ofUrl ?? (isAddress && /^[\w.-]+:\d+(?:,|$)/.test(value) ? value : '')
  return list.split(',').map((one) => one.trim().replace(/:\d*$/, ''))
}
