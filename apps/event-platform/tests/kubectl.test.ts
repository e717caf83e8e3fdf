import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startKafka, type TestKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startKubeApi } from './kube-api.ts'
import { KUBECTL } from './kubectl.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

const run = promisify(execFile)
const TRIGGER = (type: string) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: extra }
spec:
  broker: default
  filter: { attributes: { type: ${type} } }
  subscriber: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: eventingaloha } }
`

describe('contract 4.7: a session with stock kubectl', { tags: 'kubectl' }, () => {
  let kafka: TestKafka
  let running: RunningPlatform
  let home: string
  /** Runs kubectl as a user would; gives its output, or rejects with what it wrote to stderr. */
  const kubectl = async (command: string, input = '') => {
    const env = { HOME: home, PATH: process.env['PATH'] }
    const child = run(KUBECTL, ['-s', running.kubeUrl, ...command.split(' ')], { env })
    child.child.stdin?.end(input)
    return (await child).stdout
  }
  const rows = (output: string) =>
    output
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s{2,}/))

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'kubectl-'))
    kafka = await startKafka()
    running = await runPlatform({ bootstrapServers: kafka.bootstrapServers })
    await running.ready()
  })
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]()
    await kafka?.[Symbol.asyncDispose]()
    await rm(home, { recursive: true })
  })

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
    const [header, row] = rows(await kubectl('get ksvc'))
    expect(header).toEqual(['NAME', 'URL', 'LATESTCREATED', 'LATESTREADY', 'READY', 'REASON', 'INSTANCES'])
    const url = 'http://eventingaloha.default.svc.cluster.local'
    expect(row).toEqual(['eventingaloha', url, 'eventingaloha-v1', 'eventingaloha-v1', 'True', '0'])
  })

  it.each([
    'get broker default -o yaml',
    'get triggers.v1beta1.eventing.knative.dev -o json',
    'describe trigger aloha',
    'get brokers,triggers,ksvc -A',
    'get knative',
    'get triggers -l eventing.knative.dev/broker=default -o name',
    'api-resources',
  ])('answers kubectl %s', async (command) => {
    expect(await kubectl(command)).toMatch(/trigger|broker/i)
  })

  it('applies, changes, patches, waits for and deletes a trigger', async () => {
    expect(await kubectl('apply -f -', TRIGGER('one'))).toBe('trigger.eventing.knative.dev/extra created\n')
    expect(await kubectl('wait --for=condition=Ready trigger/extra --timeout=90s')).toMatch(/condition met/)
    expect(await kubectl('apply -f -', TRIGGER('one'))).toMatch(/unchanged/)
    expect(await kubectl('apply -f -', TRIGGER('two'))).toMatch(/configured/)
    const patch = '{"spec":{"filter":{"attributes":{"source":"/x"}}}}'
    expect(await kubectl(`patch trigger extra --type=merge -p ${patch}`)).toMatch(/patched/)
    const filter = await kubectl('get trigger extra -o jsonpath={.spec.filter.attributes}')
    expect(JSON.parse(filter)).toEqual({ type: 'two', source: '/x' })
    expect(await kubectl('label trigger extra team=events')).toMatch(/labeled/)
    expect(await kubectl('delete trigger extra')).toMatch(/deleted/)
    await expect(kubectl('get trigger extra')).rejects.toThrow(/NotFound/)
  })

  it('creates with server-side apply, and only asks with a dry run', async () => {
    expect(await kubectl('apply --server-side -f -', TRIGGER('one'))).toMatch(/serverside-applied/)
    expect(await kubectl('delete trigger extra --dry-run=server')).toMatch(/dry run/)
    expect(await kubectl('delete trigger extra')).toMatch(/deleted/)
  })

  it('refuses what is invalid, naming field and rule', async () => {
    const invalid = TRIGGER('one').replace('broker: default', 'broker: default\n  delivery: { retry: -1 }')
    await expect(kubectl('apply -f -', invalid)).rejects.toThrow(/spec\.delivery\.retry/)
  })

  it('contract 2.8: a namespace gets its default broker by the injection label', async () => {
    await kubectl('create namespace tap')
    await kubectl('label namespace tap eventing.knative.dev/injection=enabled')
    expect(await kubectl('wait --for=condition=Ready broker/default -n tap --timeout=90s')).toMatch(/condition met/)
    expect(await kubectl('delete namespace tap')).toMatch(/deleted/)
    await expect(kubectl('get broker default -n tap')).rejects.toThrow(/NotFound/)
  })

  it('writes with the token as password where others reach the API, and not without', async () => {
    const token = 'a-token-of-more-than-32-characters-0'
    await using api = await startKubeApi({ isLocalOnly: false, token })
    const env = { HOME: home, PATH: process.env['PATH'] }
    const create = (url: string) => run(KUBECTL, ['-s', url, 'create', 'namespace', 'tap'], { env })
    await expect(create(api.url)).rejects.toThrow(/KUBE_TOKEN_FILE/)
    await expect(create(api.url.replace('//', '//kubectl:other@'))).rejects.toThrow(/KUBE_TOKEN_FILE/)
    expect((await create(api.url.replace('//', `//kubectl:${token}@`))).stdout).toMatch(/created/)
  })

  it('watches: a change is shown while kubectl get -w runs', async () => {
    const env = { HOME: home, PATH: process.env['PATH'] }
    const watching = execFile(KUBECTL, ['-s', running.kubeUrl, 'get', 'triggers', '-w'], { env })
    let output = ''
    watching.stdout?.on('data', (chunk: string) => {
      output += chunk
    })
    await waitFor('the list is shown', () => output.includes('bonjour'))
    await kubectl('apply -f -', TRIGGER('one'))
    await waitFor('the new trigger is shown', () => output.includes('extra'))
    watching.kill()
    await kubectl('delete trigger extra')
  })
})
