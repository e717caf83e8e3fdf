/** The load generator: a process of its own, so that it shares no core with the server. */
import autocannon from 'autocannon'
import type { LoadReport, LoadRequest } from './load.ts'

const CONNECTIONS = 64

/** Every connection sends its share of the header values over and over, so that a value comes again after all others. */
function run({ url, authorizations = [], post, seconds }: LoadRequest): Promise<LoadReport> {
  let connection = 0
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections: CONNECTIONS,
        duration: seconds,
        setupClient(client) {
          if (post !== undefined) return client.setRequests([{ method: 'POST', ...post }])
          const share = authorizations.filter((_, index) => index % CONNECTIONS === connection % CONNECTIONS)
          connection += 1
          const values = share.length > 0 ? share : authorizations
          client.setRequests(values.map((authorization) => ({ method: 'GET', headers: { authorization } })))
        },
      },
      (error, result) => {
        if (error) reject(error)
        else resolve({ answered: result['2xx'], failed: result.non2xx + result.errors })
      },
    )
    instance.on('error', reject)
  })
}

process.on('message', async (request: LoadRequest) => {
  process.send?.(await run(request))
})
