import { pause } from '@taproom/core/time'
import type { Random } from '../../harness/random.ts'

/** Orders whose outcome their customers know, and the answers that they got meanwhile. */
export interface Placed {
  /** Ids that were answered 201 or 200. */
  readonly committed: Set<string>
  /** Ids that were answered 422. */
  readonly rolledBack: Set<string>
  /** How often a request got another answer, or none. */
  readonly refusals: Record<string, number>
}

export interface CustomerOptions {
  /** The instances of the shop. */
  readonly urls: readonly string[]
  readonly random: Random
  /** The time from one order to the next. */
  readonly everyMs: number
  readonly placed: Placed
  /** Aborts when no more orders are to be placed. */
  readonly over: AbortSignal
  /** Aborts when the run gives up. */
  readonly signal: AbortSignal
}

const TIMEOUT_MS = 15_000
const AGAIN_MS = 50
const WRONG_EACH = 5

/** Places one order after another, each until its outcome is known. Every fifth is wrong: the shop rolls it back. */
export async function placeOrders(customer: string, options: CustomerOptions): Promise<void> {
  const { everyMs, over, signal } = options
  for (let order = 1; !over.aborted && !signal.aborted; order += 1) {
    const id = `${customer}-${order}`
    const path = `customers/${customer}/orders/${id}${order % WRONG_EACH === 0 ? '?wrong' : ''}`
    const nextAt = performance.now() + everyMs
    while (!signal.aborted && !(await isPlaced(id, path, options))) await pause(AGAIN_MS, signal)
    await pause(Math.max(0, nextAt - performance.now()), over)
  }
}

/** Sends an order to one of the instances; false when its outcome is unknown. */
async function isPlaced(id: string, path: string, { urls, random, placed, signal }: CustomerOptions): Promise<boolean> {
  const status = await put(`${random.pick(urls)}/${path}`, signal)
  const outcome = status === 201 || status === 200 ? placed.committed : status === 422 ? placed.rolledBack : undefined
  outcome?.add(id)
  if (outcome !== undefined) return true
  const name = String(status ?? 'no answer')
  placed.refusals[name] = (placed.refusals[name] ?? 0) + 1
  return false
}

async function put(url: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await fetch(url, { method: 'PUT', signal: limit })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}
