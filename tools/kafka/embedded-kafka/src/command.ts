import { once } from 'node:events'
import { createLogWindow, jsonLine } from '@taproom/core/lines'
import { REGISTRY_LISTENER } from './broker/clients.ts'
import { helpText, readCommandLine } from './command-line.ts'
import { type CommandRegistry, type LoadRegistry, planRegistry } from './command-registry.ts'
import { readConfig } from './config.ts'
import { startEmbeddedKafka } from './embedded-kafka.ts'
import { isClientFault } from './errors.ts'
import { checkHealth } from './health.ts'
import { readBrokerProperties } from './properties/broker-properties.ts'
import { propertiesOf } from './properties/environment-properties.ts'
import { withImageVariables } from './properties/image-variables.ts'

function log(level: 'info' | 'warn' | 'error', fields: object): void {
  const stream = level === 'error' ? process.stderr : process.stdout
  stream.write(jsonLine({ level, time: new Date().toISOString(), ...fields }))
}

/** The differences between the command and its forms that bring everything. */
export interface CommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: () => string
  /** Loads `@taproom/schema-registry`. Rejects when it is not installed. */
  readonly loadRegistry: LoadRegistry
}

/** Runs the command until a signal ends it; a failure is logged and is the exit code 1. */
export function runCommand(options: CommandOptions): void {
  run(options).catch((error: unknown) => {
    log('error', { err: String(error), msg: 'embedded-kafka failed' })
    process.exitCode = 1
  })
}

async function run({ env, version, loadRegistry }: CommandOptions) {
  const commandLine = readCommandLine(process.argv.slice(2))
  if (commandLine.values.has('help')) return void process.stdout.write(helpText())
  if (commandLine.values.has('version')) return void process.stdout.write(`${version()}\n`)
  const { schemaRegistry, ...config } = readConfig(env, commandLine)
  if (commandLine.values.has('health')) return await checkHealth(config)
  const shutdown = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => shutdown.abort())
  if (commandLine.values.has('exit-on-stdin-close')) process.stdin.once('close', () => shutdown.abort()).resume()

  // A client that reconnects again and again must not fill a disk with log lines; a defect is always logged.
  const mayWrite = createLogWindow({
    lines: 20,
    windowMs: 60_000,
    onLeftOut: (counts) => log('warn', { ...counts, msg: 'further connections closed' }),
  })
  const planned = schemaRegistry && (await planRegistry(config, loadRegistry))
  let registry: CommandRegistry | undefined
  await using kafka = await startEmbeddedKafka({
    ...(planned?.options ?? config),
    onReset: () =>
      void registry
        ?.reload()
        .catch((error: unknown) => log('error', { err: String(error), msg: 'schema registry failed' })),
    onWriteFailure: (file, error) => log('error', { file, err: String(error), msg: 'cannot write' }),
    onMemoryFull: () => log('warn', { msg: 'memory is full: the oldest records are dropped; --data-dir keeps them' }),
    onDamage: (damage) => log('warn', { damage, msg: 'data set aside' }),
    onConnectionError(error, remote) {
      const isDefect = !isClientFault(error)
      if (isDefect || mayWrite(remote, 'connections')) {
        log(isDefect ? 'error' : 'warn', { remote, err: String(error), msg: 'connection closed' })
      }
    },
  })
  await using opened = planned && schemaRegistry && (await planned.open(kafka, schemaRegistry))
  registry = opened
  const forClients = kafka.listeners.filter(({ name }) => name !== REGISTRY_LISTENER)
  const ports = Object.fromEntries(forClients.map((listener) => [listener.name, listener.port]))
  const { port, controlPort } = kafka
  log('info', {
    port,
    ...(forClients.length > 1 && { ports }),
    ...(kafka.brokers.length > 1 && { bootstrapServers: kafka.bootstrapServers }),
    ...(controlPort !== undefined && { controlPort }),
    ...(registry !== undefined && { schemaRegistryPort: registry.port }),
    msg: 'embedded-kafka ready',
  })
  reportProperties(env, kafka.brokers.length)
  if (!shutdown.signal.aborted) await once(shutdown.signal, 'abort')
}

/** Logs what compose files ask for and this broker is not: one of several services, or a broker with these properties. */
function reportProperties(env: CommandOptions['env'], brokers: number): void {
  const properties = propertiesOf(withImageVariables(env, []).env)
  const nodes = properties.values['controller.quorum.voters']?.split(',').length ?? 1
  if (nodes > brokers) {
    const msg = `a cluster of its own: the other nodes are not asked; --brokers ${nodes} starts all here`
    log('warn', { nodes, msg })
  }
  const { withoutEffect } = readBrokerProperties(properties, [])
  if (withoutEffect.length > 0) {
    log('info', { properties: withoutEffect.slice(0, 100), msg: 'properties without effect here' })
  }
}
