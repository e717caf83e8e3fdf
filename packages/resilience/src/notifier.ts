import type { Event } from 'cockatiel'

/** cockatiel's event, except that a listener that throws affects neither the observed call nor other listeners. */
export function createNotifier<T>() {
  const listeners = new Set<{ readonly call: (value: T) => void }>()
  const on: Event<T> = (call) => {
    const entry = { call }
    listeners.add(entry)
    return { dispose: () => void listeners.delete(entry) }
  }
  return {
    on,
    emit(value: T): void {
      for (const { call } of listeners) {
        try {
          call(value)
        } catch (error) {
          process.emitWarning(`a fault tolerance listener threw: ${String(error)}`, 'ResilienceWarning')
        }
      }
    },
  }
}
