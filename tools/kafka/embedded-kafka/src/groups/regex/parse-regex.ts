import { ANY, anyCase, type CharSet, CLASSES, charRange, inverse, joined } from './char-set.ts'

/** A regular expression in parts. */
export type Node =
  | { readonly kind: 'one'; readonly of: CharSet }
  | { readonly kind: 'all'; readonly parts: readonly Node[] }
  | { readonly kind: 'either'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number }
  | { readonly kind: 'start' | 'end' }

/** Why a text is no expression that is read here. */
export class RegexError extends Error {
  override readonly name = 'RegexError'
}

/** As RE2's. */
const MAX_REPEATS = 1000
const MAX_DEPTH = 50
const GROUP_START = /^\((\?:|\?P?<\w+>)?(?!\?)/
const COUNTED = /^\{(\d{1,5})(,(\d{0,5}))?\}/
const CASE_FLAG = '(?i)'

/** What RE2 reads, without flags but `(?i)` at the start, `\b`, `\p`, `\x`, `\Q` and classes like `[:alpha:]`. */
class Parser {
  #rest: string
  readonly #ignoresCase: boolean
  #depth = 0

  constructor(text: string) {
    this.#ignoresCase = text.startsWith(CASE_FLAG)
    this.#rest = this.#ignoresCase ? text.slice(CASE_FLAG.length) : text
  }

  parse(): Node {
    const node = this.#either()
    if (this.#rest !== '') throw new RegexError('unexpected )')
    return node
  }

  #skip(token: string): boolean {
    if (!this.#rest.startsWith(token)) return false
    this.#rest = this.#rest.slice(token.length)
    return true
  }

  #char(): string {
    const [char] = this.#rest
    if (char === undefined) throw new RegexError('it ends too early')
    this.#rest = this.#rest.slice(char.length)
    return char
  }

  #either(): Node {
    const parts = [this.#all()]
    while (this.#skip('|')) parts.push(this.#all())
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'either', parts }
  }

  #all(): Node {
    const parts: Node[] = []
    while (this.#rest !== '' && !/^[|)]/.test(this.#rest)) parts.push(this.#repeated())
    return { kind: 'all', parts }
  }

  #repeated(): Node {
    const part = this.#atom()
    const counts = this.#counts()
    if (!counts) return part
    // Whether it takes much or little makes no difference to whether the whole matches.
    this.#skip('?')
    if (this.#counts()) throw new RegexError('invalid nested repetition operator')
    return { kind: 'repeat', part, ...counts }
  }

  #counts(): { readonly least: number; readonly most: number } | undefined {
    if (this.#skip('*')) return { least: 0, most: Number.POSITIVE_INFINITY }
    if (this.#skip('+')) return { least: 1, most: Number.POSITIVE_INFINITY }
    if (this.#skip('?')) return { least: 0, most: 1 }
    const [all = '', first, comma, last] = COUNTED.exec(this.#rest) ?? []
    if (!this.#skip(all) || all === '') return undefined
    const least = Number(first)
    const open = last === '' ? Number.POSITIVE_INFINITY : Number(last)
    const most = comma === undefined ? least : open
    const isTooMuch = least > MAX_REPEATS || (Number.isFinite(most) && most > MAX_REPEATS)
    if (isTooMuch || least > most) throw new RegexError('invalid repeat count')
    return { least, most }
  }

  #atom(): Node {
    const [group] = GROUP_START.exec(this.#rest) ?? []
    if (group !== undefined) return this.#group(group)
    const char = this.#char()
    if (char === '(') throw new RegexError('invalid or unsupported Perl syntax')
    if ('*+?'.includes(char)) throw new RegexError(`missing argument to repetition operator: ${char}`)
    if (char === '^') return { kind: 'start' }
    if (char === '$') return { kind: 'end' }
    if (char === '[') return this.#one(this.#class())
    if (char === '.') return this.#one(ANY)
    return this.#one(char === '\\' ? this.#escaped() : charRange(char, char))
  }

  #one(set: CharSet): Node {
    return { kind: 'one', of: this.#ignoresCase ? anyCase(set) : set }
  }

  #group(start: string): Node {
    this.#skip(start)
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new RegexError('expression nests too deeply')
    const node = this.#either()
    if (!this.#skip(')')) throw new RegexError('missing closing )')
    this.#depth -= 1
    return node
  }

  #escaped(): CharSet {
    const char = this.#char()
    const set = CLASSES.get(char)
    if (set) return set
    if (/[0-9A-Za-z]/.test(char)) throw new RegexError(`invalid escape sequence: \\${char}`)
    return charRange(char, char)
  }

  #class(): CharSet {
    const isInverse = this.#skip('^')
    const sets: CharSet[] = []
    do {
      if (this.#rest === '') throw new RegexError('missing closing ]')
      if (this.#rest.startsWith('[:')) throw new RegexError('classes like [:alpha:] are not supported')
      sets.push(this.#classItem())
    } while (!this.#skip(']'))
    const all = joined(sets)
    return isInverse ? inverse(all) : all
  }

  #classItem(): CharSet {
    const char = this.#char()
    const first = char === '\\' ? this.#escaped() : charRange(char, char)
    if (!/^-[^\]]/.test(this.#rest)) return first
    this.#skip('-')
    const end = this.#char()
    const last = end === '\\' ? this.#escaped() : charRange(end, end)
    const [from] = first
    const [to] = last
    if (first.size !== 1 || last.size !== 1 || from === undefined || to === undefined || from > to) {
      throw new RegexError('invalid character class range')
    }
    return charRange(String.fromCharCode(from), String.fromCharCode(to))
  }
}

/** @throws {RegexError} when it is none, or has what is not read here */
export function parseRegex(text: string): Node {
  return new Parser(text).parse()
}
