import { FilterError } from '../errors.ts'
import { CesqlError } from './cesql-values.ts'

/** Dialects, and attributes in them. */
const MOST_PARTS = 1000
/** Steps of all expressions for each character of an attribute, of which an event may have 12 KiB. */
const MOST_STEPS = 512

/** Bounds what one trigger's filter costs each event; counted while the filter is read. */
export class FilterBudget {
  #parts = 0
  #steps = 0

  /** @throws {FilterError} when there are more than 1000 */
  countPart(): void {
    this.#parts += 1
    if (this.#parts > MOST_PARTS) {
      throw new FilterError('filters', `must not have more than ${MOST_PARTS} dialects and attributes in all`)
    }
  }

  /** @throws {CesqlError} when there are more than 512 */
  countSteps(steps: number): void {
    this.#steps += steps
    if (this.#steps > MOST_STEPS) {
      const each = 'a call of a function counts 10, a LIKE one for each character of its pattern from the first % on'
      throw new CesqlError('parse', `more work than ${MOST_STEPS} steps for each character of an attribute: ${each}`)
    }
  }
}
