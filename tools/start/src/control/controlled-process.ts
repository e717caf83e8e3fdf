import { type ConfiguredVariable, readConfiguration } from '../configurations/configured-variables.ts'
import type { ManagedProcess } from '../supervisor/managed-process.ts'
import { shownState } from '../supervisor/process-status.ts'
import type { ControlAction, ControlDeps, ControlledProcess, ShownStatus } from './control-answers.ts'

export async function shownStatuses(
  processes: readonly ControlledProcess[],
  { askFailing }: Pick<ControlDeps, 'askFailing'>,
): Promise<ShownStatus[]> {
  const failing = await askFailing(processes.map(({ process }) => process.name))
  return processes.map(({ process: { status }, description: { kind } }) => {
    const down = failing[status.name] ?? []
    const state = shownState(status, down.length > 0 ? [status.name] : [])
    return { ...status, kind, state, failing: state === 'not ready' ? down : [] }
  })
}

/** Does it, and gives the reason when it cannot be done. */
export async function act(process: ManagedProcess, action: ControlAction): Promise<string | undefined> {
  if (action === 'kill') {
    return (await process.killOnce()) ? undefined : `${process.name} does not run, and so it cannot be killed`
  }
  if (action !== 'start') await process.stop()
  if (action !== 'stop') await process.start()
  return undefined
}

/** Reads configurations, each once at a time, however many ask: it takes a process. */
export type ConfigurationOf = (controlled: ControlledProcess) => Promise<readonly ConfiguredVariable[]>

export function createConfigurationOf(): ConfigurationOf {
  const reading = new Map<string, Promise<readonly ConfiguredVariable[]>>()
  return (controlled) => {
    const { process, description } = controlled
    const { name } = process
    const read = reading.get(name) ?? readConfiguration({ ...description, name, layers: controlled.layers() })
    reading.set(name, read)
    const forget = () => void reading.delete(name)
    read.then(forget, forget)
    return read
  }
}
