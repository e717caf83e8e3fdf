import { computed, signal } from '@preact/signals'

/** State of the view's data: `paused` by a person or while the tab is hidden, `lost` while the console does not answer. */
export type Connection = 'updating' | 'paused' | 'lost'

const states = signal<ReadonlyMap<object, Connection>>(new Map())

/** The one state that the header shows: the worst of everything that the page reads at the moment. */
export const connection = computed<Connection>(() => {
  const all = new Set(states.value.values())
  return all.has('lost') ? 'lost' : all.has('paused') ? 'paused' : 'updating'
})

/** Reports the state of one source of data, until it is closed. */
export function reportConnection() {
  const source = {}
  return {
    set(state: Connection): void {
      if (states.peek().get(source) !== state) states.value = new Map(states.peek()).set(source, state)
    },
    close(): void {
      const others = new Map(states.peek())
      if (others.delete(source)) states.value = others
    },
  }
}
