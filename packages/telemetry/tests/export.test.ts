import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { tracing } from '@taproom/core/spans'
import { run } from '@taproom/processes'
import { eventually, waitFor } from '@taproom/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { openTelemetry } from '../src/index.ts'

interface Export {
  readonly path: string | undefined
  readonly type: string | undefined
  readonly token: string | undefined
  readonly body: Buffer
}

/** What an OTLP endpoint gets; `answer` decides when it answers. */
async function collect(answer: (end: () => void) => void = (end) => end()) {
  const got: Export[] = []
  const server = createServer(async (req, res) => {
    const parts: Buffer[] = []
    for await (const part of req) parts.push(part)
    const { 'content-type': type, 'x-token': token } = req.headers
    got.push({ path: req.url, type, token: token?.toString(), body: Buffer.concat(parts) })
    answer(() => res.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    got,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function recordingLog() {
  const lines: { readonly fields: object; readonly message: string }[] = []
  const write = (fields: object, message: string) => void lines.push({ fields, message })
  return { lines, debug: write, info: write, warn: write, error: write }
}

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

describe('openTelemetry', () => {
  it('loads no client for HTTP before the first export: a sink that starts from zero has no time for it', async () => {
    const main = fileURLToPath(new URL('loaded-modules-main.ts', import.meta.url))
    const { stdout } = await run(process.execPath, ['--conditions=development', main])
    expect(JSON.parse(stdout)).toEqual([])
  })

  it('decisions 3.114: waits as long after the program is ready as TELEMETRY_DELAY_MS says, without anybody waiting for it', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', TELEMETRY_DELAY_MS: '1' }
    const log = recordingLog()
    const telemetry = await openTelemetry({ name: 'a-service', env, log })
    expect(tracing()).toBeUndefined()
    telemetry.ready()
    await waitFor('tracing', () => tracing() !== undefined)
    expect(log.lines).toMatchObject([{ message: 'traces are exported' }])
    await telemetry[Symbol.asyncDispose]()

    await using never = await openTelemetry({ name: 'a-service', env: { ...env, TELEMETRY_DELAY_MS: '60000' }, log })
    never.ready()
    await never[Symbol.asyncDispose]()
    expect(tracing()).toBeUndefined()
    expect(log.lines).toHaveLength(1)
  })

  it.each([
    ['no endpoint', {}],
    ['OTEL_SDK_DISABLED', { OTEL_SDK_DISABLED: 'TRUE' }],
    ['OTEL_TRACES_EXPORTER=none', { OTEL_TRACES_EXPORTER: 'none' }],
  ])('decisions 3.80: registers nothing with %s', async (_case, env) => {
    const endpoint = Object.keys(env).length === 0 ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
    const log = recordingLog()
    await using _telemetry = await openTelemetry({ name: 'a-service', env: { ...endpoint, ...env }, log })
    expect(tracing()).toBeUndefined()
    expect(log.lines).toEqual([])
  })

  it('exports what waits when it is disposed of, to the endpoint with its headers', async () => {
    await using collector = await collect()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/base/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20secret',
    }
    {
      await using _telemetry = await openTelemetry({ name: 'a-service', env, log: recordingLog() })
      tracing()?.start('test', 'a span of the test')?.end()
    }
    // What is on its way when the time of the end is over arrives all the same.
    await eventually(() =>
      expect(collector.got).toMatchObject([
        { path: '/base/v1/traces', type: 'application/x-protobuf', token: 'a secret' },
      ]),
    )
    expect(collector.got[0]?.body.includes('a span of the test')).toBe(true)
    expect(collector.got[0]?.body.includes('a-service')).toBe(true)
    expect(tracing()).toBeUndefined()
  })

  it('keeps no more of a span than OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT and the other limits allow', async () => {
    await using collector = await collect()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '1',
      OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '4',
      OTEL_SPAN_EVENT_COUNT_LIMIT: '1',
    }
    {
      await using _telemetry = await openTelemetry({ name: 'a-service', env, log: recordingLog() })
      const span = tracing()?.start('test', 'a span', { attributes: { first: 'text-that-is-cut', second: 1 } })
      span?.addEvent('event-left-out').addEvent('event-kept').end()
    }
    await eventually(() => expect(collector.got).toHaveLength(1))
    const body = collector.got[0]?.body.toString('latin1') ?? ''
    const isIn = (text: string) => body.includes(text)
    expect(['first', 'text', 'event-kept'].map(isIn)).toEqual([true, true, true])
    expect(['second', 'text-', 'event-left-out'].map(isIn)).toEqual([false, false, false])
  })

  it('exports the spans that the sampler takes, in the trace that a caller has sampled', async () => {
    await using collector = await collect()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    }
    {
      await using _telemetry = await openTelemetry({ name: 'a-service', env, log: recordingLog() })
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      const parent = tracing()?.extract({ traceparent }).context
      tracing()?.start('test', 'left-out', { kind: 'server' })?.end()
      tracing()?.start('test', 'continued', { kind: 'server', parent })?.end()
    }
    await eventually(() => expect(collector.got).toHaveLength(1))
    expect(collector.got[0]?.body.includes('continued')).toBe(true)
    expect(collector.got[0]?.body.includes('left-out')).toBe(false)
  })

  it('ends although the collector never answers', async () => {
    await using collector = await collect(() => undefined)
    const log = recordingLog()
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/traces` }
    const telemetry = await openTelemetry({ name: 'a-service', env, log })
    tracing()?.start('test', 'a span')?.end()
    await telemetry[Symbol.asyncDispose]()
    await eventually(() => expect(collector.got).toMatchObject([{ path: '/traces' }]))
  })

  it('decisions 3.82: keeps as many spans as its queue holds and drops the others', async () => {
    await using collector = await collect()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_MAX_QUEUE_SIZE: '7',
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    }
    {
      await using _telemetry = await openTelemetry({ name: 'a-service', env, log: recordingLog() })
      for (let count = 0; count < 100; count += 1) tracing()?.start('test', 'counted')?.end()
    }
    const counted = () =>
      collector.got
        .map(({ body }) => body.toString('latin1'))
        .join('')
        .split('counted').length - 1
    await eventually(() => expect(counted()).toBeGreaterThanOrEqual(7))
    expect(counted()).toBeLessThanOrEqual(14)
  })

  it('tells of a collector that cannot be reached, and of variables without effect', async () => {
    const log = recordingLog()
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_SAMPLER: 'sometimes' }
    {
      await using _telemetry = await openTelemetry({ name: 'a-service', env, log })
      tracing()?.start('test', 'lost')?.end()
    }
    const expected =
      'one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio'
    expect(log.lines).toContainEqual({
      fields: { variable: 'OTEL_TRACES_SAMPLER', value: 'sometimes', expected },
      message: 'variable of telemetry ignored',
    })
  })
})
