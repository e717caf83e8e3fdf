import { once } from 'node:events'
import { createLogWindow, jsonLine } from '@taproom/lines'
import { readConfig } from './config.ts'
import { startEmbeddedKafka } from './embedded-kafka.ts'
import { isClientFault } from './network/connection.ts'

function log(level: 'info' | 'warn' | 'error', fields: object): void {
  const stream = level === 'error' ? process.stderr : process.stdout
  stream.write(jsonLine({ level, ...fields }))
}

async function main() {
  const config = readConfig(process.env)
  const shutdown = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => shutdown.abort())

  // A client that reconnects again and again must not fill a disk with log lines; a defect is always logged.
  const mayWrite = createLogWindow({
    lines: 20,
    windowMs: 60_000,
    onLeftOut: (counts) => log('warn', { ...counts, msg: 'further connections closed' }),
  })
  await using kafka = await startEmbeddedKafka({
    ...config,
    onDamage: (damage) => log('warn', { damage, msg: 'data set aside' }),
    onConnectionError(error, remote) {
      const isDefect = !isClientFault(error)
      if (isDefect || mayWrite(remote, 'connections')) {
        log(isDefect ? 'error' : 'warn', { remote, err: String(error), msg: 'connection closed' })
      }
    },
  })
  const ports = Object.fromEntries(kafka.listeners.map((listener) => [listener.name, listener.port]))
  log('info', { port: kafka.port, ...(kafka.listeners.length > 1 && { ports }), msg: 'embedded-kafka ready' })
  if (!shutdown.signal.aborted) await once(shutdown.signal, 'abort')
}

main().catch((error: unknown) => {
  log('error', { err: String(error), msg: 'embedded-kafka failed' })
  process.exitCode = 1
})
