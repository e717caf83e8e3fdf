import type { Event } from 'cockatiel'

export interface Notifier<T> {
  readonly on: Event<T>
  emit(value: T): void
}

/** cockatiel's event, except that a listener that throws affects neither the observed call nor other listeners. */
export function createNotifier<T>(): Notifier<T> {
  const listeners = new Set<{ readonly call: (value: T) => void }>()
  return {
    on(call) {
      const entry = { call }
      listeners.add(entry)
      return { dispose: () => void listeners.delete(entry) }
    },
    emit(value) {
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
