import { join } from 'node:path'
import type { Env } from '@taproom/service'
import type { Need, Place } from '@taproom/system'
import { commonEnvironment } from './service-environment.ts'
import type { DescribeOptions } from './system-options.ts'

/** One process of the system, before it runs. */
export interface ServiceDescription {
  readonly name: string
  /** File to run. */
  readonly main: string
  readonly cwd: string
  /** Names of the services that have to be ready before. */
  readonly needs: readonly string[]
  /** Port to ask for; 0 is any. */
  readonly port: number
  /** Whether it has health to report. */
  readonly hasHealth: boolean
  /** Its environment, given its port and where those it needs listen. */
  env(port: number, portOf: (service: string) => number | undefined): Env
}

/** Where a stand-in would be that could not start. Nothing listens on it, so that what needs it still says what else is wrong. */
const CLOSED_PORT = 9

/**
 * Every process of a system that runs here. Each gets the caller's environment; what is not configured there leads to what is brought along.
 */
export function describeServices(options: DescribeOptions): ServiceDescription[] {
  const { system, config, folder, root, cwd } = options
  const common = commonEnvironment(options)
  const placeOf = (port: number, portOf: (service: string) => number | undefined): Place => ({
    port,
    given: common,
    address: (standIn) => `127.0.0.1:${portOf(standIn) ?? CLOSED_PORT}`,
    kept: (name) => folder.kept(name),
    brings: (need) => config.brought.has(need),
    issuer: options.issuer ?? { url: '', publicKeyFile: '' },
  })
  const broughtFor = (needs: readonly Need[]) => needs.filter((need) => config.brought.has(need))

  const standIns = Object.entries(system.standIns)
    .filter(([name]) => name in config.ports)
    .map(([name, { main, env }]) => ({
      name,
      main: join(root, main),
      cwd,
      needs: [],
      port: config.ports[name] ?? 0,
      hasHealth: false,
      env: (port: number) => ({ ...common, PORT: String(port), ...env?.(placeOf(port, () => undefined)) }),
    }))
  const apps = Object.entries(system.apps).map(([name, { needs = [], env }]) => ({
    name,
    main: join(root, 'apps', name, 'src/main.ts'),
    cwd: join(root, 'apps', name),
    needs: broughtFor(needs).flatMap(({ standIn }) => standIn ?? []),
    port: config.ports[name] ?? 0,
    hasHealth: true,
    env(port: number, portOf: (service: string) => number | undefined): Env {
      const place = placeOf(port, portOf)
      const met = broughtFor(needs).map((need) => need.local(place))
      return Object.assign({ ...common }, ...met, env?.(place), { PORT: String(port) })
    },
  }))
  return [...standIns, ...apps]
}
