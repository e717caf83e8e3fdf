import type { Signal } from '@preact/signals'

export function setter<T>(signal: Signal<T>): (value: T) => void {
  return (value) => {
    signal.value = value
  }
}
