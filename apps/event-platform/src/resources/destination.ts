import { checkCaCerts } from './ca-certs.ts'
import type { FieldReader } from './field-reader.ts'
import { DNS_LABEL, DNS_LABEL_RULE, DNS_SUBDOMAIN, DNS_SUBDOMAIN_RULE } from './names.ts'

/** A reference to an addressable object. */
export interface ObjectReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** Default: the referring object's namespace. */
  readonly namespace?: string
}

/** An addressable object, a URL, or a URL relative to the object's (Knative `duckv1.Destination`). */
export interface Destination {
  readonly ref?: ObjectReference | undefined
  readonly uri?: string | undefined
  /** Authorities trusted beside Node's, in PEM; only for https. */
  readonly caCerts?: string | undefined
  /** Deliveries carry a token for this audience. */
  readonly audience?: string | undefined
}

/** Rules as in Knative: `ref` or `uri` or both; an absolute `uri` only alone. */
export function readDestination(reader: FieldReader): Destination | undefined {
  if (reader.fields('ref', 'uri', 'CACerts', 'audience').object() === undefined) return undefined
  const ref = readReference(reader.child('ref'))
  const uri = reader.child('uri').string()
  const hasRef = reader.child('ref').isPresent
  if (!hasRef && uri === undefined) reader.problem('needs ref, uri or both')
  const problem = uri === undefined ? undefined : checkDestinationUri(uri, { hasRef })
  if (problem !== undefined) reader.child('uri').problem(problem)
  const caCerts = readCaCerts(reader.child('CACerts'))
  const audience = reader.child('audience').matching(AUDIENCE, 'at most 1024 characters of visible ASCII')
  return { ref, uri, caCerts, audience }
}

/** A token for it must fit among the headers of a request. */
const AUDIENCE = /^[\x21-\x7e]{1,1024}$/

function readCaCerts(reader: FieldReader): string | undefined {
  const text = reader.string()
  const problem = text === undefined ? undefined : checkCaCerts(text)
  return problem === undefined ? text : reader.problem(problem)
}

const MOST_URI_CHARACTERS = 2048
/** RFC 3986, section 2: excludes what `URL` drops (tabs, line breaks) or takes for a slash (`\`). */
const URI_CHARACTERS = /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/
const SCHEME = /^[a-z][a-z\d+.-]*:/i
const ANY_ORIGIN = 'http://origin.invalid'

/**
 * Why a text is not valid as `uri`; undefined when it is. With a `ref` it is a path, with or without query, that stays on the object's
 * origin; alone it is an http or https URL without user and password.
 */
export function checkDestinationUri(uri: string, { hasRef }: { readonly hasRef: boolean }): string | undefined {
  if (uri.length > MOST_URI_CHARACTERS) return `must not have more than ${MOST_URI_CHARACTERS} characters`
  if (!URI_CHARACTERS.test(uri))
    return 'must hold no other characters than a URI may (RFC 3986): percent-encode the rest'
  if (!hasRef) return checkAbsolute(uri)
  if (SCHEME.test(uri) || uri.startsWith('//'))
    return 'must be relative when there is a ref: a path, with or without a query'
  const resolved = URL.parse(uri, `${ANY_ORIGIN}/`)
  return resolved?.origin === ANY_ORIGIN ? undefined : 'must be a path when there is a ref'
}

function checkAbsolute(uri: string): string | undefined {
  // `URL` would also accept `http:host` and `http:///host`.
  const url = /^https?:\/\/[^/?#]/i.test(uri) ? URL.parse(uri) : null
  if (url === null) return 'must be an absolute http or https URL when there is no ref'
  const hasUser = /^[^/]*\/\/[^/?#]*@/.test(uri)
  return hasUser ? 'must hold neither user nor password' : undefined
}

/** Reads a reference by `apiVersion`, `kind`, `name` and `namespace`; undefined when it breaks a rule. */
export function readReference(reader: FieldReader): ObjectReference | undefined {
  if (reader.object() === undefined) return undefined
  const apiVersion = reader.child('apiVersion').required().matching(API_VERSION, 'group/version or version')
  const kind = reader.child('kind').required().matching(KIND, 'the name of a kind')
  const name = reader.child('name').required().matching(DNS_SUBDOMAIN, DNS_SUBDOMAIN_RULE)
  const namespace = reader.child('namespace').matching(DNS_LABEL, DNS_LABEL_RULE)
  if (apiVersion === undefined || kind === undefined || name === undefined) return undefined
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }
}

const API_VERSION = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/)?v[a-z0-9]{1,20}$/
const KIND = /^[A-Za-z][A-Za-z0-9]{0,62}$/
