import type { AttributeValue } from '../api/traces.ts'
import type { Reading } from './reading.ts'
import { type DraftAttributes, setAttribute } from './span-draft.ts'

/** Collects the attributes of a span, an event, a link or a resource. Attributes beyond the limits are counted and left out. */
export class AttributesDraft {
  readonly values: DraftAttributes = {}
  /** The number of attributes left out, by the sender and here. */
  dropped = 0
  #count = 0

  /** True: the caller reads one more attribute. False: the attribute is counted as dropped, and the caller skips it. */
  takes(reading: Reading): boolean {
    if (reading.takesOne(this.#count)) {
      this.#count += 1
      return true
    }
    this.dropped += 1
    return false
  }

  /** Sets an attribute. `cutBefore`: `reading.cut` before its value was read; a value that was cut is dropped. */
  set(name: string, value: AttributeValue, reading: Reading, cutBefore: number): void {
    if (reading.cut > cutBefore) this.dropped += 1
    else setAttribute(this.values, name, value)
  }

  /** The members `attributes` and `droppedAttributes` of a span, event or link. */
  get members(): { readonly attributes: DraftAttributes; readonly droppedAttributes?: number } {
    const { values: attributes, dropped } = this
    return dropped > 0 ? { attributes, droppedAttributes: dropped } : { attributes }
  }
}
