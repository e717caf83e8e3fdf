import { afterAll, describe, expect, it } from 'vitest'
import { nodePod } from '../src/cluster/node-program.ts'
import { kubectl } from '../src/harness/kubectl.ts'

/** Tries for ten seconds and prints what it found at last: an enforcer learns of a new pod a moment after it was started. */
const PROBE = (host: string, port: number) => `
  const over = Date.now() + 10_000
  function tryIt() {
    const socket = require('node:net').connect(${port}, '${host}')
    socket.setTimeout(3000, () => socket.destroy(Object.assign(new Error(), { code: 'no answer' })))
    socket.once('connect', () => { socket.destroy(); found('connected') })
    socket.once('error', ({ code }) => found(code))
  }
  function found(what) {
    if (Date.now() < over) setTimeout(tryIt, 500)
    else console.log(what)
  }
  tryIt()`

/** How an enforcer refuses: by silence, or by saying so. A name that is not known is none of it. */
const REFUSED = ['no answer', 'ECONNREFUSED', 'EHOSTUNREACH', 'EACCES']

/** Where the Gateway's proxies run. */
const GATEWAY = 'envoy-gateway-system'

let number = 0

/** Connects from a pod with these labels to an address, and gives the outcome: `connected`, `no answer`, or the code of an error. */
async function tryFrom(
  namespace: string,
  labels: Readonly<Record<string, string>>,
  host: string,
  port: number,
): Promise<string> {
  number += 1
  const name = `stranger-${number}`
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { test: 'stranger', ...labels } },
    spec: { restartPolicy: 'Never', ...nodePod({ name: 'stranger', args: ['-e', PROBE(host, port)] }) },
  }
  await kubectl(['apply', '--filename', '-'], JSON.stringify(pod))
  await kubectl(['-n', namespace, 'wait', '--for=jsonpath={.status.phase}=Succeeded', `pod/${name}`, '--timeout=90s'])
  return (await kubectl(['-n', namespace, 'logs', name])).trim()
}

afterAll(async () => {
  for (const namespace of ['default', 'taproom', GATEWAY]) {
    await kubectl(['-n', namespace, 'delete', 'pods', '--selector', 'test=stranger', '--wait=false'])
  }
})

describe('what the NetworkPolicies refuse, by an enforcer', () => {
  it.each([
    ['default', 'kafka.taproom', 9092],
    ['default', 'postgresql.taproom', 5432],
    ['default', 'claim-api.taproom', 80],
    ['default', 'claim-api.taproom', 9000],
    [GATEWAY, 'claim-api.taproom', 9000],
    ['taproom', 'postgresql.taproom', 5432],
    ['taproom', 'kafka.taproom', 9092],
  ])('a stranger in %s does not reach %s:%d', async (namespace, host, port) => {
    expect(REFUSED).toContain(await tryFrom(namespace, {}, host, port))
  })

  it.each([
    ['needs-database', 'postgresql.taproom', 5432],
    ['needs-kafka', 'kafka.taproom', 9092],
  ])('a pod that is let in by the label %s reaches %s:%d', async (label, host, port) => {
    expect(await tryFrom('taproom', { [`taproom.dev/${label}`]: 'true' }, host, port)).toBe('connected')
  })

  it('a pod beside the proxies of the Gateway reaches claim-api.taproom:80', async () => {
    expect(await tryFrom(GATEWAY, {}, 'claim-api.taproom', 80)).toBe('connected')
  })
})
