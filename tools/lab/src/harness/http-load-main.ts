/** The load generator: a process of its own, so that it shares no core with the server. */
import autocannon from 'autocannon'
import type { LoadReport, LoadRequest } from './http-load.ts'
import { percentile } from './percentile.ts'

const CONNECTIONS = 64

/** Every connection sends its share of the header values over and over, so that a value comes again after all others. */
function run({
  url,
  authorizations = [],
  post,
  seconds,
  expected,
  connections = CONNECTIONS,
}: LoadRequest): Promise<LoadReport> {
  let connection = 0
  const times: number[] = []
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        duration: seconds,
        ...(expected !== undefined && { expectBody: expected }),
        setupClient(client) {
          if (post !== undefined) return client.setRequests([{ method: 'POST', ...post }])
          if (authorizations.length === 0) return
          const share = authorizations.filter((_, index) => index % connections === connection % connections)
          connection += 1
          const values = share.length > 0 ? share : authorizations
          client.setRequests(values.map((authorization) => ({ method: 'GET', headers: { authorization } })))
        },
      },
      (error, result) => {
        if (error) return reject(error)
        const { non2xx, errors, mismatches } = result
        resolve({ answered: result['2xx'], failed: non2xx + errors + mismatches, p99Ms: percentile(times, 0.99) })
      },
    )
    instance.on('error', reject)
    instance.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds))
  })
}

process.on('message', async (request: LoadRequest) => {
  process.send?.(await run(request))
})
