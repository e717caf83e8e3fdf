import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { MANAGEMENT_PATHS } from '@taproom/http'

/** What the first page tells of a system. */
export interface Home {
  /** The gateway's address. */
  readonly url: string
  /** Address of the resource API. */
  readonly resourceApi: string
  /** Commands to try, one a line. */
  readonly tryLines: readonly string[]
}

/** An answer as its sender needs it. */
export interface PageAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const places: readonly { readonly path: string; readonly what: string }[] = [
  { path: MANAGEMENT_PATHS.healthPage, what: 'health of all services, live' },
  { path: MANAGEMENT_PATHS.openApi, what: 'the interface, described in OpenAPI' },
  { path: '/movie', what: 'films, from the database and the remote film service' },
  { path: '/movie?year=1980', what: 'those of one year' },
  { path: '/beer', what: 'a priced beer every second, as server-sent events' },
  { path: '/beer/all', what: 'every strong beer of the remote beer service' },
]

const page = readFile('home-page.html')
const style = readFile('home-page.css')
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page at `/`: what is here and what to try. HTML for whoever accepts it, as browsers do, else text. */
export function homePage(home: Home, accept: string): PageAnswer {
  const always = { 'Cache-Control': 'no-store', Vary: 'Accept' }
  if (!/\btext\/html\b/i.test(accept)) {
    return { headers: { ...always, 'Content-Type': 'text/plain; charset=UTF-8' }, body: asText(home) }
  }
  const headers = { ...always, 'Content-Type': 'text/html; charset=UTF-8', 'Content-Security-Policy': policy }
  return { headers, body: asHtml(home) }
}

function asText({ url, resourceApi, tryLines }: Home): string {
  const rows = [
    ...places.map(({ path, what }) => [url + path, what]),
    [resourceApi, `the resource API: ${kubectlLine(resourceApi)}`],
  ]
  const width = Math.max(...rows.map(([address = '']) => address.length))
  const lines = rows.map(([address = '', what]) => `  ${address.padEnd(width)}  ${what}`)
  return `Taproom\n\n${lines.join('\n')}\n\nTry, in a terminal:\n\n${tryLines.map((line) => `  ${line}`).join('\n')}\n`
}

function asHtml({ resourceApi, tryLines }: Home): string {
  const row = (address: string, html: string) =>
    `<dt><a href="${escaped(address)}">${escaped(address)}</a></dt><dd>${html}</dd>`
  const rows = [
    ...places.map(({ path, what }) => row(path, what)),
    row(resourceApi, `the resource API: <code>${escaped(kubectlLine(resourceApi))}</code>`),
  ]
  return page
    .replace('<style>', (tag) => tag + style)
    .replace('<!-- places -->', () => rows.join('\n'))
    .replace('<!-- commands -->', () => tryLines.map((line) => `<pre>${escaped(line)}</pre>`).join('\n'))
}

/** What shows the resources with kubectl. */
function kubectlLine(resourceApi: string): string {
  return `kubectl -s ${resourceApi} get brokers,triggers,ksvc`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function readFile(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
