import { once } from 'node:events'
import { readConfig } from './config.ts'
import { startEmbeddedKafka } from './embedded-kafka.ts'
import { isClientFault } from './network/connection.ts'

function log(level: 'info' | 'warn' | 'error', fields: object): void {
  const stream = level === 'error' ? process.stderr : process.stdout
  stream.write(`${JSON.stringify({ level, ...fields })}\n`)
}

async function main() {
  const { host, port, dataDir } = readConfig(process.env)
  const shutdown = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => shutdown.abort())

  await using kafka = await startEmbeddedKafka({
    host,
    port,
    ...(dataDir !== undefined && { dataDir }),
    onConnectionError: (error, remote) =>
      log(isClientFault(error) ? 'warn' : 'error', { remote, err: String(error), msg: 'connection closed' }),
  })
  log('info', { port: kafka.port, msg: 'embedded-kafka ready' })
  if (!shutdown.signal.aborted) await once(shutdown.signal, 'abort')
}

main().catch((error: unknown) => {
  log('error', { err: String(error), msg: 'embedded-kafka failed' })
  process.exitCode = 1
})
