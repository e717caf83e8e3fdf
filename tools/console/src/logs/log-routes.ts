import { sendJson } from '@taproom/http'
import { sendLive, wantsLive } from '../http/live.ts'
import { wholeNumber } from '../http/query.ts'
import type { Asked, Routes } from '../http/route.ts'
import type { LogFilter } from './log-filter.ts'
import { readLogFilter } from './log-query.ts'
import type { LogStore } from './log-store.ts'

const DEFAULT_LIMIT = 1000
const MAX_LIMIT = 10_000
const DEFAULT_INTERVALS = 60
const MAX_INTERVALS = 500
/** Lines are sent in groups: a page draws each group once. */
const GROUP_MS = 100

export function logRoutes(store: LogStore): Routes {
  return {
    'GET /api/logs'(asked) {
      const filter = readLogFilter(asked.query)
      const limit = wholeNumber(asked.query, 'limit', { default: DEFAULT_LIMIT, min: 1, max: MAX_LIMIT })
      if (wantsLive(asked)) return sendLiveLines(asked, store, { filter, limit })
      const before = asked.query.has('before')
        ? wholeNumber(asked.query, 'before', { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER })
        : undefined
      sendJson(asked.response, 200, { items: store.find(filter, { limit, before }) })
    },
    async 'GET /api/logs/counts'({ query, response }) {
      const filter = readLogFilter(query)
      const intervals = wholeNumber(query, 'intervals', { default: DEFAULT_INTERVALS, min: 1, max: MAX_INTERVALS })
      sendJson(response, 200, await store.counts(filter, intervals))
    },
  }
}

/** First the newest lines, or those since the one that the client had last, if any; then what comes, in groups. */
function sendLiveLines(
  asked: Asked,
  store: LogStore,
  { filter, limit }: { readonly filter: LogFilter; readonly limit: number },
): void {
  const live = sendLive(asked)
  const had = Number(asked.request.headers['last-event-id'])
  let sent = Number.isSafeInteger(had) && had > 0 ? had : 0
  let timer: NodeJS.Timeout | undefined
  let isFirst = true
  const send = () => {
    timer = undefined
    const items = store.after(sent, filter, limit)
    sent = store.lastId
    if (items.length > 0 || isFirst) live.send({ items }, { id: String(sent) })
    isFirst = false
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
