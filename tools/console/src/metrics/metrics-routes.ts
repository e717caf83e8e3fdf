import { sendJson } from '@taproom/http'
import { sendLive, wantsLive } from '../http/live.ts'
import { wholeNumber } from '../http/query.ts'
import type { Asked, Routes } from '../http/route.ts'
import type { Attention } from './attention.ts'
import type { MetricsReader } from './metrics-reader.ts'

/** Shows the curves of the last hour; live: then the points of each reading. */
export function metricsRoutes(reader: MetricsReader, attention: Attention): Routes {
  return { 'GET /api/metrics': (asked) => answerMetrics(asked, reader, attention) }
}

function answerMetrics(asked: Asked, reader: MetricsReader, attention: Attention): void {
  const { query, response } = asked
  const name = query.get('name') ?? ''
  const service = query.get('service') ?? ''
  let since = wholeNumber(query, 'since', { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER })
  const read = () => {
    const items = reader.read({
      ...(service !== '' && { service }),
      since,
      isWanted: (given) => name === '' || given === name || given.startsWith(`${name}_`),
    })
    return { items }
  }
  if (!wantsLive(asked)) {
    attention.note()
    response.setHeader('Vary', 'Accept')
    sendJson(response, 200, read())
    return
  }
  const looking = attention.hold()
  const live = sendLive(asked)
  const send = () => {
    if (live.isBehind) return
    const news = read()
    live.send(news)
    for (const { times } of news.items) since = Math.max(since, times.at(-1) ?? 0)
  }
  const watching = reader.watch(send)
  live.whenGone(() => {
    watching[Symbol.dispose]()
    looking[Symbol.dispose]()
  })
  send()
}
