import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export type HealthPage = ReturnType<typeof healthPage>

/** The scripts of the page, each after those that it imports. */
const MODULES = ['dom.js', 'history.js', 'models.js', 'cards.js', 'page.js']

/**
 * Joins the files below `page/` into one page without external assets, which polls `report` and shows it. The policy in its headers lets a
 * browser run and load only what is in the page.
 */
export function healthPage() {
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

/** Several modules as one. No name has two meanings in them, so imports and `export` can be removed. */
function joinModules(modules: readonly string[]): string {
  return modules
    .join('')
    .replaceAll(/^import [^']*'[^']*'\n/gm, '')
    .replaceAll(/^export /gm, '')
}

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
