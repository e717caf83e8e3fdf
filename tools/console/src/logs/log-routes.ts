import { sendJson } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import { sendLive, wantsLive } from '../http/live.ts'
import { wholeNumber } from '../http/query.ts'
import type { Asked, Routes } from '../http/route.ts'
import { LEVELS, type LogFilter, type LogStore } from './log-store.ts'

const DEFAULT_LIMIT = 1000
const MAX_LIMIT = 10_000
/** Lines are sent in groups: a page draws each group once. */
const GROUP_MS = 100

export function logRoutes(store: LogStore): Routes {
  return {
    'GET /api/logs'(asked) {
      const filter = filterOf(asked.query)
      const limit = wholeNumber(asked.query, 'limit', { default: DEFAULT_LIMIT, min: 1, max: MAX_LIMIT })
      if (wantsLive(asked)) return sendLiveLines(asked, store, { filter, limit })
      const before = asked.query.has('before')
        ? wholeNumber(asked.query, 'before', { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER })
        : undefined
      sendJson(asked.response, 200, { items: store.find(filter, { limit, before }) })
    },
  }
}

/** First the newest lines, or those since the one that the client had last; then what comes, in groups. */
function sendLiveLines(
  asked: Asked,
  store: LogStore,
  { filter, limit }: { readonly filter: LogFilter; readonly limit: number },
): void {
  const live = sendLive(asked)
  const had = Number(asked.request.headers['last-event-id'])
  let sent = Number.isSafeInteger(had) && had > 0 ? had : 0
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    timer = undefined
    const items = store.after(sent, filter, limit)
    sent = store.lastId
    if (items.length > 0) live.send({ items }, { id: String(sent) })
  }
  send()
  const watching = store.watch(() => {
    // A client that is behind gets the newest lines once it reads again.
    if (!live.isBehind) timer ??= setTimeout(send, GROUP_MS)
  })
  asked.response.on('drain', () => {
    timer ??= setTimeout(send, GROUP_MS)
  })
  live.whenGone(() => {
    watching[Symbol.dispose]()
    clearTimeout(timer)
  })
}

function filterOf(query: URLSearchParams): LogFilter {
  const level = query.get('level') || undefined
  const known = LEVELS.find((name) => name === level)
  if (level !== undefined && known === undefined) {
    throw new HttpProblem(400, { detail: `level "${level}": expected one of ${LEVELS.join(', ')}` })
  }
  return {
    level: known,
    service: query.get('service') || undefined,
    text: query.get('text') || undefined,
    trace: query.get('trace') || undefined,
  }
}
