import { createHash } from 'node:crypto'

/** A checksum is compared with others of its form alone: a bundler writes constants into `up`, and calculates what it can. */
export interface MigrationSum {
  readonly form: 'readable' | 'minified'
  /** SHA-256, as hexadecimal digits. */
  readonly checksum: string
}

/** Left out: comments. */
const COMMENT = String.raw`//.*|/\*[\s\S]*?\*/`
const STRING = String.raw`'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"|` + '`(?:\\\\[\\s\\S]|[^`\\\\])*`'
/** Where no operand is before it, a slash begins an expression. */
const REGEXP = String.raw`(?<=(?:[(,=:[!&|?{;+*%<>~^-]|\breturn|^)\s*)/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+/[a-z]*`
const NUMBER = String.raw`(?<![\w$])-?(?:0[xob]\w+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d+)?n?)`
/** As in sources, and as minifiers write it. */
const CONSTANT = String.raw`(?<![\w$.])(?:true|false|null|undefined)(?![\w$])|![01](?![\w$.])|\bvoid 0`
/** Methods, properties and keys; variables have other names in each bundle. */
const NAME = String.raw`\.\s*[a-z_$][\w$]*|(?<=[{,]\s*)[a-z_$][\w$]*(?=\s*:)`
const TOKENS = new RegExp([COMMENT, STRING, REGEXP, NUMBER, CONSTANT, NAME].join('|'), 'gi')
const TEXTS = new RegExp([COMMENT, STRING, REGEXP].join('|'), 'gi')

const CONSTANTS: Readonly<Record<string, string>> = { '!0': 'true', '!1': 'false', 'void 0': 'undefined' }

/**
 * The same for code that was formatted or commented in another way, and for the bundles of two releases. Compared are strings, regular
 * expressions, numbers, constants, and the names of methods, properties and keys: a change of nothing else is not seen.
 */
export function sumOf(up: (...given: never[]) => unknown): MigrationSum {
  const text = String(up)
  const tokens = [...text.matchAll(TOKENS)].flatMap(([token]) => comparedPart(token))
  return {
    // Formatters put a blank before each body and arrow, minifiers none.
    form: /\s(?:\{|=>)/.test(text.replace(TEXTS, '')) ? 'readable' : 'minified',
    checksum: createHash('sha256').update(tokens.join('\n')).digest('hex'),
  }
}

function comparedPart(token: string): readonly string[] {
  if (/^\/[/*]/.test(token)) return []
  if (/^['"`]/.test(token)) return [textIn(token)]
  if (/^-?\.?\d/.test(token)) return [`#${numberIn(token.replaceAll('_', ''))}`]
  if (new RegExp(`^(?:${CONSTANT})$`).test(token)) return [`#${CONSTANTS[token] ?? token}`]
  return [token.replace(/^\.\s*/, '')]
}

/** As a number prints, however it is written. */
function numberIn(token: string): string {
  const [, sign = '', digits = ''] = /^(-?)(.*)$/.exec(token) ?? []
  return sign + (/^(?:0[xob][\da-f]+|\d+)n$/i.test(digits) ? `${BigInt(digits.slice(0, -1))}n` : Number(digits))
}

/** The text between quotes of any kind. */
function textIn(token: string): string {
  return token
    .slice(1, -1)
    .replace(/\$\{[^}]*\}/g, '$')
    .replace(/\\[nrt]|\s/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/\\(.)/g, '$1')
    .trim()
}
