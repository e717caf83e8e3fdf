import type { AttributeValue } from '../api/traces.ts'
import type { Reading } from './reading.ts'
import { type DraftAttributes, setAttribute } from './span-draft.ts'

/** The attributes of a span, an event, a link or a resource while they are read: those beyond the limits are counted and left out. */
export class AttributesDraft {
  readonly values: DraftAttributes = {}
  /** With those that the sender has dropped. */
  dropped = 0
  #count = 0

  /** Whether one more is to be read; else it is counted as dropped. */
  takes(reading: Reading): boolean {
    if (reading.takesOne(this.#count)) {
      this.#count += 1
      return true
    }
    this.dropped += 1
    return false
  }

  /** Sets an attribute, unless a part of its value was left out since `reading` had cut so many. */
  set(name: string, value: AttributeValue, reading: Reading, cutBefore: number): void {
    if (reading.cut > cutBefore) this.dropped += 1
    else setAttribute(this.values, name, value)
  }

  /** As members of what has them. */
  get members(): { readonly attributes: DraftAttributes; readonly droppedAttributes?: number } {
    const { values: attributes, dropped } = this
    return dropped > 0 ? { attributes, droppedAttributes: dropped } : { attributes }
  }
}
