import { waitFor, waitUntilReady } from '@taproom/testkit'
import { type DescribedApi, readDescription } from '@taproom/testkit/openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLE } from '../src/config.ts'
import { startTemplateAppProcess } from './template-app-process.ts'

describe('template-item', () => {
  let app: Awaited<ReturnType<typeof startTemplateAppProcess>>
  let api: DescribedApi
  const headers: Record<string, string> = {}
  beforeAll(async () => {
    app = await startTemplateAppProcess()
    await waitUntilReady(app.url)
    api = await readDescription((await (await fetch(`${app.url}/q/openapi?format=json`)).json()) as object)
    // begin jwt
    headers['Authorization'] = `Bearer ${await app.issuer.sign({ groups: [ROLE] })}`
    // end
  })
  afterAll(() => app?.[Symbol.asyncDispose]())

  const get = (path: string) => api.fetch(`${app.url}${path}`, { headers })
  const post = (body: string) => {
    const type = { 'Content-Type': 'application/json' }
    return api.fetch(`${app.url}/template-app`, { method: 'POST', headers: { ...headers, ...type }, body })
  }

  it('is added, and found at its address', async () => {
    const response = await post(JSON.stringify({ name: 'one' }))
    expect(response.status).toBe(201)
    const added = await response.json()
    expect(added).toEqual({ id: expect.any(Number), name: 'one' })
    expect(await (await get(response.headers.get('location') ?? '')).json()).toEqual(added)
  })

  it('is refused with 409 when there is one of its name, also at the same time', async () => {
    const both = await Promise.all([post(JSON.stringify({ name: 'twice' })), post(JSON.stringify({ name: 'twice' }))])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const refused = await both.find(({ status }) => status === 409)?.json()
    expect(refused).toMatchObject({ errors: [{ pointer: '#/name' }] })
  })
  // begin outbox

  it('is written to the topic template-app-out with its row', async () => {
    await using topic = await app.readTopic('template-app-out')
    const added = (await (await post(JSON.stringify({ name: 'written' }))).json()) as { id: number }
    const message = await waitFor('its message', () =>
      topic.messages.find(({ key }) => String(key) === String(added.id)),
    )
    expect(JSON.parse(String(message.value))).toEqual(added)
  })
  // end

  it.each([
    ['no name', {}, '#/name'],
    ['an empty name', { name: '' }, '#/name'],
    ['a name that is not a text', { name: 1 }, '#/name'],
    ['a name of 101 characters', { name: 'a'.repeat(101) }, '#/name'],
    ['a name with a control character', { name: 'a\0b' }, '#/name'],
    ['a name with what was not UTF-8', { name: 'a\uFFFDb' }, '#/name'],
    ['a member that is not known', { name: 'a', nmae: 'b' }, '#'],
  ])('is refused with 400 for %s', async (_case, body, pointer) => {
    const response = await post(JSON.stringify(body))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ pointer }] })
  })

  it('is refused with 400 for a body that is not JSON', async () => {
    expect((await post('{')).status).toBe(400)
  })

  it('is 404 for an id that is not there', async () => {
    expect((await get('/template-app/2147483647')).status).toBe(404)
  })

  it.each(['x', '0', '-1', '01', '0x1', '1e0', '1.0', '%201', '2147483648'])('is 400 for the id %s', async (id) => {
    const response = await get(`/template-app/${id}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ parameter: 'id' }] })
  })

  it('is listed page by page, each once', async () => {
    for (const name of ['a', 'b', 'c']) await post(JSON.stringify({ name: `page ${name}` }))
    const names: string[] = []
    for (let next: string | undefined = '/template-app?limit=2'; next !== undefined; ) {
      const page = (await (await get(next)).json()) as { items: { name: string }[]; next?: string }
      expect(page.items.length).toBeLessThanOrEqual(2)
      names.push(...page.items.map(({ name }) => name))
      next = page.next
    }
    expect(names.filter((name) => name.startsWith('page'))).toEqual(['page a', 'page b', 'page c'])
  })

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=1&limit=2'],
    ['after', 'after=-1'],
    ['after', 'after=9007199254740993'],
  ])('is not listed with a wrong %s: %s', async (parameter, query) => {
    const response = await get(`/template-app?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ parameter })]),
    })
  })
  // begin jwt

  it('needs a token with the role', async () => {
    expect((await api.fetch(`${app.url}/template-app`)).status).toBe(401)
    const Authorization = `Bearer ${await app.issuer.sign({ groups: [] })}`
    expect((await api.fetch(`${app.url}/template-app`, { headers: { Authorization } })).status).toBe(403)
  })
  // end
})
