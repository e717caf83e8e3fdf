import { createHash } from 'node:crypto'
import { healthPageScript } from './health-page-script.ts'
import { healthPageStyle } from './health-page-style.ts'

/** The health page, and the policy that lets a browser run and load nothing but what is in it. */
export interface HealthPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/** One page without outside assets that shows the checks below `rootPath`, and those of the groups, live. `rootPath` must be a plain path. */
export function healthPage(rootPath: string, groups: readonly string[] = []): HealthPage {
  return {
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Health</title>
<link rel="icon" href="data:,">
<style>${healthPageStyle}</style>
<main data-root="${rootPath}" data-groups="${groups.map(encodeURIComponent).join(' ')}">
<header>
<h1 aria-live="polite">Asking …</h1>
<p id="asked"></p>
<button id="down-only" type="button" aria-pressed="false">Only what is down</button>
<button id="pause" type="button" aria-pressed="false">Pause</button>
</header>
</main>
<script>${healthPageScript}</script>
</html>
`,
    contentSecurityPolicy: [
      "default-src 'none'",
      `script-src ${hashOf(healthPageScript)}`,
      `style-src ${hashOf(healthPageStyle)}`,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  }
}

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
