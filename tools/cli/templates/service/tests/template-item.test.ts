import { waitUntilReady } from '@taproom/testkit'
import { type DescribedApi, readDescription } from '@taproom/testkit/openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    headers['Authorization'] = `Bearer ${await app.issuer.sign({ groups: ['Subscriber'] })}`
    // end
  })
  afterAll(() => app[Symbol.asyncDispose]())

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

  it('is refused with 409 when there is one of its name', async () => {
    await post(JSON.stringify({ name: 'twice' }))
    const response = await post(JSON.stringify({ name: 'twice' }))
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '#/name' }] })
  })

  it.each([
    ['no name', {}, '#/name'],
    ['an empty name', { name: '' }, '#/name'],
    ['a name that is not a text', { name: 1 }, '#/name'],
    ['a name of 101 characters', { name: 'a'.repeat(101) }, '#/name'],
    ['a name with a control character', { name: 'a\0b' }, '#/name'],
    ['a member that is not known', { name: 'a', nmae: 'b' }, '#'],
  ])('is refused with 400 for %s', async (_case, body, pointer) => {
    const response = await post(JSON.stringify(body))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ pointer }] })
  })

  it('is refused with 400 for a body that is not JSON', async () => {
    expect((await post('{')).status).toBe(400)
  })

  it('is 404 for an id that is not there, and 400 for one that cannot be', async () => {
    expect((await get('/template-app/2147483647')).status).toBe(404)
    const response = await get('/template-app/x')
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

  it.each(['limit', 'after'])('is not listed with a wrong %s', async (parameter) => {
    const response = await get(`/template-app?${parameter}=0`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ parameter }] })
  })
  // begin jwt

  it('needs a token with the role', async () => {
    expect((await api.fetch(`${app.url}/template-app`)).status).toBe(401)
    const Authorization = `Bearer ${await app.issuer.sign({ groups: [] })}`
    expect((await api.fetch(`${app.url}/template-app`, { headers: { Authorization } })).status).toBe(403)
  })
  // end
})
