import { CORE_RULES, isText } from './attribute-rules.ts'
import { decodeHeaderValue, textOfHeader } from './header-value.ts'

/**
 * The value that a header of binary mode gives an attribute. SDKs in use do not encode: what the attribute cannot have decoded (no UTF-8,
 * control characters, a `source` that is not a URI-reference) was not encoded, and is taken as it is. It may still be invalid.
 */
export function attributeValueIn(attribute: string, header: string): string {
  const decoded = decodeHeaderValue(header)
  if (decoded !== undefined && isText(decoded) && CORE_RULES.get(attribute)?.(decoded) === undefined) return decoded
  return textOfHeader(header)
}
