import {
  checkEndpointUrl,
  type KafkaSasl,
  PASSWORD_MECHANISMS,
  type TokenEndpoint,
} from '../security/kafka-security.ts'
import { type ConnectionAttributes, oneOf } from './property-reader.ts'

const MECHANISMS = [...PASSWORD_MECHANISMS, 'OAUTHBEARER'] as const
const PASSWORD_ATTRIBUTES = ['sasl.username', 'sasl.password']
const OAUTH = 'sasl.oauthbearer'
const OAUTH_ATTRIBUTES = ['token.endpoint.url', 'client.id', 'client.secret', 'scope'].map((name) => `${OAUTH}.${name}`)

export const SASL_ATTRIBUTES: readonly string[] = ['sasl.mechanism', ...PASSWORD_ATTRIBUTES, ...OAUTH_ATTRIBUTES]

/** `why` says what makes SASL necessary. Undefined when something is missing or invalid, which has been reported. */
export function readSasl(attributes: ConnectionAttributes, why: string, isProduction: boolean): KafkaSasl | undefined {
  const expected = `one of ${MECHANISMS.join(', ')}, because ${why}`
  const mechanism = attributes.required('sasl.mechanism', expected, oneOf(MECHANISMS))
  if (mechanism === undefined) return undefined
  const choice = `${attributes.nameOf('sasl.mechanism')} is ${mechanism}`
  if (mechanism === 'OAUTHBEARER') {
    attributes.refuse(PASSWORD_ATTRIBUTES, choice)
    const token = readTokenEndpoint(attributes, choice, isProduction)
    return token && { mechanism, token }
  }
  attributes.refuse(OAUTH_ATTRIBUTES, choice)
  const username = attributes.required('sasl.username', `a user, because ${choice}`, someText)
  const password = attributes.required('sasl.password', `a password, because ${choice}`, someText)
  return username === undefined || password === undefined ? undefined : { mechanism, username, password }
}

function readTokenEndpoint(
  attributes: ConnectionAttributes,
  why: string,
  isProduction: boolean,
): TokenEndpoint | undefined {
  const address = isProduction ? 'an https URL' : 'an https or http URL'
  const url = attributes.required(
    `${OAUTH}.token.endpoint.url`,
    `${address} without user and password, because ${why}`,
    (text) => endpointUrl(text, isProduction),
  )
  const clientId = attributes.required(`${OAUTH}.client.id`, `a client id, because ${why}`, someText)
  const clientSecret = attributes.required(`${OAUTH}.client.secret`, `a client secret, because ${why}`, someText)
  const scope = attributes.optional(`${OAUTH}.scope`, 'a text', someText)
  if (url === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return { url, clientId, clientSecret, ...(scope !== undefined && { scope }) }
}

function endpointUrl(text: string, isProduction: boolean): string {
  if (checkEndpointUrl(text).protocol !== 'https:' && isProduction) throw new RangeError('not encrypted')
  return text
}

function someText(text: string): string {
  if (text === '') throw new RangeError('empty')
  return text
}
