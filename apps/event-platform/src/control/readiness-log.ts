import type { Log } from '@taproom/core/lines'
import { findCondition } from '../resources/conditions.ts'
import { type KubeObject, namespacedName, nameText } from '../resources/object.ts'
import { keyOf, keyText, type ResourceChange, type ResourceStore } from '../resources/resource-store.ts'

interface Watched {
  /** The reason and generation last logged. */
  logged?: string
  timer?: NodeJS.Timeout
}

/**
 * Warns when an object has been not Ready for `delayMs`, once for each reason and version of its specification. Unknown (still starting) is
 * not logged, nor is a shorter failure, as between the objects of one file.
 */
export function logReadiness(options: {
  readonly store: ResourceStore
  readonly log: Pick<Log, 'warn'>
  /** Default 1000. */
  readonly delayMs?: number
}): Disposable {
  const { store, log, delayMs = 1000 } = options
  const objects = new Map<string, Watched>()

  const forget = (key: string) => {
    clearTimeout(objects.get(key)?.timer)
    objects.delete(key)
  }
  const report = (change: ResourceChange, watched: Watched) => {
    delete watched.timer
    const object = store.get(keyOf(change.object))
    const problem = object && problemOf(object)
    if (object === undefined || problem === undefined || problem.id === watched.logged) return
    watched.logged = problem.id
    const { reason, message } = problem
    log.warn({ object: `${object.kind} ${nameText(namespacedName(object))}`, reason, message }, 'object not ready')
  }
  const unsubscribe = store.subscribe((change) => {
    const key = keyText(keyOf(change.object))
    const problem = change.type === 'DELETED' ? undefined : problemOf(change.object)
    if (problem === undefined) return forget(key)
    const watched = objects.get(key) ?? {}
    objects.set(key, watched)
    if (problem.id !== watched.logged) watched.timer ??= setTimeout(() => report(change, watched), delayMs)
  })
  return {
    [Symbol.dispose]() {
      unsubscribe()
      for (const key of objects.keys()) forget(key)
    },
  }
}

function problemOf(object: KubeObject) {
  const { status, reason, message } = findCondition(object, 'Ready') ?? {}
  if (status !== 'False') return undefined
  return { id: `${reason} ${object.metadata.generation}`, reason, message }
}
