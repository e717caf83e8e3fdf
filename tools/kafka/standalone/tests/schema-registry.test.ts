import { mkdtempDisposable } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sendAndRead, startCommand } from './use-command.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const PROGRAM = [process.execPath, '--conditions=development', MAIN]
const AUTHORIZER = 'org.apache.kafka.metadata.authorizer.StandardAuthorizer'

async function subjects(url: string): Promise<unknown> {
  return await (await fetch(`${url}/subjects`)).json()
}

async function post(url: string, body: unknown = {}): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })
  return status
}

/** `fetch` sets the Host itself. */
async function getAs(host: string, url: string) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(url, { headers: { host } }, resolve).on('error', reject)
  const answer = await promise
  return { status: answer.statusCode, body: await text(answer) }
}

describe('decisions 3.179: embedded-kafka --schema-registry', () => {
  it('serves a registry whose schemas are in the broker', async () => {
    await using command = await startCommand(PROGRAM, ['--schema-registry', '0'])
    expect(await sendAndRead(command.port, command.registryUrl)).toEqual({ name: 'Duvel' })
    expect(await subjects(command.registryUrl)).toEqual(['beers-value'])
    expect(await command.stop()).toEqual({ code: 0, signal: null })
  })

  it('needs neither the advertised addresses nor a user, in a cluster with users and ACLs', async () => {
    const options = [
      '--schema-registry',
      '0',
      '--brokers',
      '3',
      '--sasl',
      'bob:secret',
      '--advertise',
      'kafka.example:1',
    ]
    const env = { KAFKA_AUTHORIZER_CLASS_NAME: AUTHORIZER }
    await using command = await startCommand(PROGRAM, options, env)
    const body = JSON.stringify({ schema: '"int"' })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${command.registryUrl}/subjects/a/versions`, { method: 'POST', body, headers })
    expect(await answer.json()).toMatchObject({ id: 1 })
  })

  it('goes on while any one of three brokers is down', async () => {
    const options = ['--schema-registry', '0', '--brokers', '3', '--control-port', '0']
    await using command = await startCommand(PROGRAM, options)
    for (const nodeId of [1, 2, 3]) {
      await post(`${command.controlUrl}/brokers/${nodeId}/kill`)
      expect(await post(`${command.registryUrl}/subjects/a${nodeId}/versions`, { schema: '"int"' })).toBe(200)
      await post(`${command.controlUrl}/brokers/${nodeId}/start`)
    }
  })

  it('is not a client of the control API: rules are for those under test', async () => {
    await using command = await startCommand(PROGRAM, ['--schema-registry', '0', '--control-port', '0'])
    const control = async (path: string, method = 'GET') =>
      await (await fetch(command.controlUrl + path, { method })).json()
    const register = (subject: string) =>
      post(`${command.registryUrl}/subjects/${subject}/versions`, { schema: '"int"' })
    for (const api of ['Produce', 'Fetch']) {
      await post(`${command.controlUrl}/rules`, { kind: 'error', api, error: 'NOT_LEADER_OR_FOLLOWER' })
    }
    expect(await register('a')).toBe(200)
    expect(await control('/rules')).toMatchObject({ rules: [{ hits: 0 }, { hits: 0 }] })
    expect(await control('/clients')).toEqual({ clients: [] })
    await post(`${command.controlUrl}/rules`, { kind: 'away' })
    expect(await register('b')).toBe(200)
    expect(await control('/rules')).toMatchObject({ rules: [{}, {}, { kind: 'away', hits: 0 }] })
  })

  it('names the options that let other hosts in', async () => {
    await using command = await startCommand(PROGRAM, ['--schema-registry', '0'])
    const { status, body } = await getAs('registry:8081', `${command.registryUrl}/subjects`)
    expect([status, body]).toEqual([421, expect.stringContaining('--advertise or KAFKA_ADVERTISED_LISTENERS')])
  })

  it('is emptied with the broker', async () => {
    await using command = await startCommand(PROGRAM, ['--schema-registry', '0', '--control-port', '0'])
    await sendAndRead(command.port, command.registryUrl)
    expect((await fetch(`${command.controlUrl}/reset`, { method: 'POST' })).status).toBe(204)
    expect(await subjects(command.registryUrl)).toEqual([])
    expect(await sendAndRead(command.port, command.registryUrl)).toEqual({ name: 'Duvel' })
  })

  it('keeps its schemas in the data folder', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'standalone-'))
    for (const _ of ['first', 'again']) {
      await using command = await startCommand(PROGRAM, ['--schema-registry', '0', '--data-dir', folder.path])
      await sendAndRead(command.port, command.registryUrl)
      expect(await subjects(command.registryUrl)).toEqual(['beers-value'])
      await command.stop()
    }
  })
})
