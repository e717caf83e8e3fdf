import { createHash } from 'node:crypto'
import type { HealthReport } from './check.ts'
import { healthPageScript } from './health-page-script.ts'
import { healthPageStyle } from './health-page-style.ts'

/** Where the health page is, in development mode only. It asks for its {@link PageReport} at `report` below it. */
export const HEALTH_PAGE_PATH = '/q/health-ui/'

/** What the health page shows: one service without a name, or each of those behind a gateway with its name. */
export interface PageReport {
  readonly services: readonly ServiceReports[]
}

/** The reports of one service. */
export interface ServiceReports {
  readonly name?: string
  /** By kind: `live`, `ready`, `started`, `well`, and `group/<name>` for each group. */
  readonly reports?: Readonly<Record<string, HealthReport>>
  /** Why there are no reports. */
  readonly error?: string
}

/** A page, and the headers it is sent with: their policy lets a browser run and load nothing but what is in it. */
export interface HealthPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** One page without outside assets that shows what it is told at `report`, live. */
export function healthPage(): HealthPage {
  return {
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Health</title>
<link rel="icon" href="data:,">
<style>${healthPageStyle}</style>
<main>
<header>
<div class="headline"><h1 aria-live="polite">Asking …</h1><p id="asked"></p></div>
<div>
<button id="down-only" type="button" aria-pressed="false">Only what is down</button>
<button id="pause" type="button" aria-pressed="false">Pause</button>
</div>
</header>
<div id="cards"></div>
<section id="changes" aria-labelledby="changes-title" hidden><h2 id="changes-title">What changed</h2><ol></ol></section>
<p class="hint">The bars show the last three minutes, as far as this page was open.</p>
</main>
<script>${healthPageScript}</script>
</html>
`,
    headers: {
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  }
}

const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src ${hashOf(healthPageScript)}`,
  `style-src ${hashOf(healthPageStyle)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
