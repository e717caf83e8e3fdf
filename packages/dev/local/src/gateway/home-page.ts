import { createHash } from 'node:crypto'
import { HEALTH_PAGE_PATH } from '@taproom/health'

/** What the first page tells of a system. */
export interface Home {
  /** The gateway's address. */
  readonly url: string
  /** What is at which path. */
  readonly links: Readonly<Record<string, string>>
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

/** The pages of every system. */
const OWN_LINKS = {
  [HEALTH_PAGE_PATH]: 'health of all services, live',
  '/q/openapi': 'the interface, described in OpenAPI',
}

const style = `
:root { color-scheme: light dark; --soft: light-dark(#5c6068, #a6abb3); --line: light-dark(#e3e5ea, #2b2e33) }
body { max-width: 52rem; margin: 0 auto; padding: 2.5rem 1.25rem; background: light-dark(#f4f5f8, #101112); color: light-dark(#1c2024, #edeef0);
  font: 16px/1.5 system-ui, sans-serif }
h1 { margin: 0; font-size: 2rem; letter-spacing: -.02em } h2 { margin: 2rem 0 .5rem; font-size: 1.05rem }
p { margin: .3rem 0; color: var(--soft) } dl { display: grid; grid-template-columns: fit-content(50%) 1fr; gap: .45rem 1.25rem; margin: 0 }
dd { margin: 0; color: var(--soft) } a { color: light-dark(#1d5bd6, #8ab4ff); overflow-wrap: anywhere }
@media (max-width: 34rem) { dl { display: block } dd { margin-bottom: .6rem } }
pre { margin: .5rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: light-dark(#fff, #18191b);
  font: .85rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
`
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

function asText({ url, links, resourceApi, tryLines }: Home): string {
  const rows = [
    ...Object.entries({ ...OWN_LINKS, ...links }).map(([path, what]) => [url + path, what]),
    [resourceApi, `the resource API: ${kubectlLine(resourceApi)}`],
  ]
  const width = Math.max(...rows.map(([address = '']) => address.length))
  const lines = rows.map(([address = '', what]) => `  ${address.padEnd(width)}  ${what}`)
  return `Taproom\n\n${lines.join('\n')}\n\nTry, in a terminal:\n\n${tryLines.map((line) => `  ${line}`).join('\n')}\n`
}

function asHtml({ links, resourceApi, tryLines }: Home): string {
  const rows = Object.entries({ ...OWN_LINKS, ...links }).map(
    ([path, what]) => `<dt><a href="${escaped(path)}">${escaped(path)}</a></dt><dd>${escaped(what)}</dd>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Taproom</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<main>
<h1>Taproom</h1>
<p>The whole system runs behind this address, in development mode.</p>
<h2>What is here</h2>
<dl>
${rows.join('\n')}
<dt><a href="${escaped(resourceApi)}">${escaped(resourceApi)}</a></dt><dd>the resource API: <code>${escaped(kubectlLine(resourceApi))}</code></dd>
</dl>
<h2>Try, in a terminal</h2>
${tryLines.map((line) => `<pre>${escaped(line)}</pre>`).join('\n')}
</main>
</html>
`
}

/** What shows the resources with kubectl. */
function kubectlLine(resourceApi: string): string {
  return `kubectl -s ${resourceApi} get brokers,triggers,ksvc`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
