import { healthPageHistory } from './health-page-history.ts'

/**
 * The script of the health page. It asks for all reports every two seconds and draws what it hears: at a gateway a card for each service,
 * at a service a card for each kind of check. Text goes in as text, never as markup, and what is drawn stays where it is, so that neither
 * the keyboard's focus nor an opened check is lost.
 */
export const healthPageScript = `
'use strict'
${healthPageHistory}
const KINDS = { live: 'liveness', ready: 'readiness', started: 'startup', well: 'wellness' }
const main = document.querySelector('main'), grid = document.querySelector('#cards')
const title = document.querySelector('h1'), asked = document.querySelector('#asked')
const cards = new Map()
let paused = false

function element(tag, className, text) {
  const created = document.createElement(tag)
  if (className) created.className = className
  if (text !== undefined) created.textContent = text
  return created
}

/** Writes only what is new: a live region would read it out again. */
function write(target, text) {
  if (target.textContent !== text) target.textContent = text
}

/** A state by word and, in the style, by sign and colour. */
function tell(target, status) {
  target.dataset.status = status
  write(target, status)
}

const kindOf = (kind) => KINDS[kind] ?? kind.replace('/', ' ')
const isUp = ({ status }) => status === 'UP'

/** The checks of a report, each with a key of its own: those of one name are told apart by their order. */
function rowsOf(prefix, kind, checks) {
  const seen = new Map()
  return checks.map((check) => {
    const nth = seen.get(check.name) ?? 0
    seen.set(check.name, nth + 1)
    return { ...check, kind: kindOf(kind), key: [prefix, kind, nth, check.name].join(' ') }
  })
}

function noteOf(reports) {
  return reports.some(({ status, checks }) => status !== 'UP' && checks.length === 0) ? 'has not finished starting' : ''
}

function serviceCard({ name, error, reports = {} }) {
  const all = Object.entries(reports)
  const status = error === undefined && all.every(([, report]) => isUp(report)) ? 'UP' : 'DOWN'
  const rows = all.flatMap(([kind, { checks }]) => rowsOf(name, kind, checks))
  return { key: name, name, status, note: error ?? noteOf(Object.values(reports)), rows, hasKinds: true }
}

function kindCards({ reports }) {
  return Object.entries(reports)
    .map(([kind, report]) => ({ key: kind, name: kindOf(kind), status: report.status, note: noteOf([report]), rows: rowsOf('', kind, report.checks) }))
    .filter(({ rows, note }) => rows.length > 0 || note !== '')
}

function makeCard({ key, name }) {
  const card = element('section', 'card')
  const heading = element('h2', '', name)
  heading.id = 'card-' + cards.size
  card.setAttribute('aria-labelledby', heading.id)
  const top = element('header'), list = element('ul'), note = element('p', 'note'), state = element('span', 'status')
  const timeline = makeTimeline()
  top.append(heading, state)
  card.append(top, timeline, note, list)
  const made = { card, list, note, state, timeline, rows: new Map() }
  cards.set(key, made)
  return made
}

function drawCard(model, now) {
  const drawn = cards.get(model.key) ?? makeCard(model)
  drawn.card.dataset.status = model.status
  remember('card ' + model.key, model.status, now, model.name)
  tell(drawn.state, model.status)
  write(drawn.note, model.note && model.note + ', ' + downFor('card ' + model.key, now))
  drawTimeline(drawn.timeline, 'card ' + model.key, now)
  place(drawn.list, model.rows.map((row) => drawRow(drawn.rows, model, row, now)))
  for (const key of drawn.rows.keys()) if (!model.rows.some((row) => row.key === key)) drawn.rows.delete(key)
  return drawn.card
}

function makeRow(row) {
  const item = element('li'), body = element(row.data ? 'details' : 'div'), top = element(row.data ? 'summary' : 'div', 'row')
  const what = element('span', 'what'), state = element('span', 'status'), ago = element('span', 'ago'), data = element('dl')
  const timeline = makeTimeline()
  what.append(element('span', 'name', row.name), ' ', element('span', 'kind', row.kind), ' ', ago)
  top.append(state, what, timeline)
  body.append(top)
  if (row.data) body.append(data)
  item.append(body)
  return { item, body, state, ago, data, timeline, hasData: row.data !== undefined }
}

function drawRow(known, { name, hasKinds }, row, now) {
  let drawn = known.get(row.key)
  if (drawn === undefined || drawn.hasData !== (row.data !== undefined)) drawn = makeRow(row)
  known.set(row.key, drawn)
  remember(row.key, row.status, now, hasKinds ? name + ': ' + row.name : row.name)
  if (drawn.hasData && drawn.item.dataset.status !== row.status) drawn.body.open = row.status !== 'UP'
  drawn.item.dataset.status = row.status
  tell(drawn.state, row.status)
  write(drawn.ago, downFor(row.key, now))
  drawTimeline(drawn.timeline, row.key, now)
  drawData(drawn.data, row.data ?? {})
  return drawn.item
}

function drawData(list, data) {
  const texts = Object.entries(data).flatMap(([name, value]) => [name, readable(name, value)])
  while (list.children.length > texts.length) list.lastChild.remove()
  texts.forEach((text, i) => {
    if (i >= list.children.length) list.append(element(i % 2 === 0 ? 'dt' : 'dd'))
    write(list.children[i], text)
  })
}

function readable(name, value) {
  if (typeof value !== 'number') return String(value)
  if (/Bytes$/.test(name)) return (value / 1048576).toFixed(1) + ' MiB'
  return /Ms$/.test(name) ? value.toLocaleString() + ' ms' : value.toLocaleString()
}

/** Makes these the children, moving only what is not in its place. */
function place(parent, children) {
  children.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null)
  })
  while (parent.children.length > children.length) parent.lastElementChild.remove()
}

function headlineOf(models, isGateway) {
  if (!isGateway) {
    const down = models.flatMap(({ rows }) => rows).filter((row) => !isUp(row)).length
    if (down === 0) return models.every(isUp) ? 'Everything is up' : 'The service has not finished starting'
    return down === 1 ? 'One check is down' : down + ' checks are down'
  }
  const down = models.filter((model) => !isUp(model)).map(({ name }) => name)
  if (down.length === 0) return 'All ' + models.length + ' services are up'
  if (down.length > 2) return down.length + ' of ' + models.length + ' services are down'
  return down.join(' and ') + (down.length === 1 ? ' is down' : ' are down')
}

function show(status, headline, detail) {
  main.dataset.status = status
  write(title, headline)
  write(asked, detail)
  document.title = headline
  const colour = status === 'UP' ? '%231a7f4b' : '%23c62a2f'
  document.querySelector('link[rel=icon]').href =
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1" fill="' + colour + '"/></svg>'
}

async function update() {
  const now = Date.now()
  try {
    const response = await fetch('report', { cache: 'no-store', signal: AbortSignal.timeout(10000) })
    if (!response.ok) throw new Error('the answer has status ' + response.status)
    const { services } = await response.json()
    const isGateway = services[0]?.name !== undefined
    const models = isGateway ? services.map(serviceCard) : services.flatMap(kindCards)
    for (const key of cards.keys()) if (!models.some((model) => model.key === key)) cards.delete(key)
    place(grid, models.map((model) => drawCard(model, now)))
    drawChanges()
    grid.classList.remove('stale')
    const checks = models.flatMap(({ rows }) => rows).length
    const detail = checks + ' checks, asked at ' + new Date(now).toLocaleTimeString()
    show(models.every(isUp) ? 'UP' : 'DOWN', headlineOf(models, isGateway), detail)
  } catch (error) {
    grid.classList.add('stale')
    show('DOWN', 'There is no answer', String(error.message) + '; what is below is old')
  }
}

function toggle(id, act) {
  const button = document.querySelector(id)
  button.addEventListener('click', () => {
    const pressed = button.getAttribute('aria-pressed') !== 'true'
    button.setAttribute('aria-pressed', String(pressed))
    act(pressed)
  })
}

toggle('#down-only', (pressed) => main.classList.toggle('down-only', pressed))
toggle('#pause', (pressed) => { paused = pressed })

let timer
async function keepAsking() {
  clearTimeout(timer)
  if (!paused && !document.hidden) await update()
  timer = setTimeout(keepAsking, EVERY_MS)
}
document.addEventListener('visibilitychange', () => { if (!document.hidden) keepAsking() })
keepAsking()
`
