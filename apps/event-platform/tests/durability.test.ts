import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readHealth, waitFor } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { send } from './event-requests.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

const NAMESPACES = '/api/v1/namespaces'

describe('decisions 3.138: an answer that a resource was changed', () => {
  let folder: string
  let file: string
  let running: RunningPlatform
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'state-'))
    file = join(folder, 'resources.json')
    running = await runPlatform({ bootstrapServers: '127.0.0.1:1', env: { RESOURCES_FILE: file } })
  })
  afterEach(async () => {
    await running[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const create = (name: string) =>
    send(`${running.kubeUrl}${NAMESPACES}`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    })
  const namesOnDisk = async () =>
    JSON.parse(await readFile(file, 'utf8'))
      .objects.filter(({ kind }: { kind: string }) => kind === 'Namespace')
      .map(({ metadata }: { metadata: { name: string } }) => metadata.name)

  it('comes when the change is on disk', async () => {
    const answers = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => {
        const { status } = await create(name)
        return [status, (await namesOnDisk()).includes(name)]
      }),
    )
    expect(answers).toEqual([1, 2, 3].map(() => [201, true]))
    expect((await send(`${running.kubeUrl}${NAMESPACES}/two`, { method: 'DELETE' })).status).toBe(200)
    expect(await namesOnDisk()).toEqual(['default', 'one', 'three'])
  })

  it('is 503 while changes cannot be saved, which readiness says, and nothing changes then', async () => {
    expect((await create('one')).status).toBe(201)
    await mkdir(`${file}.new/in-the-way`, { recursive: true })
    const answer = await create('two')
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Status', reason: 'ServiceUnavailable', code: 503 })
    expect((await create('three')).status).toBe(503)
    expect((await send(`${running.kubeUrl}${NAMESPACES}/three`, { method: 'GET' })).status).toBe(404)
    const kept = async () => (await readHealth(running.url, 'ready')).checks['Kept resources']
    expect(await kept()).toMatchObject({ status: 'DOWN', data: { reason: expect.stringContaining('RESOURCES_FILE') } })
    await rm(`${file}.new`, { recursive: true })
    await waitFor('changes are saved', async () => (await kept())?.status === 'UP')
    expect((await create('three')).status).toBe(201)
    // It was tried again until it could be.
    expect(await namesOnDisk()).toEqual(['default', 'one', 'two', 'three'])
  })
})
