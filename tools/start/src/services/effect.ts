import { stateFolder } from '../state/state-folder.ts'
import { environmentOf } from './environment.ts'
import { describeServices } from './services.ts'
import type { SystemOptions } from './system-options.ts'

/**
 * All of a description that shows in what `pnpm start` runs, but for the manifests of its sinks, as a text: descriptions with the same one
 * run alike. Functions count by what they return.
 */
export function effectOf(given: Pick<SystemOptions, 'system' | 'files' | 'config' | 'env' | 'cwd'>): string {
  const { system, config } = given
  const folder = stateFolder(config.stateDir, system.keeps)
  const issuer = { url: config.issuers[0] ?? '', publicKeyFile: folder.keys }
  const services = describeServices({ ...given, folder, issuer, tracesTo: undefined, gateway: () => 'gateway' })
  const standIns = Object.keys(system.standIns)
  return JSON.stringify({
    name: system.name,
    keeps: system.keeps,
    bundle: system.bundle,
    issuers: config.issuers,
    paths: Object.entries(system.apps).map(([name, { serves, links }]) => ({ name, serves, links })),
    // Each stand-in has a number of its own for a port.
    services: services.map((service) => ({
      ...service,
      env: environmentOf(service.layers(0, (name) => standIns.indexOf(name))),
    })),
    // The sources of these apps are watched.
    sinkApps: [...new Set(Object.values(system.sinks).map(({ app }) => app))].toSorted(),
    tryIt: system.tryIt('', ''),
  })
}
