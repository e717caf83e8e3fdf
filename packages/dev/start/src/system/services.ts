import { join } from 'node:path'
import type { Env } from '@taproom/service'
import type { Need, Place } from '@taproom/system'
import { REPOSITORY } from './repository.ts'
import { commonEnvironment } from './service-environment.ts'
import type { DescribeOptions } from './system-options.ts'

export interface ServiceDescription {
  readonly name: string
  readonly main: string
  readonly cwd: string
  /** Names of the services that must be ready before. */
  readonly needs: readonly string[]
  /** 0 is any free port. */
  readonly port: number
  readonly hasHealth: boolean
  /** Its environment, given its port and the ports of the services that it needs. */
  env(port: number, portOf: (service: string) => number | undefined): Env
}

/** Stands for a stand-in that could not start. Nothing listens there: apps that need it still start, and report their other problems. */
const CLOSED_PORT = 9

/** Every process that runs here. Each gets the caller's environment; for needs not configured there, the address of what is brought. */
export function describeServices(options: DescribeOptions): ServiceDescription[] {
  const { system, config, folder, cwd } = options
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
      main: join(REPOSITORY, main),
      cwd,
      needs: [],
      port: config.ports[name] ?? 0,
      hasHealth: false,
      env: (port: number) => ({ ...common, PORT: String(port), ...env?.(placeOf(port, () => undefined)) }),
    }))
  const apps = Object.entries(system.apps).map(([name, { needs = [], env }]) => ({
    name,
    main: join(REPOSITORY, 'apps', name, 'src/main.ts'),
    cwd: join(REPOSITORY, 'apps', name),
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
