import type { App } from '../app.ts'
import { platformOf, type System } from '../define-system.ts'
import { projectName } from '../project-name.ts'
import { CLAIMED_HEADERS } from './claimed-headers.ts'
import type { ComposeApps } from './compose-apps.ts'
import { manifest } from './manifest.ts'
import { written } from './written.ts'

/** The least of `proxy_read_timeout`: a stream says something more often. */
const LEAST_SECONDS = 60

/** What clients claim of themselves. `X-Forwarded-Host` is set, as `X-Forwarded-For` and `-Proto`. */
const CLEARED = CLAIMED_HEADERS.filter((name) => name !== 'X-Forwarded-Host').map(
  (name) => `  proxy_set_header ${name} "";`,
)

/** deploy/gateway.conf: nginx as the one base URL of deploy/compose.yaml, for the apps that are in it; undefined where it would have none. */
export async function gatewayConf(
  system: System,
  { inCompose }: Pick<ComposeApps, 'inCompose'>,
): Promise<string | undefined> {
  const apps = Object.entries(system.apps).filter(([name]) => inCompose(name))
  if (!apps.some(([, { serves = [] }]) => serves.length > 0)) return undefined
  const platform = platformOf({ apps: Object.fromEntries(apps) })
  const health = system.health !== undefined && inCompose(system.health) ? system.health : undefined
  const text = await manifest('gateway.conf', projectName(system))
  const timeouts = apps.map(([, { timeoutSeconds = 0 }]) => timeoutSeconds)
  const others = apps.filter(([name]) => name !== platform)
  const lines = [...appPaths(others), ...healthPaths(health), ...platformPaths(platform)]
  return written(
    withPlatform(text, platform)
      .replace('    # PATHS', () => lines.map((line) => `    ${line}`).join('\n'))
      .replace('  # CLAIMS', () => CLEARED.join('\n'))
      .replace('READ_TIMEOUT', `${Math.max(LEAST_SECONDS, ...timeouts)}s`),
  )
}

/** nginx takes the first that fits: longer paths come before what stands for all below another. */
function appPaths(apps: readonly (readonly [name: string, App])[]): readonly string[] {
  const lines = apps.flatMap(([name, { serves = [] }]) =>
    serves.map((path) => ({ path: path.replaceAll('.', '\\.'), name, isOpen: path.endsWith('/*') })),
  )
  const exact = lines.filter(({ isOpen }) => !isOpen)
  const open = lines.filter(({ isOpen }) => isOpen).toSorted((a, b) => b.path.length - a.path.length)
  return [
    ...exact.map(({ path, name }) => `~^${path}/?(\\?|$)  ${name};`),
    ...open.map(({ path, name }) => `~^${path.slice(0, -1)}[^?]  ${name};`),
  ]
}

function healthPaths(health: string | undefined): readonly string[] {
  return health === undefined ? [] : [`~^/q/health(/(live|ready|started|well))?/?(\\?|$)  ${health};`]
}

function platformPaths(platform: string | undefined): readonly string[] {
  if (platform === undefined) return []
  return [`~^/sinks/.  ${platform};`, `~^/brokers/(?!(?i:q|sinks)([/?]|$)).  ${platform};`]
}

/** What is between `# begin platform` and `# end` is for systems whose event platform is in deploy/compose.yaml. */
function withPlatform(text: string, platform: string | undefined): string {
  const block = /^ *# begin platform\n([\s\S]*?)^ *# end\n/gm
  return text
    .replaceAll(block, (_all, inside: string) => (platform === undefined ? '' : inside))
    .replaceAll('PLATFORM', platform ?? '')
    .replace('TARGET', () => (platform === undefined ? '$request_uri' : '$target'))
}
