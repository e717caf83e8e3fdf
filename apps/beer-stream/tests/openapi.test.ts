import { readSse, startHttpServer, waitFor } from '@taproom/testkit'
import { type DescribedApi, readDescription } from '@taproom/testkit/openapi'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeRecord } from './make-record.ts'
import { startApp } from './start-app.ts'

let api: DescribedApi
beforeAll(async () => {
  await using app = await startApp()
  api = await readDescription((await (await fetch(`${app.url}/q/openapi?format=json`)).json()) as object)
})

async function statusOfList(beerService: { status?: number; body?: string } | 'reset' | 'hang', accept = '*/*') {
  await using remote = await startHttpServer((req, res) => {
    if (beerService === 'hang') return
    if (beerService === 'reset') return void res.destroy()
    const isFirst = req.url?.endsWith('page=1')
    res.writeHead(beerService.status ?? 200).end(isFirst ? beerService.body : '[]')
  })
  // Short only where no answer will come: any other may take a while on a busy machine.
  const timeoutMs = beerService === 'hang' ? 100 : 60_000
  await using app = await startApp({ beerServiceUrl: remote.url, timeoutMs })
  return (await api.fetch(`${app.url}/beer/all`, { headers: { accept } })).status
}

const strong = { body: '[{"name":"Ale","tagline":"A.","abv":16},{"name":"Øl","abv":55,"ph":1}]' }

describe('/q/openapi', () => {
  it('is YAML by default', async () => {
    await using app = await startApp()
    const response = await fetch(`${app.url}/q/openapi`)
    expect(response.headers.get('content-type')).toBe('application/yaml;charset=UTF-8')
    expect(await response.text()).toContain('\n  /beer/all:\n')
  })

  it('describes every answer of /beer/all, and no other', async () => {
    const statuses = [
      await statusOfList(strong),
      await statusOfList(strong, 'application/x-ndjson'),
      await statusOfList('reset'),
      await statusOfList({ status: 404, body: '' }),
      await statusOfList({ status: 503 }),
      await statusOfList('hang'),
    ]
    expect(statuses).toEqual([200, 200, 502, 502, 503, 504])
    // 500 is any service's answer to its own defect; no request here can cause one.
    expect(api.unseen().filter((answer) => answer.includes(' /beer/all '))).toEqual(['GET /beer/all 500'])
  })

  it('describes the answers of /beer: a stream, or 503 when there is no room', async () => {
    await using app = await startApp({ maxClients: 1 })
    const caller = new AbortController()
    const stream = await api.fetch(`${app.url}/beer`, { signal: caller.signal })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect((await api.fetch(`${app.url}/beer`)).status).toBe(503)
    caller.abort()
    expect(api.unseen().filter((answer) => answer.includes(' /beer '))).toEqual(['GET /beer 500'])
  })

  it('describes the data of the stream’s events', async () => {
    await using app = await startApp({ itemWaitMs: 200 })
    const reading = Array.fromAsync(readSse(`${app.url}/beer`))
    await waitFor('a client', () => app.hub.counters.clients === 1)
    void app.hub.publish(makeRecord(0, { name: 'Nøgne "Ø"', price: 3 }))
    const [beer, failure] = await reading
    api.expectValid('PricedBeer', JSON.parse(beer?.data ?? ''))
    expect(failure?.event).toBe('stream-error')
    api.expectValid('Problem', JSON.parse(failure?.data ?? ''))
  })

  it('describes refusals of methods and paths, health, metrics and itself', async () => {
    await using app = await startApp()
    for (const path of ['/beer', '/beer/all']) {
      for (const method of ['HEAD', 'POST', 'DELETE']) await api.fetch(app.url + path, { method })
    }
    for (const path of ['/other', '/q/health', '/q/metrics', '/q/openapi']) await api.fetch(app.url + path)
  })
})
