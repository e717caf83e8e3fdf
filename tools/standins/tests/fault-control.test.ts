import { request } from 'node:http'
import { eventually, startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { startFilmStandin } from '../src/index.ts'

async function put(url: string, body: unknown) {
  const response = await fetch(new URL('/control/fault', url), { method: 'PUT', body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** With headers that `fetch` does not send. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(new URL('/control/fault', url), { headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .once('error', reject)
      .end()
  })
}

describe('decisions 3.117: faults of a stand-in', () => {
  it('go wrong as they are told to, until they are told otherwise', async () => {
    await using standin = await startFilmStandin({ hasControl: true })
    const film = async () => {
      const response = await fetch(`${standin.url}/films/1/`)
      return { status: response.status, text: await response.text() }
    }
    const right = await film()
    expect(await put(standin.url, { mode: 'failing' })).toMatchObject({ status: 200, body: { mode: 'failing' } })
    expect(await film()).toMatchObject({ status: 503 })
    await put(standin.url, { mode: 'garbled' })
    const garbled = await film()
    expect(garbled.status).toBe(200)
    expect(() => JSON.parse(garbled.text)).toThrow(SyntaxError)
    await put(standin.url, { mode: 'slow' })
    await expect(fetch(`${standin.url}/films/1/`, { signal: AbortSignal.timeout(1000) })).rejects.toThrow('timeout')
    expect(await film()).toEqual(right)
    expect(await put(standin.url, { mode: 'none' })).toEqual({
      status: 200,
      body: { mode: 'none', modes: ['none', 'slow', 'failing', 'garbled'] },
    })
    expect(await film()).toEqual(right)
  })

  it('end by themselves', async () => {
    await using standin = await startFilmStandin({ hasControl: true })
    const before = Date.now()
    const { body } = await put(standin.url, { mode: 'failing', seconds: 0.2 })
    expect(body['until']).toBeGreaterThanOrEqual(before + 200)
    await eventually(async () => expect((await fetch(`${standin.url}/films/1/`)).status).toBe(200))
    const longest = await put(standin.url, { mode: 'failing' })
    expect(longest.body['until']).toBeLessThanOrEqual(Date.now() + 600_000)
  })

  it.each([
    [{ mode: 'broken' }, 'mode is "broken": expected one of none, slow, failing, garbled'],
    [{ mode: 'slow', seconds: 601 }, 'seconds is 601: expected a number up to 600'],
    [{ mode: 'slow', minutes: 1 }, '"minutes" is not known here'],
    ['slow', 'expected an object with a mode'],
    [{ mode: 'x'.repeat(2000) }, 'expected an object with a mode'],
  ])('refuse %j', async (body, detail) => {
    await using standin = await startFilmStandin({ hasControl: true })
    expect(await put(standin.url, body)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(detail) },
    })
    expect((await fetch(`${standin.url}/films/1/`)).status).toBe(200)
  })

  it('are nothing for web pages, for other hosts, and for other methods', async () => {
    await using standin = await startFilmStandin({ hasControl: true })
    expect(await statusOf(standin.url, {})).toBe(200)
    expect(await statusOf(standin.url, { Origin: 'https://example.org' })).toBe(403)
    expect(await statusOf(standin.url, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
    expect(await statusOf(standin.url, { Host: 'example.org' })).toBe(421)
    const other = await fetch(new URL('/control/fault', standin.url), { method: 'POST', body: '{"mode":"slow"}' })
    expect({ status: other.status, allow: other.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, HEAD, PUT',
    })
  })

  it('are off unless a variable switches them on', async () => {
    const main = new URL('../src/film-standin-main.ts', import.meta.url)
    await using off = startProcess(main, {})
    expect((await put(await off.url(), { mode: 'failing' })).status).toBe(404)
    await using on = startProcess(main, { STANDIN_CONTROL_ENABLED: 'true' })
    expect((await put(await on.url(), { mode: 'failing' })).status).toBe(200)
  })
})
