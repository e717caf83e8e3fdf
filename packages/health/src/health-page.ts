import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A page, and the headers it is sent with: their policy lets a browser run and load nothing but what is in it. */
export interface HealthPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** What the page runs, each behind what it imports. */
const MODULES = ['dom.js', 'history.js', 'models.js', 'cards.js', 'page.js']

/** Reads the files below `page/` into one page without outside assets that shows what it gets at `report`, live. */
export function healthPage(): HealthPage {
  const style = read('page.css')
  const script = joinModules(MODULES.map(read))
  return {
    html: read('index.html')
      .replace('<style>', (tag) => tag + style)
      .replace('<script type="module">', (tag) => tag + script),
    headers: {
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': [
        "default-src 'none'",
        `script-src ${hashOf(script)}`,
        `style-src ${hashOf(style)}`,
        "connect-src 'self'",
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  }
}

function read(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8')
}

/** Several modules as one: each name stands for the same in all of them, so that imports and `export` can go. */
function joinModules(modules: readonly string[]): string {
  return modules
    .join('')
    .replaceAll(/^import [^']*'[^']*'\n/gm, '')
    .replaceAll(/^export /gm, '')
}

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
