import { pathToFileURL } from 'node:url'
import { JAAS_FILE, readJaas } from '../../properties/jaas.ts'
import { type Found, type ListenerProperties, wholeOf } from '../../properties/security-properties.ts'
import type { Mechanism } from './exchange.ts'
import { keySetAt } from './key-set.ts'
import { oauthBearerMechanism, unsecuredTokens } from './oauthbearer.ts'
import { plainMechanism } from './plain.ts'
import { type ScramCredential, type ScramName, scramMechanism } from './scram.ts'
import { signedTokens } from './signed-tokens.ts'

/** What SASL is at a listener. */
export interface SaslSettings {
  readonly mechanisms: readonly Mechanism[]
  /** How long a session lasts by this mechanism, in milliseconds; 0: as long as the connection. */
  maxReauthMs(mechanism: string): number
  /** How long the answer to a client that failed is held back, in milliseconds. */
  readonly failureDelayMs: number
  /** Of a request before the client has authenticated. */
  readonly maxReceiveBytes: number
}

/** What the broker brings in. */
export interface SaslSources {
  findScram(mechanism: ScramName, user: string): ScramCredential | undefined
  readonly now: () => number
}

const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'] as const
type MechanismName = (typeof MECHANISMS)[number]
const MAX_MS = 2 ** 31 - 1

type MakeMechanism = (sources: SaslSources) => Mechanism

function isMechanism(name: string): name is MechanismName {
  return MECHANISMS.some((each) => each === name)
}

function plainOf(properties: ListenerProperties, problems: string[]): MakeMechanism {
  const own = properties.ofMechanism('PLAIN', 'sasl.jaas.config')
  const file = properties.find(JAAS_FILE)
  const isOfFile = own.value === undefined && file.value !== undefined
  const jaas = readJaas((isOfFile ? file : own).value ?? '')
  if (isOfFile && jaas === undefined) {
    const expected = 'expected PlainLoginModule required user_alice="…"; with its semicolon, and each quote closed'
    problems.push(`${file.name} has no PlainLoginModule in KafkaServer that can be read; ${expected}`)
  } else if (jaas?.module !== 'PlainLoginModule') {
    // Not its value: it has passwords.
    problems.push(`${own.name} must be a PlainLoginModule with users: … required user_alice="…";`)
  }
  const users = [...(jaas?.options ?? [])].filter(([option]) => option.startsWith('user_'))
  return () => plainMechanism(new Map(users.map(([option, password]) => [option.slice('user_'.length), password])))
}

const UNSECURED = /(^|[.])OAuthBearerUnsecuredValidatorCallbackHandler$/
const SIGNED = /(^|[.])OAuthBearerValidatorCallbackHandler$/

function urlOf({ name, value }: Found, problems: string[]): URL {
  if (value !== undefined && /^(https?|file):\/\//.test(value) && URL.canParse(value)) return new URL(value)
  const got = value === undefined ? 'nothing' : `"${value.replace(/\/\/[^/]*@/, '//')}"`
  problems.push(`${name} must be the http:, https: or file: URL of a key set; got ${got}`)
  return pathToFileURL('/')
}

function oauthOf(properties: ListenerProperties, problems: string[]): MakeMechanism {
  const find = (name: string) => properties.find(`sasl.oauthbearer.${name}`)
  const subject = find('sub.claim.name').value ?? 'sub'
  const handler = properties.ofMechanism('OAUTHBEARER', 'sasl.server.callback.handler.class')
  if (UNSECURED.test(handler.value ?? '')) {
    return ({ now }) => oauthBearerMechanism(unsecuredTokens(subject, now))
  }
  if (handler.value !== undefined && !SIGNED.test(handler.value)) {
    problems.push(
      `${handler.name} must be OAuthBearerValidatorCallbackHandler or OAuthBearerUnsecuredValidatorCallbackHandler; got "${handler.value}"`,
    )
  }
  const url = urlOf(find('jwks.endpoint.url'), problems)
  const issuer = find('expected.issuer').value
  const audience = find('expected.audience')
    .value?.split(',')
    .map((each) => each.trim())
  const skewSeconds = wholeOf(find('clock.skew.seconds'), { min: 0, max: 86_400, absent: 30 }, problems)
  const refreshMs = wholeOf(find('jwks.endpoint.refresh.ms'), { min: 1, max: MAX_MS, absent: 3_600_000 }, problems)
  const rules = { subject, ...(issuer && { issuer }), ...(audience && { audience }), skewSeconds, needsIssuedAt: true }
  return ({ now }) => oauthBearerMechanism(signedTokens(keySetAt(url, { refreshMs, now }), rules, now))
}

function makerOf(mechanism: MechanismName, properties: ListenerProperties, problems: string[]): MakeMechanism {
  if (mechanism === 'PLAIN') return plainOf(properties, problems)
  if (mechanism === 'OAUTHBEARER') return oauthOf(properties, problems)
  return ({ findScram }) => scramMechanism(mechanism, findScram)
}

/** What these properties ask for; what is wrong with them is added to `problems`. */
export function planSasl(properties: ListenerProperties, problems: string[]): (sources: SaslSources) => SaslSettings {
  const enabled = properties.find('sasl.enabled.mechanisms')
  const names = (enabled.value ?? '').split(',').flatMap((name) => name.trim() || [])
  const known = names.filter(isMechanism)
  if (known.length === 0 || known.length !== names.length) {
    const got = enabled.value === undefined ? 'nothing' : `"${enabled.value}"`
    problems.push(`${enabled.name} must be some of ${MECHANISMS.join(', ')}; got ${got}`)
  }
  const makers = known.map((name) => makerOf(name, properties, problems))
  const reauthMs = new Map<string, number>()
  for (const name of known) {
    const own = properties.ofMechanism(name, 'connections.max.reauth.ms')
    const found = own.value === undefined ? properties.find('connections.max.reauth.ms') : own
    reauthMs.set(name, wholeOf(found, { min: 0, max: MAX_MS, absent: 0 }, problems))
  }
  const delay = properties.find('connection.failed.authentication.delay.ms')
  const size = properties.find('sasl.server.max.receive.size')
  const settings = {
    failureDelayMs: wholeOf(delay, { min: 0, max: 10_000, absent: 100 }, problems),
    maxReceiveBytes: wholeOf(size, { min: 1024, max: 1024 * 1024, absent: 524_288 }, problems),
    maxReauthMs: (mechanism: string) => reauthMs.get(mechanism) ?? 0,
  }
  return (sources) => ({ ...settings, mechanisms: makers.map((make) => make(sources)) })
}
