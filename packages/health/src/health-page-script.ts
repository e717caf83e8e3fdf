/**
 * The script of the health page. It asks each kind of report every two seconds and draws what it hears; text goes in as text, never as
 * markup. `history` holds what was heard of each check in the last three minutes.
 */
export const healthPageScript = `
'use strict'
const EVERY_MS = 2000, KEPT = 90
const KINDS = { live: 'Liveness', ready: 'Readiness', started: 'Startup', well: 'Wellness' }
const main = document.querySelector('main')
for (const group of main.dataset.groups.split(' ').filter(Boolean)) KINDS['group/' + group] = 'Group ' + decodeURIComponent(group)
const history = new Map()
let paused = false

function element(tag, className, text) {
  const created = document.createElement(tag)
  if (className) created.className = className
  if (text !== undefined) created.textContent = text
  return created
}

/** Checks of one name are told apart by their order. */
function keyed(kind, checks) {
  const seen = new Map()
  return checks.map((check) => {
    const nth = seen.get(check.name) ?? 0
    seen.set(check.name, nth + 1)
    return { ...check, key: [kind, nth, check.name].join(' ') }
  })
}

function remember({ key, status }) {
  const heard = [...(history.get(key) ?? []), status].slice(-KEPT)
  history.set(key, heard)
  return heard
}

function drawHistory(heard) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', 'history')
  svg.setAttribute('viewBox', '0 0 ' + KEPT * 4 + ' 16')
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('role', 'img')
  const down = heard.filter((status) => status !== 'UP').length
  svg.setAttribute('aria-label', down + ' of the last ' + heard.length + ' answers were DOWN')
  heard.forEach((status, i) => {
    const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
    rect.setAttribute('x', String((KEPT - heard.length + i) * 4))
    rect.setAttribute('width', '3')
    rect.setAttribute('height', '16')
    if (status !== 'UP') rect.setAttribute('class', 'down')
    svg.append(rect)
  })
  return svg
}

function drawData(check, wasOpen) {
  const details = element('details')
  details.open = wasOpen ?? check.status !== 'UP'
  details.append(element('summary', '', 'data'))
  const list = element('dl')
  for (const [name, value] of Object.entries(check.data)) list.append(element('dt', '', name), element('dd', '', String(value)))
  details.append(list)
  return details
}

function drawCheck(check, known) {
  const item = element('li')
  item.dataset.status = check.status
  item.dataset.key = check.key
  const top = element('div', 'top')
  top.append(element('span', 'name', check.name), element('span', 'status', check.status))
  item.append(top, drawHistory(remember(check)))
  const before = known?.dataset.status === check.status ? known.querySelector('details')?.open : undefined
  if (check.data) item.append(drawData(check, before))
  return item
}

function drawKind(kind, report) {
  const list = document.getElementById(kind).querySelector('ul')
  const known = new Map([...list.children].map((item) => [item.dataset.key, item]))
  list.replaceChildren(...keyed(kind, report.checks).map((check) => drawCheck(check, known.get(check.key))))
}

async function ask(kind) {
  const response = await fetch(main.dataset.root + '/' + kind, { cache: 'no-store', signal: AbortSignal.timeout(10000) })
  if (response.status !== 200 && response.status !== 503) throw new Error('status ' + response.status)
  return response.json()
}

function headline(down) {
  if (down === 0) return 'Everything is up'
  return down === 1 ? 'One check is down' : down + ' checks are down'
}

async function update() {
  const title = document.querySelector('h1')
  const asked = document.querySelector('#asked')
  try {
    const kinds = Object.keys(KINDS)
    const reports = await Promise.all(kinds.map(ask))
    reports.forEach((report, i) => drawKind(kinds[i], report))
    const down = reports.flatMap((report) => report.checks).filter((check) => check.status !== 'UP').length
    main.dataset.status = down === 0 ? 'UP' : 'DOWN'
    title.textContent = headline(down)
    asked.textContent = 'asked at ' + new Date().toLocaleTimeString()
  } catch (error) {
    main.dataset.status = 'DOWN'
    title.textContent = 'The service does not answer'
    asked.textContent = String(error.message)
  }
  document.title = title.textContent
}

function toggle(id, act) {
  const button = document.querySelector(id)
  button.addEventListener('click', () => {
    const pressed = button.getAttribute('aria-pressed') !== 'true'
    button.setAttribute('aria-pressed', String(pressed))
    act(pressed)
  })
}

for (const [kind, heading] of Object.entries(KINDS)) {
  const section = element('section')
  section.id = kind
  section.append(element('h2', '', heading), element('ul'))
  main.append(section)
}
toggle('#down-only', (pressed) => main.classList.toggle('down-only', pressed))
toggle('#pause', (pressed) => { paused = pressed })

async function keepAsking() {
  if (!paused && !document.hidden) await update()
  setTimeout(keepAsking, EVERY_MS)
}
keepAsking()
`
