import type { TlsOptions } from 'node:tls'
import type { ListenerProperties } from '../../properties/security-properties.ts'
import { type KeyMaterial, keyMaterialOf } from './key-material.ts'
import { type MapName, principalMapping } from './principal-mapping.ts'

/** What TLS is at a listener. */
export interface TlsSettings {
  readonly material: KeyMaterial
  readonly clientAuth: 'none' | 'requested' | 'required'
  readonly versions: Pick<TlsOptions, 'minVersion' | 'maxVersion'>
  /** The user whom a certificate names; undefined: no rule applies. */
  readonly mapName: MapName
}

const CLIENT_AUTH = ['none', 'requested', 'required'] as const
/** Java's keytool writes PKCS12 under the type JKS, too, which is the default. The content of a file says what it is. */
const STORES = ['PEM', 'PKCS12', 'JKS']
const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const

/** What these properties ask for; what is wrong with them is added to `problems`. */
export function planTls(properties: ListenerProperties, problems: string[]): TlsSettings | undefined {
  const { find } = properties
  const before = problems.length
  for (const store of ['keystore', 'truststore']) {
    const { name, value = 'JKS' } = find(`ssl.${store}.type`)
    if (STORES.includes(value.toUpperCase())) continue
    problems.push(`${name} must be one of ${STORES.join(', ')}; got "${value}"`)
  }
  const wanted = find('ssl.client.auth')
  const clientAuth = CLIENT_AUTH.find((each) => each === (wanted.value ?? 'none').toLowerCase())
  if (!clientAuth) problems.push(`${wanted.name} must be one of ${CLIENT_AUTH.join(', ')}; got "${wanted.value}"`)
  const protocols = find('ssl.enabled.protocols')
  const names = (protocols.value ?? VERSIONS.join()).split(',').map((name) => name.trim())
  const versions = VERSIONS.filter((version) => names.includes(version))
  if (versions.length !== names.length) {
    problems.push(`${protocols.name} must be some of ${VERSIONS.join(', ')}; got "${protocols.value}"`)
  }
  const mapName = principalMapping(find('ssl.principal.mapping.rules'), problems)
  if (problems.length > before || !clientAuth) return undefined
  const [minVersion = 'TLSv1.2', maxVersion = minVersion] = versions
  try {
    return { material: keyMaterialOf(properties), clientAuth, versions: { minVersion, maxVersion }, mapName }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
    return undefined
  }
}
