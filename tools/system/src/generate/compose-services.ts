import type { App, Need } from '../app.ts'
import { needsOf, type System } from '../define-system.ts'
import { projectName } from '../project-name.ts'
import { isDatabase } from './cluster-apps.ts'
import { composeApps } from './compose-apps.ts'
import { type AnchoredVariables, anchoredVariables, environmentOf } from './compose-environment.ts'
import { withDatabases } from './databases.ts'
import { manifest } from './manifest.ts'
import { type Regions, withoutRegions } from './regions.ts'
import { yaml } from './written.ts'

const CONDITIONS = { healthy: 'service_healthy', done: 'service_completed_successfully' } as const

/** The services that are no apps. */
const SERVERS: readonly string[] = ['kafka', 'postgres', 'databases']

/**
 * The written parts of deploy/compose.yaml, whose text so far is `present`: nothing that people wrote in it is written, too.
 *
 * @throws {RangeError} when people wrote `secrets` without one that an app needs
 */
export async function composeParts(system: System, present: string): Promise<Regions> {
  const { isByHand, inCompose, ownSecrets } = composeApps(system, present)
  const part = async (name: string) => (await manifest(`compose/${name}.yaml`, projectName(system))).trimEnd()
  const apps = Object.entries(system.apps).filter(([name]) => inCompose(name))
  const needs = needsOf({ apps: Object.fromEntries(apps) })
  const after = new Set(needs.flatMap(({ compose }) => Object.keys(compose.after)))
  const served = apps.flatMap(([name, { serves = [] }]) => (serves.length > 0 ? name : []))
  const gateway = served.length === 0 ? [] : [withServices(await part('gateway'), served)]
  const withDatabase = apps.flatMap(([name, { needs = [] }]) => needs.filter(isDatabase).map(({ app = name }) => app))
  const servers = SERVERS.filter((name) => after.has(name)).map(async (name) =>
    name === 'databases' ? withDatabases(await part(name), withDatabase, '$$') : part(name),
  )
  const settings = needs.some(({ compose: { anchor } }) => anchor === 'kafka') ? [await part('kafka-settings')] : []
  const place = {
    isThere: (name: string) => SERVERS.includes(name) || inCompose(name),
    anchored: anchoredVariables([...settings, withoutRegions(present)].join('\n')),
  }
  const services = [
    ...gateway,
    ...apps.map(([name, app]) => composeService(name, app, place)),
    ...(await Promise.all(servers)),
  ]
  return {
    common: [[await part('service'), ...settings, ...secretsPart(needs, ownSecrets)].join('\n\n')],
    services: [services.filter((text) => !isByHand(nameOf(text))).join('\n\n')],
  }
}

interface ComposePlace {
  isThere(service: string): boolean
  readonly anchored: AnchoredVariables
}

function nameOf(service: string): string {
  return /^[\w-]+(?=:)/m.exec(service)?.[0] ?? ''
}

function withServices(gateway: string, served: readonly string[]): string {
  const lines = served.map((name) => `    ${name}: { condition: ${CONDITIONS.healthy} }`)
  return gateway.replace('    # AFTER', lines.join('\n'))
}

function composeService(name: string, app: App, { isThere, anchored }: ComposePlace): string {
  const { needs = [] } = app
  const states: Need['compose']['after'] = Object.assign({}, ...needs.map(({ compose }) => compose.after))
  const after = Object.entries(states).flatMap(([service, state]) =>
    isThere(service) ? `${service}: { condition: ${CONDITIONS[state]} }` : [],
  )
  const secrets = Object.entries(secretsOf(needs)).map(([source, { target }]) => ({ source, target }))
  const volumes = [...needs.flatMap(({ compose }) => compose.volumes ?? []), ...(app.compose?.volumes ?? [])]
  return [
    `${name}:`,
    '  <<: *service',
    `  image: ${name}:development`,
    ...block('environment', environmentOf(name, app, anchored)),
    ...block('secrets', linesOf(secrets)),
    ...block('volumes', linesOf(volumes)),
    ...block('tmpfs', linesOf(app.compose?.tmpfs ?? [])),
    ...block('depends_on', after),
  ].join('\n')
}

function block(key: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${key}:`, ...lines.map((line) => `    ${line}`)]
}

function linesOf(list: readonly unknown[]): readonly string[] {
  return list.length === 0 ? [] : yaml(list).split('\n')
}

function secretsOf(needs: readonly Need[]): NonNullable<Need['compose']['secrets']> {
  return Object.assign({}, ...needs.map(({ compose }) => compose.secrets))
}

/** `secrets` of the file, unless people wrote them, who then have all of them. */
function secretsPart(needs: readonly Need[], own: readonly string[] | undefined): readonly string[] {
  const wanted = Object.entries(secretsOf(needs))
  if (wanted.length === 0) return []
  if (own === undefined) {
    const secrets = Object.fromEntries(wanted.map(([name, { file }]) => [name, { file }]))
    return [`# No volumes: Docker would make a folder of the name of a file that is missing.\n${yaml({ secrets })}`]
  }
  for (const [name, { file }] of wanted) {
    if (own.includes(name)) continue
    throw new RangeError(`deploy/compose.yaml: secrets, which is yours, has no ${name}: add ${name}: { file: ${file} }`)
  }
  return []
}
