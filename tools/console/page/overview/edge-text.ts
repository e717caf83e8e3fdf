import type { PictureEdge } from '../../src/api/system.ts'
import { nextTry } from '../breakers/breakers.tsx'
import { count, duration, rate } from '../pieces/format.ts'

/** `120K`, `0.7`: there is little room. */
const COMPACT = new Intl.NumberFormat('en', {
  ...{ notation: 'compact', maximumSignificantDigits: 2, maximumFractionDigits: 1, roundingPriority: 'lessPrecision' },
})

/** Class of an edge whose breaker is not closed, or whose calls a fallback answers. */
export function guardClass({ breaker, fallbackRate = 0 }: PictureEdge): string {
  return fallbackRate > 0 || (breaker !== undefined && breaker.state !== 'closed') ? 'fallback' : ''
}

/** Lines of text beside an edge. */
export function labelOf(edge: PictureEdge): string[] {
  const { rate: perSecond, errorRate, lag, p95Ms } = edge
  const guarded = guardLabel(edge)
  if (guarded.length > 0) return guarded
  const first = perSecond === 0 ? [] : [rate(perSecond)]
  if (errorRate > 0) return [...first, `${COMPACT.format(errorRate)} fail`]
  if (lag !== undefined && lag.count > 0)
    // `lag 3` and `lag≤3` are equally long: there is room for no more.
    return [...first, `lag${lag.isExact ? ' ' : '≤'}${COMPACT.format(lag.count)}`]
  return p95Ms === undefined || perSecond === 0 ? first : [...first, duration(p95Ms)]
}

/** The same as `guardTexts`, short enough to fit beside the edge. */
function guardLabel({ breaker, fallbackRate = 0 }: PictureEdge): string[] {
  const wait = breaker?.retryAt === undefined ? '' : ` ${duration(Math.max(0, breaker.retryAt - Date.now()))}`
  const state = breaker === undefined || breaker.state === 'closed' ? [] : [`${breaker.state}${wait}`]
  return [...state, ...(fallbackRate > 0 ? [`${rate(fallbackRate)} fallback`] : [])]
}

/** The state of a breaker that is not closed with the time until the next try, and answers by the fallback. */
function guardTexts({ breaker, fallbackRate = 0 }: PictureEdge): string[] {
  const isClosed = breaker === undefined || breaker.state === 'closed'
  const state = isClosed ? [] : [`breaker ${[breaker.state, nextTry(breaker)].filter(Boolean).join(', ')}`]
  return [...state, ...(fallbackRate > 0 ? [`${rate(fallbackRate)} by fallback`] : [])]
}

/** Everything known of an edge, in words. */
export function tellEdge(edge: PictureEdge): string {
  const { from, to, state, rate: perSecond, errorRate, lag, p95Ms } = edge
  const parts = [`${nameOf(from)} to ${nameOf(to)}: ${perSecond === 0 ? 'no calls' : rate(perSecond)}`]
  if (state !== 'open') parts.push(state)
  if (errorRate > 0) parts.push(`${rate(errorRate)} fail`)
  parts.push(...guardTexts(edge))
  if (p95Ms !== undefined) parts.push(`p95 ${duration(p95Ms)}`)
  if (lag !== undefined) parts.push(`lag ${lag.isExact ? '' : 'at most '}${count(lag.count, 'record')}`)
  return parts.join(', ')
}

/** `orders` of `service/orders`. */
export function nameOf(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}
