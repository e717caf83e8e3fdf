import { type Element, elementsOf, objectId } from './der.ts'

/** RFC 2253 names these; Java writes the numbers of all others, and their values in hexadecimal digits. */
const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.9', 'STREET'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['0.9.2342.19200300.100.1.1', 'UID'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
])
const [BMP_STRING, UNIVERSAL_STRING, CONTEXT_0] = [0x1e, 0x1c, 0xa0]
const ENCODINGS: ReadonlyMap<number, BufferEncoding> = new Map([
  [0x0c, 'utf8'],
  [0x13, 'latin1'],
  [0x14, 'latin1'],
  [0x16, 'latin1'],
])

function textOf({ tag, content }: Element): string | undefined {
  if (tag === BMP_STRING) return Buffer.from(content).swap16().toString('utf16le')
  if (tag === UNIVERSAL_STRING) return undefined
  const encoding = ENCODINGS.get(tag)
  return encoding && content.toString(encoding)
}

/** As Java escapes: what has a meaning in names, wherever it is, and blanks at the ends. */
function escaped(text: string): string {
  return text.replaceAll(/[,+"\\<>;=#]/g, '\\$&').replaceAll(/^ +| +$/g, (blanks) => blanks.replaceAll(' ', '\\ '))
}

function attribute(element: Element): string {
  const [type, value] = elementsOf(element.content)
  if (!type || !value) return ''
  const id = objectId(type.content)
  const keyword = KEYWORDS.get(id)
  const text = textOf(value)
  if (keyword === undefined || text === undefined) return `${keyword ?? id}=#${value.whole.toString('hex')}`
  return `${keyword}=${escaped(text)}`
}

/** The subject of a certificate as Java's `X500Principal.getName()` writes it, which Apache Kafka's ACLs name: `CN=taproom,O=Example`. */
export function subjectOf(certificate: Buffer): string {
  const [outer] = elementsOf(certificate)
  const [signed] = elementsOf(outer?.content ?? Buffer.alloc(0))
  const fields = elementsOf(signed?.content ?? Buffer.alloc(0))
  // The version may be missing; then serial number, algorithm, issuer, validity, subject.
  const subject = fields[fields[0]?.tag === CONTEXT_0 ? 5 : 4]
  const names = elementsOf(subject?.content ?? Buffer.alloc(0))
  return names
    .toReversed()
    .map(({ content }) => elementsOf(content).map(attribute).join('+'))
    .join(',')
}
