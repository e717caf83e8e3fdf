import { byId, element, place, svgElement, writeStatus } from './dom.js'

/** How often the page reads the report. */
export const EVERY_MS = 2000

const KEPT_MS = 180_000
const KEPT_CHANGES = 50

/** @typedef {{ at: number, status: string }} Answer */

/**
 * The answers of the last three minutes for each check.
 *
 * @type {Map<string, Answer[]>}
 */
const heard = new Map()
/**
 * The state of each check and since when; the first one seen may have begun earlier.
 *
 * @type {Map<string, Answer & { isExact: boolean }>}
 */
const since = new Map()
/**
 * Changes of state while the page was open, newest first.
 *
 * @type {(Answer & { title: string })[]}
 */
const changes = []

/** Records an answer, and the change of state if there is one. */
export function remember(/** @type {string} */ key, /** @type {string} */ title, /** @type {Answer} */ { at, status }) {
  const kept = (heard.get(key) ?? []).filter((answer) => answer.at > at - KEPT_MS)
  kept.push({ at, status })
  heard.set(key, kept)
  const known = since.get(key)
  if (known?.status === status) return
  since.set(key, { status, at, isExact: known !== undefined })
  if (known === undefined) return
  changes.unshift({ at, title, status })
  changes.length = Math.min(changes.length, KEPT_CHANGES)
}

/** Joins consecutive answers of the same status into one stretch of time; each answer covers the time since the one before. */
function stretches(/** @type {readonly Answer[]} */ answers) {
  /** @type {{ status: string, from: number, to: number }[]} */
  const found = []
  for (const { at, status } of answers) {
    const last = found.at(-1)
    if (last?.status === status && at - last.to < 2 * EVERY_MS) last.to = at
    else found.push({ status, from: Math.max(at - EVERY_MS, last?.to ?? 0), to: at })
  }
  return found
}

export function makeTimeline() {
  const viewBox = `0 0 ${KEPT_MS / 1000} 10`
  return svgElement('svg', { class: 'timeline', viewBox, preserveAspectRatio: 'none', role: 'img' })
}

export function drawTimeline(/** @type {Element} */ svg, /** @type {string} */ key, /** @type {number} */ now) {
  const answers = heard.get(key) ?? []
  const down = answers.filter(({ status }) => status !== 'UP').length
  svg.setAttribute('aria-label', `${down} of the last ${answers.length} answers were DOWN`)
  const bars = stretches(answers).map(({ status, from, to }) => {
    const x = Math.max(0, (from - now + KEPT_MS) / 1000)
    const width = Math.max(0, (to - now + KEPT_MS) / 1000 - x)
    return svgElement('rect', { x, width, height: 10, class: status === 'UP' ? 'up' : 'down' })
  })
  svg.replaceChildren(...bars)
}

/** How long a check has been down; at least that long if it was down when the page opened. */
export function downFor(/** @type {string} */ key, /** @type {number} */ now) {
  const known = since.get(key)
  if (known === undefined || known.status === 'UP') return ''
  const seconds = Math.round((now - known.at) / 1000)
  const long = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`
  return known.isExact ? `down for ${long}` : `down for ${long} or longer`
}

/** @type {Answer | undefined} */
let drawnChange

export function drawChanges() {
  if (changes.length === 0 || changes[0] === drawnChange) return
  drawnChange = changes[0]
  const rows = changes.map(({ at, title, status }) => {
    const row = element('li', 'change')
    const state = element('span', 'status')
    writeStatus(state, status)
    const time = element('time', '', new Date(at).toLocaleTimeString())
    time.dateTime = new Date(at).toISOString()
    row.append(time, state, element('span', '', title))
    return row
  })
  place(byId('change-list'), rows)
  byId('changes').hidden = false
}
