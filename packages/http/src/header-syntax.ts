const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** True when a text can be the name of a header, a method or a cookie (RFC 9110, section 5.6.2). */
export function isHeaderName(text: string): boolean {
  return NAME.test(text)
}

/** Whether a header can carry a text as its value: what Node's servers and clients take. */
export function isHeaderValue(text: string): boolean {
  return VALUE.test(text)
}
