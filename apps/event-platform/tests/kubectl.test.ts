import { once } from 'node:events'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KubectlSession, startKubectlSession, TRIGGER } from './kubectl.ts'

describe('contract 4.7: a session with stock kubectl', { tags: 'kubectl' }, () => {
  let session: KubectlSession
  const kubectl = (command: string, input?: string) => session.kubectl(command, input)
  beforeAll(async () => {
    session = await startKubectlSession()
  })
  afterAll(() => session?.[Symbol.asyncDispose]())

  const rows = (output: string) =>
    output
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s{2,}/))

  it('contract 2.8: gets brokers with READY and URL', async () => {
    const [header, row] = rows(await kubectl('get brokers'))
    expect(header).toEqual(['NAME', 'URL', 'AGE', 'READY', 'REASON'])
    expect(row).toEqual(['default', 'http://default-broker.default.svc.cluster.local', expect.any(String), 'True'])
  })

  it('contract 2.9: gets triggers with READY, BROKER and SUBSCRIBER_URI', async () => {
    const [header, ...triggers] = rows(await kubectl('get triggers'))
    expect(header).toEqual(['NAME', 'BROKER', 'SUBSCRIBER_URI', 'AGE', 'READY', 'REASON'])
    const uri = (name: string) => `http://eventing${name}.default.svc.cluster.local`
    const contractual = ['aloha', 'bonjour']
    expect(triggers.filter(([name = '']) => contractual.includes(name))).toEqual(
      contractual.map((name) => [name, 'default', uri(name), expect.any(String), 'True']),
    )
  })

  it('contract 2.10: gets the sink services with URL, revision and the number of instances', async () => {
    const [header, ...sinks] = rows(await kubectl('get ksvc'))
    expect(header).toEqual(['NAME', 'URL', 'LATESTCREATED', 'LATESTREADY', 'READY', 'REASON', 'INSTANCES'])
    const url = 'http://eventingaloha.default.svc.cluster.local'
    expect(sinks).toContainEqual(['eventingaloha', url, 'eventingaloha-v1', 'eventingaloha-v1', 'True', '0'])
  })

  it.each(['get broker default -o yaml', 'describe trigger aloha', 'api-resources'])(
    'answers kubectl %s',
    async (command) => {
      expect(await kubectl(command)).toMatch(/trigger|broker/i)
    },
  )

  it('applies, changes, patches, waits for and deletes a trigger', async () => {
    expect(await kubectl('apply -f -', TRIGGER('one'))).toBe('trigger.eventing.knative.dev/extra created\n')
    expect(await kubectl('wait --for=condition=Ready trigger/extra --timeout=90s')).toMatch(/condition met/)
    expect(await kubectl('apply -f -', TRIGGER('two'))).toMatch(/configured/)
    const patch = '{"spec":{"filter":{"attributes":{"source":"/x"}}}}'
    const patched = await kubectl(`patch trigger extra --type=merge -o jsonpath={.spec.filter.attributes} -p ${patch}`)
    expect(JSON.parse(patched)).toEqual({ type: 'two', source: '/x' })
    expect(await kubectl('delete trigger extra')).toMatch(/deleted/)
  })

  it('refuses what is invalid, naming field and rule', async () => {
    const invalid = TRIGGER('one').replace('broker: default', 'broker: default\n  delivery: { retry: -1 }')
    await expect(kubectl('apply -f -', invalid)).rejects.toThrow(/spec\.delivery\.retry/)
  })

  it('watches: a change is shown while kubectl get -w runs', async () => {
    const watching = session.watch('get triggers -w')
    let output = ''
    watching.stdout.on('data', (chunk: Buffer) => {
      output += String(chunk)
    })
    await waitFor('the list is shown', () => output.includes('bonjour'))
    await kubectl('apply -f -', TRIGGER('one'))
    await waitFor('the new trigger is shown', () => output.includes('extra'))
    const closed = once(watching, 'close')
    watching.kill()
    await closed
    await kubectl('delete trigger extra')
  })
})
