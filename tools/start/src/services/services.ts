import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Env } from '@taproom/service'
import { type Need, needsOf, type Place, type System } from '@taproom/system'
import { type EnvironmentLayer, environmentOf } from './environment.ts'
import { commonLayers } from './service-environment.ts'
import { appFolder, mainFile } from './system-files.ts'
import type { DescribeOptions } from './system-options.ts'

/** The console is of no system, and beside all of them. */
export type ProcessKind = 'app' | 'stand-in' | 'console'

export interface ServiceDescription {
  readonly name: string
  readonly kind: ProcessKind
  readonly main: string
  readonly cwd: string
  /** Names of the services that must be ready before. */
  readonly needs: readonly string[]
  /** 0 is any free port. */
  readonly port: number
  readonly hasHealth: boolean
  /** File URL of a module whose `readConfig` reads its environment. */
  readonly config?: string
  /** Its environment, given its port and the ports of the services that it needs. */
  layers(port: number, portOf: (service: string) => number | undefined): readonly EnvironmentLayer[]
}

/** Stands for a stand-in that could not start. Nothing listens there: apps that need it still start, and report their other problems. */
const CLOSED_PORT = 9

/** Every process of the system. Each gets the caller's environment; for needs not configured there, the address of what is brought. */
export function describeServices(options: DescribeOptions): ServiceDescription[] {
  const { system, files, config, cwd } = options
  const common = commonLayers(options)
  const standIns = Object.entries(system.standIns)
    .filter(([name]) => name in config.ports)
    .map(
      ([name, { main, env }]): ServiceDescription => ({
        name,
        kind: 'stand-in',
        main: mainFile(main, files),
        cwd,
        needs: [],
        port: config.ports[name] ?? 0,
        hasHealth: false,
        layers(port) {
          const place = placeOf(options, { name, port, portOf: () => undefined })
          return [...common, ofStart({ PORT: String(port), ...controlOf(options) }), ofStart(env?.(place) ?? {})]
        },
      }),
    )
  const apps = Object.entries(system.apps).map(
    ([name, { main, needs = [], env, config: hasConfig }]): ServiceDescription => ({
      name,
      kind: 'app',
      main: main === undefined ? join(appFolder(name, files), 'src/main.ts') : mainFile(main, files),
      cwd: main === undefined ? appFolder(name, files) : files.root,
      needs: broughtFor(needs, options).flatMap(({ standIn }) => standIn ?? []),
      port: config.ports[name] ?? 0,
      hasHealth: true,
      ...(hasConfig !== undefined && { config: pathToFileURL(join(appFolder(name, files), 'src/config.ts')).href }),
      layers(port, portOf) {
        const place = placeOf(options, { name, port, portOf })
        const met = broughtFor(needs, options).map((need) => ofStart(need.local(place)))
        return [...common, ...met, { from: 'system', variables: env?.(place) ?? {} }, ofStart({ PORT: String(port) })]
      },
    }),
  )
  return [...standIns, ...apps]
}

/** In development mode stand-ins take faults, unless variables say otherwise. */
function controlOf({ config, env }: DescribeOptions): Env {
  if (config.mode !== 'development') return {}
  const { STANDIN_CONTROL_ENABLED, KAFKA_CONTROL_PORT } = env
  return {
    STANDIN_CONTROL_ENABLED: STANDIN_CONTROL_ENABLED || 'true',
    KAFKA_CONTROL_PORT: KAFKA_CONTROL_PORT || '0',
  }
}

/** The console's process, with variables of its own. It is led to the system's Kafka. */
export function describeConsole(options: DescribeOptions, port: number, own: Env): ServiceDescription {
  const kafka = kafkaNeedOf(options.system)
  const name = 'console'
  return {
    name,
    kind: 'console',
    main: mainFile('@taproom/console/main', options.files),
    cwd: options.cwd,
    needs: [],
    port,
    hasHealth: false,
    layers(_port, portOf) {
      const place = placeOf(options, { name, port, portOf })
      const met = broughtFor(kafka === undefined ? [] : [kafka], options).map((need) => ofStart(need.local(place)))
      return [...commonLayers(options), ...met, ofStart({ ...own, PORT: String(port) })]
    },
  }
}

/** The need whose variable says where Kafka is; undefined in a system without Kafka. */
export function kafkaNeedOf(system: System): Need | undefined {
  return needsOf(system).find(({ variables }) => variables.includes('kafka.bootstrap.servers'))
}

interface PlaceOf extends Pick<Place, 'name' | 'port'> {
  portOf(service: string): number | undefined
}

function placeOf(options: DescribeOptions, { portOf, ...of }: PlaceOf): Place {
  const { system, config, folder, issuer } = options
  return {
    ...of,
    gateway: options.gateway(),
    given: environmentOf(commonLayers(options)),
    address(standIn) {
      const known = Object.keys(system.standIns)
      if (known.includes(standIn)) return `127.0.0.1:${portOf(standIn) ?? CLOSED_PORT}`
      throw new RangeError(
        `system: address of "${standIn}": expected a stand-in: ${known.join(', ') || 'there are none'}`,
      )
    },
    kept: (name) => folder.kept(name),
    brings: (need) => config.brought.has(need),
    issuer: issuer ?? { url: '', publicKeyFile: '' },
  }
}

function broughtFor(needs: readonly Need[], { config }: DescribeOptions): readonly Need[] {
  return needs.filter((need) => config.brought.has(need))
}

function ofStart(variables: Env): EnvironmentLayer {
  return { from: 'start', variables }
}
