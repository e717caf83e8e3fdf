import { createDevIssuer } from '@taproom/jwt/testing'
import { hasDevelopmentKey } from '../config.ts'
import { consoleUrl } from '../console/chosen-console.ts'
import type { ControlledProcess } from '../control/control-answers.ts'
import { environmentOf } from '../services/environment.ts'
import { describeConsole, describeServices, type ServiceDescription } from '../services/services.ts'
import type { DescribeOptions, SystemOptions } from '../services/system-options.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { ManagedProcess } from '../supervisor/managed-process.ts'
import type { ProcessStatus } from '../supervisor/process-status.ts'
import { Spare } from '../supervisor/spare.ts'
import { systemBundles } from './system-bundles.ts'

export interface SystemProcess extends ControlledProcess {
  readonly description: ServiceDescription
}

export type SystemProcesses = Awaited<ReturnType<typeof createProcesses>>

export interface ProcessSurroundings
  extends Record<'answered' | 'readinessUp', (service: string) => Promise<unknown>>,
    Pick<DescribeOptions, 'gateway'> {
  readonly folder: StateFolder
  readonly controlPath: string
}

export async function createProcesses(
  given: SystemOptions,
  { folder, controlPath, answered, readinessUp, gateway }: ProcessSurroundings,
) {
  const { system, files, config, env, cwd, console, logs, inspectPorts, onChange } = given
  const [issuerUrl] = config.issuers
  const key = hasDevelopmentKey(config)
    ? await createDevIssuer({ folder: folder.keys, ...(issuerUrl !== undefined && { issuer: issuerUrl }) })
    : undefined
  const issuer = key && { url: key.issuer, publicKeyFile: key.publicKeyFile ?? '' }
  const tracesTo = console && consoleUrl(console)
  const options: DescribeOptions = { system, files, config, env, cwd, folder, issuer, tracesTo, gateway }
  const spare = new Spare(files.root)
  const watchers = new Set<(status: ProcessStatus) => void>()
  const portOf = (name: string) => services.find(({ process }) => process.name === name)?.process.status.port

  const make = (description: ServiceDescription, isOfSystem: boolean): SystemProcess => {
    const { name, port } = description
    const process = new ManagedProcess({
      ...{ name, port, main: description.main, cwd: description.cwd, config: description.config },
      ...(bundles && { bundle: () => bundles.mainOf(name), sourcePlaces: bundles.sourcePlaces }),
      inspectPort: inspectPorts[name],
      spare,
      ...(isOfSystem && { answered: () => answered(name), readinessUp: () => readinessUp(name) }),
      env: (actual) => environmentOf(description.layers(actual, portOf)),
      onLine: (line) => logs.write(line),
      onChange(status) {
        if (isOfSystem) onChange(status)
        for (const changed of watchers) changed(status)
      },
    })
    return { process, description, layers: () => description.layers(process.status.port ?? port, portOf) }
  }

  const own = console && { CONSOLE_SECRET: console.session, CONSOLE_CONTROL_SOCKET: controlPath }
  const described = describeServices(options)
  const consoleDescribed = own && describeConsole(options, console.port, own)
  const bundles = await systemBundles(given, [
    ...described,
    ...(consoleDescribed === undefined ? [] : [consoleDescribed]),
  ])
  const services: readonly SystemProcess[] = described.map((description) => make(description, true))
  return {
    services,
    console: consoleDescribed && make(consoleDescribed, false),
    spare,
    /** Calls back at each change of a process, until it is disposed of. */
    onChange(changed: (status: ProcessStatus) => void): Disposable {
      watchers.add(changed)
      return { [Symbol.dispose]: () => void watchers.delete(changed) }
    },
  }
}
