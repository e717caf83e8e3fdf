import { sendJson } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import type { TraceSummary } from '../api/traces.ts'
import { sendNews } from '../http/live.ts'
import type { Asked, Routes } from '../http/route.ts'
import { alignClocks } from './align-clocks.ts'
import { receiveTraces } from './receive-traces.ts'
import { summaryOf } from './summary.ts'
import { readFilter, type TraceFilter } from './trace-filter.ts'
import { inTurns, type StoredTrace, type TraceStore } from './trace-store.ts'

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
  await sendNews(asked, {
    version: () => store.version,
    read: () => find(older(store.newestFirst(), store, filter), filter),
    since: (version) => find(store.newestFirst(version), filter),
  })
}

function older(traces: readonly StoredTrace[], store: TraceStore, { before }: TraceFilter): readonly StoredTrace[] {
  if (before === undefined) return traces
  // One that is gone was older than all that are here.
  const { number = 0 } = store.get(before) ?? {}
  return traces.filter((trace) => trace.number < number)
}

/** Those of the traces that match, as many as are wanted. */
async function find(traces: readonly StoredTrace[], { matches, limit }: TraceFilter): Promise<readonly TraceSummary[]> {
  const found: TraceSummary[] = []
  for await (const trace of inTurns(traces)) {
    if (matches(trace)) found.push(summaryOf(trace))
    if (found.length === limit) break
  }
  return found
}
