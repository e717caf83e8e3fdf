/**
 * The part of the health page's script that remembers: `heard` holds the answers of the last three minutes for each check, `since` the
 * state each is in and from when, `changes` what went down and came back while the page was open.
 */
export const healthPageHistory = `
const EVERY_MS = 2000, KEPT_MS = 180000, KEPT_CHANGES = 50
const heard = new Map(), since = new Map(), changes = []

/** Notes an answer, and a change of state as a change. */
function remember(key, status, at, title) {
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

/** Answers one after another that say the same, as one stretch of time; each answer stands for the time since the one before. */
function stretches(answers) {
  const found = []
  for (const { at, status } of answers) {
    const last = found.at(-1)
    if (last?.status === status && at - last.to < 2 * EVERY_MS) last.to = at
    else found.push({ status, from: Math.max(at - EVERY_MS, last?.to ?? 0), to: at })
  }
  return found
}

function makeTimeline() {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', 'timeline')
  svg.setAttribute('viewBox', '0 0 ' + KEPT_MS / 1000 + ' 10')
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('role', 'img')
  return svg
}

function drawTimeline(svg, key, now) {
  const answers = heard.get(key) ?? []
  const down = answers.filter(({ status }) => status !== 'UP').length
  svg.setAttribute('aria-label', down + ' of the last ' + answers.length + ' answers were DOWN')
  svg.replaceChildren(...stretches(answers).map(({ status, from, to }) => {
    const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
    const x = Math.max(0, (from - now + KEPT_MS) / 1000)
    rect.setAttribute('x', String(x))
    rect.setAttribute('width', String(Math.max(0, (to - now + KEPT_MS) / 1000 - x)))
    rect.setAttribute('height', '10')
    rect.setAttribute('class', status === 'UP' ? 'up' : 'down')
    return rect
  }))
}

/** How long a check has been down; of one that was found down it is only known for how long at least. */
function downFor(key, now) {
  const { status, at, isExact } = since.get(key) ?? { status: 'UP' }
  if (status === 'UP') return ''
  const seconds = Math.round((now - at) / 1000)
  const long = seconds < 120 ? seconds + ' s' : Math.floor(seconds / 60) + ' min'
  return isExact ? 'down for ' + long : 'down for ' + long + ' or longer'
}

let drawnChange
function drawChanges() {
  if (changes.length === 0 || changes[0] === drawnChange) return
  drawnChange = changes[0]
  const rows = changes.map(({ at, title, status }) => {
    const item = element('li', 'change')
    const state = element('span', 'status', status)
    state.dataset.status = status
    const time = element('time', '', new Date(at).toLocaleTimeString())
    time.dateTime = new Date(at).toISOString()
    item.append(time, state, element('span', '', title))
    return item
  })
  document.querySelector('#changes ol').replaceChildren(...rows)
  document.querySelector('#changes').hidden = false
}
`
