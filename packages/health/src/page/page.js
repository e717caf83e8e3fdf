/** Reads all reports every two seconds and draws them. */
import { drawCards } from './cards.js'
import { byId, element, write } from './dom.js'
import { drawChanges, EVERY_MS } from './history.js'
import { cardsOf, headlineOf, isUp } from './models.js'

/** @typedef {import('../page-report.ts').PageReport} PageReport */

const page = byId('page')
const grid = byId('cards')
let isPaused = false

function show(/** @type {'UP' | 'DOWN'} */ status, /** @type {string} */ headline, /** @type {string} */ detail) {
  page.dataset['status'] = status
  write(byId('headline'), headline)
  write(byId('asked'), detail)
  document.title = headline
  const circle = `<circle cx="1" cy="1" r="1" fill="${status === 'UP' ? '%23167a42' : '%23bd2530'}"/>`
  const icon = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2">${circle}</svg>`
  byId('icon').setAttribute('href', icon)
}

async function update() {
  const now = Date.now()
  try {
    const response = await fetch('report', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    if (!response.ok) throw new Error(`the report has status ${response.status}`)
    /** @type {PageReport} */
    const { services, console } = await response.json()
    const cards = cardsOf(services)
    drawCards(grid, cards, now)
    drawChanges()
    linkTo(byId('console'), console)
    grid.classList.remove('stale')
    const checks = cards.flatMap(({ rows }) => rows).length
    const detail = `${checks} checks, read at ${new Date(now).toLocaleTimeString()}`
    show(cards.every(isUp) ? 'UP' : 'DOWN', headlineOf(cards, services[0]?.name !== undefined), detail)
  } catch (error) {
    grid.classList.add('stale')
    const reason = error instanceof Error ? error.message : String(error)
    show('DOWN', 'No answer', `${reason}. The checks below are old.`)
  }
}

/** Keeps the link while its address stays the same, so that it keeps the focus. */
function linkTo(/** @type {Element} */ place, /** @type {string} */ address = '') {
  if (place.querySelector('a')?.getAttribute('href') === address || address === '') return
  const link = element('a', '', 'Console')
  link.href = address
  place.replaceChildren(link)
}

function onToggle(/** @type {string} */ id, /** @type {(isPressed: boolean) => void} */ act) {
  const button = byId(id)
  button.addEventListener('click', () => {
    const isPressed = button.getAttribute('aria-pressed') !== 'true'
    button.setAttribute('aria-pressed', String(isPressed))
    act(isPressed)
  })
}

onToggle('down-only', (isPressed) => page.classList.toggle('down-only', isPressed))
onToggle('pause', (isPressed) => {
  isPaused = isPressed
})

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer
async function keepAsking() {
  clearTimeout(timer)
  if (!isPaused && !document.hidden) await update()
  timer = setTimeout(keepAsking, EVERY_MS)
}
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) keepAsking()
})
keepAsking()
