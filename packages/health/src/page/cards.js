import { element, place, write, writeStatus } from './dom.js'
import { downFor, drawTimeline, makeTimeline, remember } from './history.js'

/** @typedef {import('./models.js').Card} Card */
/** @typedef {import('./models.js').Row} Row */
/** @typedef {ReturnType<typeof makeCard>} DrawnCard */
/** @typedef {ReturnType<typeof makeRow>} DrawnRow */

/** @type {Map<string, DrawnCard>} */
const drawnCards = new Map()

/**
 * Draws these cards and forgets all others.
 *
 * @param {Element} grid
 * @param {readonly Card[]} cards
 * @param {number} now
 */
export function drawCards(grid, cards, now) {
  forgetOthers(drawnCards, cards)
  place(
    grid,
    cards.map((card) => drawCard(card, now)),
  )
}

/**
 * @param {Map<string, unknown>} drawn
 * @param {readonly { readonly key: string }[]} current
 */
function forgetOthers(drawn, current) {
  for (const key of drawn.keys()) if (!current.some((model) => model.key === key)) drawn.delete(key)
}

/** @param {Card} card */
function makeCard({ name }) {
  const card = element('section', 'card')
  const heading = element('h2', '', name)
  heading.id = `card-${drawnCards.size}`
  card.setAttribute('aria-labelledby', heading.id)
  const top = element('header')
  const list = element('ul')
  const note = element('p', 'note')
  const state = element('span', 'status')
  const timeline = makeTimeline()
  top.append(heading, state)
  card.append(top, timeline, note, list)
  /** @type {Map<string, DrawnRow>} */
  const rows = new Map()
  return { card, list, note, state, timeline, rows }
}

function drawCard(/** @type {Card} */ model, /** @type {number} */ now) {
  const drawn = drawnCards.get(model.key) ?? makeCard(model)
  drawnCards.set(model.key, drawn)
  const key = `card ${model.key}`
  drawn.card.dataset['status'] = model.status
  remember(key, model.name, { at: now, status: model.status })
  writeStatus(drawn.state, model.status)
  write(drawn.note, model.note && `${model.note}, ${downFor(key, now)}`)
  drawTimeline(drawn.timeline, key, now)
  place(
    drawn.list,
    model.rows.map((row) => drawRow(drawn.rows, row, { now, service: model.service })),
  )
  forgetOthers(drawn.rows, model.rows)
  return drawn.card
}

/** @param {Row} row */
function makeRow(row) {
  const hasData = row.data !== undefined
  const item = element('li')
  const body = element(hasData ? 'details' : 'div')
  const top = element(hasData ? 'summary' : 'div', 'row')
  const what = element('span', 'what')
  const state = element('span', 'status')
  const ago = element('span', 'ago')
  const data = element('dl')
  const timeline = makeTimeline()
  what.append(element('span', 'name', row.name), ' ', element('span', 'kind', row.kind), ' ', ago)
  top.append(state, what, timeline)
  body.append(top)
  if (hasData) body.append(data)
  item.append(body)
  return { item, body, state, ago, data, timeline, hasData }
}

/**
 * @param {Map<string, DrawnRow>} known
 * @param {Row} row
 * @param {{ now: number, service: string | undefined }} context
 */
function drawRow(known, row, { now, service }) {
  const before = known.get(row.key)
  const drawn = before?.hasData === (row.data !== undefined) ? before : makeRow(row)
  known.set(row.key, drawn)
  remember(row.key, service === undefined ? row.name : `${service}: ${row.name}`, { at: now, status: row.status })
  if (drawn.hasData && drawn.item.dataset['status'] !== row.status) {
    drawn.body.toggleAttribute('open', row.status !== 'UP')
  }
  drawn.item.dataset['status'] = row.status
  writeStatus(drawn.state, row.status)
  write(drawn.ago, downFor(row.key, now))
  drawTimeline(drawn.timeline, row.key, now)
  drawData(drawn.data, row.data ?? {})
  return drawn.item
}

function drawData(/** @type {Element} */ list, /** @type {NonNullable<Row['data']>} */ data) {
  const texts = Object.entries(data).flatMap(([name, value]) => [name, readable(name, value)])
  while (list.children.length > texts.length) list.lastElementChild?.remove()
  texts.forEach((text, i) => {
    const cell = list.children[i] ?? list.appendChild(element(i % 2 === 0 ? 'dt' : 'dd'))
    write(cell, text)
  })
}

function readable(/** @type {string} */ name, /** @type {unknown} */ value) {
  if (typeof value !== 'number') return String(value)
  if (/Bytes$/.test(name)) return `${(value / 1_048_576).toFixed(1)} MiB`
  return /Ms$/.test(name) ? `${value.toLocaleString()} ms` : value.toLocaleString()
}
