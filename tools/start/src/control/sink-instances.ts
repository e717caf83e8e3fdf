import { isJsonObject, parseJson } from '@taproom/core/limits'
import type { ControlAction, ControlDeps, EndedSink } from './control-answers.ts'

/** The messages of event-platform about an instance. */
const RUNNING = 'sink instance running'
const ENDED: readonly unknown[] = ['sink instance stopped', 'sink instance crashed']
const COMMON = '"sink instance '

/** How an instance is ended; event-platform starts the next one. */
const SIGNALS: Readonly<Partial<Record<ControlAction, NodeJS.Signals>>> = { restart: 'SIGTERM', kill: 'SIGKILL' }

export type SinkInstances = ReturnType<typeof followSinkInstances>

/** The instances of sinks that run, by what event-platform writes. */
export function followSinkInstances({ facts: { platform }, logs, onChange }: ControlDeps) {
  const running = new Map<number, string>()
  const lines = logs.follow(({ json }) => {
    if (platform === undefined || !json.includes(COMMON)) return
    const line = parseJson(json)
    if (!isJsonObject(line) || line['service'] !== platform) return
    const { msg, sink, pid } = line
    if (typeof pid !== 'number' || typeof sink !== 'string') return
    if (msg === RUNNING) running.set(pid, sink)
    else if (ENDED.includes(msg)) running.delete(pid)
  })
  const changes = onChange(({ name, state }) => {
    // Instances end with event-platform.
    if (name === platform && state !== 'ready') running.clear()
  })
  return {
    /** Names of sinks with an instance. */
    names: () => [...new Set(running.values())],
    /**
     * Ends the instances of a sink, by its name with or without the namespace: undefined where none runs, the reason where the action is not
     * for sinks, or the name is that of several.
     */
    end(wanted: string, action: ControlAction): EndedSink | { readonly refusal: string } | undefined {
      const own = [...running].filter(([, sink]) => sink === wanted || sink.split('/')[1] === wanted)
      const [first] = own
      if (first === undefined) return undefined
      const [, name] = first
      const names = [...new Set(own.map(([, sink]) => sink))]
      if (names.length > 1) return { refusal: `${wanted} is the name of ${names.join(' and ')}: expected one of these` }
      const signal = SIGNALS[action]
      if (signal === undefined) {
        return {
          refusal: `${name} is a sink, which event-platform starts and stops as events come: expected restart or kill`,
        }
      }
      const pids = own.map(([pid]) => pid)
      return { name, instances: pids.filter((pid) => isSent(pid, signal)).length }
    },
    [Symbol.dispose]() {
      lines[Symbol.dispose]()
      changes[Symbol.dispose]()
    },
  }
}

/** False where the instance has ended meanwhile. */
function isSent(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
