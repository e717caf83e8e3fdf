import { sendJson } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import { sendNews, sendView } from '../http/live.ts'
import type { Asked, Routes } from '../http/route.ts'
import { alignClocks } from './align-clocks.ts'
import { findTraces, groupTraces } from './find-traces.ts'
import { receiveTraces } from './receive-traces.ts'
import { readFilter } from './trace-filter.ts'
import type { TraceStore } from './trace-store.ts'

/** How often a live answer has new figures of groups: all traces are looked at for them. */
const GROUPS_MS = 2000

/** Takes spans, and shows the traces that they are of. */
export function traceRoutes(store: TraceStore): Routes {
  return {
    'POST /v1/traces': receiveTraces(store),
    'GET /api/traces': (asked) => answerTraces(asked, store),
    'GET /api/traces/{traceId}': ({ response, params }) => {
      const trace = store.get(params['traceId']?.toLowerCase() ?? '')
      if (trace === undefined) {
        const detail = 'no span of this trace is here: none has come, or they made room for newer ones'
        throw new HttpProblem(404, { detail })
      }
      sendJson(response, 200, { items: alignClocks(trace.spans) })
    },
  }
}

async function answerTraces(asked: Asked, store: TraceStore): Promise<void> {
  const filter = readFilter(asked.query)
  if (filter.group !== undefined) {
    const read = async () => ({ items: await groupTraces(store, filter) })
    return await sendView(asked, { read, everyMs: GROUPS_MS })
  }
  await sendNews(asked, {
    version: () => store.version,
    read: () => findTraces(store, filter),
    since: (version) => findTraces(store, filter, version),
  })
}
