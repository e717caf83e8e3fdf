import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from './event-requests.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

/** Answers with its variables. */
const APP = `
import { createServer } from 'node:http'
const server = createServer((_req, res) => res.end(JSON.stringify(process.env)))
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  console.log(JSON.stringify({ msg: 'variables ready', port: server.address().port }))
})
process.on('SIGTERM', () => process.exit(0))
`
const service = (name: string, namespace = 'default') => `
apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  template:
    spec:
      containers:
        - image: apps/variables
          env:
            - { name: GREETING, value: hello }
            - { name: DATABASE_URL, valueFrom: { secretKeyRef: { name: database, key: url } } }
`

describe('decisions 3.153: variables that the platform is given for a sink', () => {
  let appsDir: string
  let running: RunningPlatform
  const variablesOf = async (sink: string) => JSON.parse((await send(`${running.url}/sinks/${sink}`)).body)

  beforeAll(async () => {
    appsDir = await mkdtemp(join(tmpdir(), 'apps-'))
    await mkdir(join(appsDir, 'variables/dist'), { recursive: true })
    await writeFile(join(appsDir, 'variables/package.json'), '{"type":"module"}')
    await writeFile(join(appsDir, 'variables/dist/main.js'), APP)
    running = await runPlatform({
      bootstrapServers: '127.0.0.1:1',
      env: {
        APPS_DIR: appsDir,
        SINK_ORDER_LEDGER__DATABASE_URL: 'postgres://ledger:secret@db/ledger',
        SINK_ORDER_LEDGER__GREETING: 'good morning',
        SINK_ORDER__OTHER: 'of another sink',
      },
      files: { 'services.yaml': [service('order-ledger'), service('order')].join('---') },
    })
  })
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]()
    await rm(appsDir, { recursive: true, force: true })
  })

  it('reach that one, in place of its manifest and of its Secret', async () => {
    const variables = await variablesOf('order-ledger')
    expect(variables).toMatchObject({
      DATABASE_URL: 'postgres://ledger:secret@db/ledger',
      GREETING: 'good morning',
      K_SERVICE: 'order-ledger',
    })
    expect(Object.keys(variables).filter((name) => /^SINK_|^OTHER$/.test(name))).toEqual([])
  })

  it('are not logged, and are not in the resource API', async () => {
    await variablesOf('order-ledger')
    expect(running.lines.join()).not.toContain('secret@')
    const services = `${running.kubeUrl}/apis/serving.knative.dev/v1/namespaces/default/services`
    expect(await (await fetch(services)).text()).not.toContain('secret@')
  })

  it('are asked for by name where a Secret would have the value', async () => {
    const answer = await send(`${running.url}/sinks/order`)
    expect(answer.status).toBe(503)
    expect(answer.body).toContain('set SINK_ORDER__DATABASE_URL for event-platform')
  })
})
