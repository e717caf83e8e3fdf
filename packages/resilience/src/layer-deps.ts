import type { GuardEvent } from './guard-event.ts'
import type { Clock } from './layer.ts'

/** What a guard gives each of its policies. */
export interface LayerDeps {
  readonly name: string
  readonly now: Clock
  readonly random: () => number
  readonly emit: (event: GuardEvent) => void
}
