import type { GatewayRequest } from './gateway-call.ts'

/** Control characters: a terminal does not take them literally, even in quotes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters
const CONTROLS = /[\0-\x1f\x7f-\x9f]/

/** A line for bash or zsh that makes the same request. */
export function curlLine(url: string, { method, headers, body }: GatewayRequest, isStreaming = false): string {
  const hasBody = body !== undefined
  const usual = hasBody ? 'POST' : 'GET'
  const parts = ['curl', isStreaming ? '-N' : '-i']
  if (method === 'HEAD') parts.push('-I')
  else if (method !== usual) parts.push('-X', quoted(method))
  parts.push(quoted(url))
  for (const [name, value] of Object.entries(headers)) {
    // Curl takes `Name:` for a header that is to be left out.
    parts.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`))
  }
  if (hasBody) parts.push('--data-raw', quoted(body.toString()))
  return parts.join(' ')
}

/** One word of a shell, whatever is in it. */
function quoted(text: string): string {
  if (!CONTROLS.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = text.replace(/[\\']/g, '\\$&').replace(new RegExp(CONTROLS, 'g'), (character) => {
    const code = character.charCodeAt(0)
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
  return `$'${escaped}'`
}
