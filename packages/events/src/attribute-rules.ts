import { invalidAttribute } from './errors.ts'

/** CloudEvents String: no control characters, no unpaired surrogates, no Unicode noncharacters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters the specification forbids
const FORBIDDEN_CHARACTER = /[\u0000-\u001f\u007f-\u009f\ufdd0-\ufdef]|\p{Surrogate}|[\p{Noncharacter_Code_Point}]/u
const PLAIN_ASCII = /^[\x20-\x7e]*$/

const ATTRIBUTE_NAME = /^[a-z0-9]+$/

/** RFC 3986. Only the host of an authority may have brackets, around an IP literal. */
const PCHAR = "(?:[A-Za-z0-9\\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})"
const USERINFO_AND_HOST = "(?:[A-Za-z0-9\\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*(?:\\[[0-9A-Fa-fv.:]+\\](?::[0-9]*)?)?"
const QUERY_AND_FRAGMENT = `(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?`
const AFTER_SCHEME = `(?://${USERINFO_AND_HOST}(?:/${PCHAR}*)*|(?:${PCHAR}|/(?!/))(?:${PCHAR}|/)*)?${QUERY_AND_FRAGMENT}`
const RELATIVE = `(?://${USERINFO_AND_HOST}(?:/${PCHAR}*)*|(?:/(?!/)|(?!:)(?!${PCHAR.replace(':@', '@')}*:)${PCHAR})(?:${PCHAR}|/)*)?${QUERY_AND_FRAGMENT}`
const URI = new RegExp(`^[A-Za-z][A-Za-z0-9+\\-.]*:${AFTER_SCHEME}$`)
const RELATIVE_REFERENCE = new RegExp(`^${RELATIVE}$`)

const HOUR = '(?:[01]\\d|2[0-3])'
const TIME = `${HOUR}:[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[Zz]|[+-]${HOUR}:[0-5]\\d)`
const TIMESTAMP = new RegExp(`^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])[Tt]${TIME}$`)

/** ASCII only, which every HTTP client sends, and no tab, which an attribute cannot hold. */
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const QUOTED = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"'
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: *; *${TOKEN}=(?:${TOKEN}|${QUOTED}))*$`)

/** Lower-case letters and digits, at least one. Source: CloudEvents 1.0.2, "Attribute Naming Convention". */
export function isAttributeName(name: string): boolean {
  return ATTRIBUTE_NAME.test(name)
}

/** Returns true for a CloudEvents String. */
export function isText(value: string): boolean {
  return PLAIN_ASCII.test(value) || !FORBIDDEN_CHARACTER.test(value)
}

/** @throws {EventError} when `value` is not a CloudEvents String */
export function checkString(attribute: string, value: string): void {
  if (!isText(value)) throw invalidAttribute(attribute, 'must not contain control characters')
}

/** Whether `value` is a non-empty RFC 3986 URI-reference. */
export function isUriReference(value: string): boolean {
  return value !== '' && (URI.test(value) || RELATIVE_REFERENCE.test(value))
}

/** Whether `value` is an absolute RFC 3986 URI. A fragment is allowed: schemas are often addressed by one. */
export function isUri(value: string): boolean {
  return URI.test(value)
}

type RuleOf = (value: string) => string | undefined

const ruleOfText: RuleOf = (value) => (value === '' ? 'must not be empty' : undefined)
const ruleOfSource: RuleOf = (value) =>
  ruleOfText(value) ?? (isUriReference(value) ? undefined : 'must be a URI-reference (RFC 3986)')

/** By core attribute: the rule that a value breaks, undefined when it breaks none. */
export const CORE_RULES: ReadonlyMap<string, RuleOf> = new Map<string, RuleOf>([
  ['id', ruleOfText],
  ['type', ruleOfText],
  ['subject', ruleOfText],
  ['source', ruleOfSource],
  ['time', (value) => (isTimestamp(value) ? undefined : 'must be an RFC 3339 timestamp')],
  ['dataschema', (value) => (isUri(value) ? undefined : 'must be an absolute URI (RFC 3986)')],
  ['datacontenttype', (value) => (isMediaType(value) ? undefined : 'must be a media type in ASCII (RFC 9110)')],
])

/** True for an RFC 3339 timestamp of a day that exists. */
function isTimestamp(value: string): boolean {
  if (!TIMESTAMP.test(value)) return false
  const day = Number(value.slice(8, 10))
  return day <= 28 || day <= daysOf(Number(value.slice(0, 4)), Number(value.slice(5, 7)))
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Parameters allowed (RFC 9110, 8.3.1). */
function isMediaType(value: string): boolean {
  return value === 'application/json' || MEDIA_TYPE.test(value)
}
