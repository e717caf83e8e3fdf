import type { Random } from '../../harness/random.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

const CONTROLS = ['\0', '\x07', '\x1b[2J', '\x7f', '\t', '\r', '\n', '\r\n', '\u0085', '\u2028', '\u2029', ' ', '  ']
const UNPAIRED = ['\ud800', '\udc00', '\udbff', '\uffff', '\ufeff', '\u202e', '\u200b']

/** Pieces that are hard for readers of text: controls, all line breaks, escapes, broken Unicode, numbers at the edges. */
const HOSTILE_PIECES: readonly string[] = [
  ...CONTROLS,
  ...UNPAIRED,
  ...'é ÿ ß € 漢字 😀 e\u0301'.split(' '),
  ...'% %% %2 %zz %00 %0a %20 %25 %C3%A9 %E2%82%AC %ff %ED%A0%80 %F4%90%80%80'.split(' '),
  ...'" \\ \\" \' ` \\u0000 \\ud800 & < > $ {{a}} { } [ ] ( )'.split(' '),
  ...'../ ..%2f // /// /./ ~ * ? # ; : , = == @ | !'.split(' '),
  ...'__proto__ constructor prototype toString hasOwnProperty length then null undefined true TRUE false'.split(' '),
  ...'0 -0 -1 1e309 1e-400 9007199254740993 2147483648 -2147483649 4294967296 NaN 0x10 1_0'.split(' '),
  ...'2024-02-30T25:61:61Z 1970-01-01T00:00:00Z 2024-01-01T00:00:00.123456789+23:59'.split(' '),
  ...'http:// http://[ //evil.example/x file:///etc/passwd data:,x javascript:1 urn:x a: :a'.split(' '),
  ...'application/json text/plain;charset=utf-16 application/cloudevents+json charset='.split(' '),
  'multipart/mixed;boundary=x',
]

/** A short name of small letters and digits. */
export function word(random: Random, longest = 8): string {
  const length = 1 + random.below(longest)
  let text = LETTERS.charAt(random.below(26))
  while (text.length < length) text += LETTERS.charAt(random.below(LETTERS.length))
  return text
}

/** Text of words and hostile pieces, of at most about `pieces` of them. */
export function hostileText(random: Random, pieces = 4): string {
  let text = ''
  for (let left = random.below(pieces + 1); left > 0; left -= 1) {
    text += random.chance(0.5) ? word(random) : random.pick(HOSTILE_PIECES)
  }
  return text
}

/** One of the hard pieces. */
export function hostilePiece(random: Random): string {
  return random.pick(HOSTILE_PIECES)
}

/** Any code points, unpaired surrogates included. */
export function anyUnicode(random: Random, length: number): string {
  let text = ''
  for (let left = length; left > 0; left -= 1) {
    const bits = random.pick([7, 8, 11, 16, 20])
    text += String.fromCodePoint(random.below(2 ** bits))
  }
  return text
}

/** A count: mostly small, sometimes thousands, rarely up to `most`. */
export function count(random: Random, most = 100_000): number {
  const dice = random.next()
  if (dice < 0.95) return random.below(Math.min(8, most + 1))
  if (dice < 0.995) return random.below(Math.min(200, most + 1))
  if (dice < 0.9995) return random.below(Math.min(5000, most + 1))
  return random.below(most + 1)
}

/** As many as {@link count} says, mostly a few. */
export function several<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: count(random, most) }, make)
}

/** The text with a few changes: pieces left out, doubled, inserted, or replaced. */
export function mutateText(random: Random, text: string): string {
  let changed = text
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const at = random.below(changed.length + 1)
    const end = Math.min(changed.length, at + 1 + random.below(random.chance(0.2) ? changed.length + 1 : 4))
    const part = changed.slice(at, end)
    const replacement = random.pick<() => string>([
      () => '',
      () => part + part,
      () => hostilePiece(random),
      () => part + hostilePiece(random),
      () => part.toUpperCase(),
      () => anyUnicode(random, part.length),
    ])()
    changed = changed.slice(0, at) + replacement + changed.slice(end)
  }
  return changed
}

/** Bytes with a few changes: bits flipped, parts left out, doubled or filled, lengths at their edges. */
export function mutateBytes(random: Random, bytes: Buffer): Buffer {
  let changed = Buffer.from(bytes)
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const at = random.below(changed.length + 1)
    const end = Math.min(changed.length, at + 1 + random.below(random.chance(0.2) ? changed.length + 1 : 8))
    switch (random.below(5)) {
      case 0:
        if (at < changed.length) changed.writeUInt8(changed.readUInt8(at) ^ (1 << random.below(8)), at)
        break
      case 1:
        changed = Buffer.concat([changed.subarray(0, at), changed.subarray(end)])
        break
      case 2:
        changed = Buffer.concat([changed.subarray(0, end), changed.subarray(at, end), changed.subarray(end)])
        break
      case 3:
        changed.fill(random.pick([0, 1, 0x7f, 0x80, 0xff]), at, end)
        break
      default:
        if (at + 4 <= changed.length)
          changed.writeInt32BE(random.pick([-1, 0, 1, 0x7fff_ffff, -0x8000_0000, 0xffff]), at)
    }
  }
  return changed
}

/** At most `length` characters of a text, on one line and without control characters. */
export function shortened(text: string, length = 160): string {
  const start = text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text
  return JSON.stringify(start).replaceAll(/[^\x20-\x7e]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
