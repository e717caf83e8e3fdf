import type { Eventing } from '../api/eventing.ts'
import type { ServiceView, SinkView } from '../api/services.ts'
import type { SinkInstances } from './sink-instances.ts'

/** Sinks as people see them: those of the resource API, with the processes that run for them. */
export function sinkViews(
  sinks: Eventing['sinks'],
  processes: readonly ServiceView[],
  known: SinkInstances,
): readonly SinkView[] {
  const running = processes.filter(({ kind }) => kind === 'sink')
  const pids = new Set(running.flatMap(({ pid = 0 }) => pid))
  known.update(pids, new Set(sinks.map(fullName)))
  return sinks.map((sink) => {
    const { namespace, name, ready, reason, message, app, revision, wanted } = sink
    const isOnlyOne = sinks.filter((other) => other.app === app).length === 1
    const instances = running.flatMap(({ name: process, pid = 0 }) => {
      const instance = known.instance(pid)
      // A process whose line has not come, or has been forgotten, belongs to the only sink of its app.
      const isOfSink = instance === undefined ? isOnlyOne && process === app : instance.sink === fullName(sink)
      return isOfSink ? [{ pid, revision: instance?.revision ?? revision }] : []
    })
    const lastCrash = known.lastCrash(fullName(sink), app)
    return {
      ...{ namespace, name, app, revision, state: stateOf(ready, instances.length, wanted), instances },
      ...(ready !== 'True' && { reason: message ?? reason ?? 'its state is not known' }),
      ...(lastCrash !== undefined && { lastCrash }),
    }
  })
}

function stateOf(ready: string, instances: number, wanted: number): SinkView['state'] {
  if (ready === 'False') return 'not ready'
  if (instances > 0) return 'ready'
  return wanted > 0 ? 'starting' : 'asleep'
}

function fullName({ namespace, name }: Pick<SinkView, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}
