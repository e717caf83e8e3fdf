import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { MANAGEMENT_PATHS } from '@taproom/http'

export interface Home {
  readonly title: string
  readonly url: string
  /** Descriptions by path. */
  readonly links: Readonly<Record<string, string>>
  /** Address of the resource API; undefined where there is none. */
  readonly resourceApi: string | undefined
  /** Commands to try, one a line. */
  readonly tryLines: readonly string[]
}

/** The pages of every system. */
const OWN_LINKS = {
  [MANAGEMENT_PATHS.healthPage]: 'health of all services, live',
  [MANAGEMENT_PATHS.openApi]: 'the interface, described in OpenAPI',
}

const page = readFile('home-page.html')
const style = readFile('home-page.css')
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page at `/`: links, and commands to try. HTML for clients that accept it, as browsers do, else text. */
export function homePage(home: Home, accept: string) {
  const links = Object.entries({ ...OWN_LINKS, ...home.links })
  if (!wantsHtml(accept)) {
    return { headers: { ...NOT_KEPT, 'Content-Type': 'text/plain; charset=UTF-8' }, body: asText(home, links) }
  }
  const headers = { ...NOT_KEPT, 'Content-Type': 'text/html; charset=UTF-8', 'Content-Security-Policy': POLICY }
  return { headers, body: asHtml(home, links) }
}

/** Headers of answers that depend on the client and the moment. */
export const NOT_KEPT = { 'Cache-Control': 'no-store', Vary: 'Accept' }

/** True for a client that asks for a page, as browsers do. */
export function wantsHtml(accept: string): boolean {
  return /\btext\/html\b/i.test(accept)
}

type Links = readonly (readonly [path: string, what: string])[]

function asText({ title, url, resourceApi, tryLines }: Home, links: Links): string {
  const rows = links.map(([path, what]) => [url + path, what] as const)
  if (resourceApi !== undefined) rows.push([resourceApi, `the resource API: ${kubectlLine(resourceApi)}`])
  const width = Math.max(...rows.map(([address]) => address.length))
  const lines = rows.map(([address, what]) => `  ${address.padEnd(width)}  ${what}`)
  return `${title}\n\n${lines.join('\n')}\n\nTry, in a terminal:\n\n${tryLines.map((line) => `  ${line}`).join('\n')}\n`
}

function asHtml({ title, resourceApi, tryLines }: Home, links: Links): string {
  const row = (address: string, html: string) =>
    `<dt><a href="${escaped(address)}">${escaped(address)}</a></dt><dd>${html}</dd>`
  const rows = links.map(([path, what]) => row(path, escaped(what)))
  if (resourceApi !== undefined) {
    rows.push(row(resourceApi, `the resource API: <code>${escaped(kubectlLine(resourceApi))}</code>`))
  }
  return page
    .replaceAll('{{title}}', () => escaped(title))
    .replace('<style>', (tag) => tag + style)
    .replace('<!-- places -->', () => rows.join('\n'))
    .replace('<!-- commands -->', () => tryLines.map((line) => `<pre>${escaped(line)}</pre>`).join('\n'))
}

function kubectlLine(resourceApi: string): string {
  return `kubectl -s ${resourceApi} get brokers,triggers,ksvc`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function readFile(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
