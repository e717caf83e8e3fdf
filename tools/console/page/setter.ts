import type { Signal } from '@preact/signals'

/** A callback that gives a signal its value. */
export function setter<T>(signal: Signal<T>): (value: T) => void {
  return (value) => {
    signal.value = value
  }
}
