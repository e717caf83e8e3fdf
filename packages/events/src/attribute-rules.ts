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

const TIMESTAMP = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** ASCII only, which every HTTP client sends, and no tab, which an attribute cannot hold. */
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const QUOTED = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"'
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: *; *${TOKEN}=(?:${TOKEN}|${QUOTED}))*$`)

/** Lower-case letters and digits, at least one. Source: CloudEvents 1.0.2, "Attribute Naming Convention". */
export function isAttributeName(name: string): boolean {
  return ATTRIBUTE_NAME.test(name)
}

/** @throws {EventError} when `value` is not a CloudEvents String */
export function checkString(attribute: string, value: string): void {
  if (PLAIN_ASCII.test(value)) return
  if (FORBIDDEN_CHARACTER.test(value)) throw invalidAttribute(attribute, 'must not contain control characters')
}

/** @throws {EventError} when `value` is empty */
export function checkNonEmpty(attribute: string, value: string): void {
  if (value === '') throw invalidAttribute(attribute, 'must not be empty')
}

/** Whether `value` is a non-empty RFC 3986 URI-reference. */
export function isUriReference(value: string): boolean {
  return value !== '' && (URI.test(value) || RELATIVE_REFERENCE.test(value))
}

/** @throws {EventError} when `value` is empty or not an RFC 3986 URI-reference */
export function checkUriReference(attribute: string, value: string): void {
  checkNonEmpty(attribute, value)
  if (!isUriReference(value)) throw invalidAttribute(attribute, 'must be a URI-reference (RFC 3986)')
}

/** Whether `value` is an absolute RFC 3986 URI. A fragment is allowed: schemas are often addressed by one. */
export function isUri(value: string): boolean {
  return URI.test(value)
}

/** @throws {EventError} when `value` is not an absolute URI */
export function checkUri(attribute: string, value: string): void {
  if (!isUri(value)) throw invalidAttribute(attribute, 'must be an absolute URI (RFC 3986)')
}

/** @throws {EventError} when `value` is not an RFC 3339 timestamp, or its day or time does not exist */
export function checkTimestamp(attribute: string, value: string): void {
  if (TIMESTAMP.test(value)) {
    const [year, month, day] = [
      twoDigits(value, 0) * 100 + twoDigits(value, 2),
      twoDigits(value, 5),
      twoDigits(value, 8),
    ]
    const dayFits = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
    const timeFits = twoDigits(value, 11) <= 23 && twoDigits(value, 14) <= 59 && twoDigits(value, 17) <= 60
    if (dayFits && timeFits && offsetFits(value)) return
  }
  throw invalidAttribute(attribute, 'must be an RFC 3339 timestamp')
}

/** @throws {EventError} when `value` is not a media type in ASCII, parameters allowed (RFC 9110, 8.3.1) */
export function checkMediaType(attribute: string, value: string): void {
  if (value !== 'application/json' && !MEDIA_TYPE.test(value)) {
    throw invalidAttribute(attribute, 'must be a media type in ASCII (RFC 9110)')
  }
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
}

/** Whether a UTC offset at the end is less than a day. */
function offsetFits(timestamp: string): boolean {
  const end = timestamp.length
  return (
    timestamp.charAt(end - 3) !== ':' || (twoDigits(timestamp, end - 5) <= 23 && twoDigits(timestamp, end - 2) <= 59)
  )
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
