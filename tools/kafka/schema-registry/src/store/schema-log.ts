import { randomUUID } from 'node:crypto'
import { createLogWindow, type Log, reasonOf } from '@taproom/core/lines'
import { withDeadline } from '@taproom/core/time'
import {
  type IncomingMessage,
  type KafkaClient,
  MessagingError,
  openIncoming,
  openOutgoing,
  SendRefusedError,
} from '@taproom/messaging'
import { refusals } from '../errors.ts'
import { ensureTopic } from './ensure-topic.ts'
import { decodeRecord, encodeRecord, type RegistryRecord, type VersionRecord } from './records.ts'
import { type Outcome, RegistryState } from './registry-state.ts'

export interface SchemaLogOptions {
  readonly kafka: KafkaClient
  readonly topic: string
  /** For one record to be written and read back. */
  readonly timeoutMs: number
  readonly log: Log
}

/** Marks the record of one `append`; Confluent's registry passes over headers. */
const WRITE_HEADER = 'taproom-write'
/** Marks a record that says again what another one with its key has replaced in vain. */
const REPAIR_HEADER = 'taproom-repair'

/** To read the topic from its beginning, however long it is. */
const READ_ALL_MS = 300_000
/** Each time somebody changes the version in between. */
const MOST_REPAIRS = 20

/** The topic `_schemas`: written to, read to its end, and kept as a state. */
export class SchemaLog implements AsyncDisposable {
  readonly state = new RegistryState()
  readonly #options: SchemaLogOptions
  readonly #outgoing
  readonly #incoming
  readonly #waiting = new Map<string, (outcome: Outcome) => void>()
  /** A topic of nonsense does not fill a disk with log lines. */
  readonly #mayWarn = createLogWindow({
    lines: 20,
    windowMs: 60_000,
    onLeftOut: (counts) => this.#options.log.warn(counts, 'further records of the schema topic passed over'),
  })
  #lastOffset = -1n
  #isLive = false

  private constructor(options: SchemaLogOptions) {
    const { kafka, topic, timeoutMs } = options
    this.#options = options
    this.#outgoing = openOutgoing(kafka, { channel: topic, timeoutMs })
    this.#incoming = openIncoming(kafka, {
      channel: topic,
      from: 'earliest',
      failureStrategy: 'ignore',
      onMessage: (message) => this.#take(message),
    })
  }

  /** Creates the topic when it is missing, and reads all that is on it. */
  static async open(options: SchemaLogOptions): Promise<SchemaLog> {
    await ensureTopic(options.kafka.kafkajs, options.topic)
    const log = new SchemaLog(options)
    try {
      await log.#append({ keytype: 'NOOP', value: null }, { timeoutMs: READ_ALL_MS })
      log.#isLive = true
      return log
    } catch (error) {
      await log[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Writes a record; resolves once it was read back, and everything before it. A record in conflict leaves no trace. */
  async append(record: RegistryRecord): Promise<Outcome> {
    const outcome = await this.#append(record)
    if (outcome === 'conflict' && record.keytype === 'SCHEMA') await this.#repair(record)
    return outcome
  }

  /** Resolves when everything that others have written so far was read. */
  async catchUp(): Promise<void> {
    await this.append({ keytype: 'NOOP', value: null })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await using _outgoing = this.#outgoing
    await this.#incoming[Symbol.asyncDispose]()
  }

  async #append(
    record: RegistryRecord,
    { timeoutMs = this.#options.timeoutMs, isRepair = false } = {},
  ): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const write = randomUUID()
    this.#waiting.set(write, resolve)
    try {
      const headers = { [WRITE_HEADER]: write, ...(isRepair && { [REPAIR_HEADER]: 'true' }) }
      await this.#outgoing.send({ ...encodeRecord(record), headers })
      return await withDeadline(promise, timeoutMs, 'reading the written record back')
    } catch (cause) {
      if (cause instanceof SendRefusedError) throw refusals.schemaTooLarge()
      if (cause instanceof MessagingError) throw refusals.storeFailed('The write to Kafka failed', cause)
      throw refusals.timedOut('The write to Kafka timed out', cause)
    } finally {
      this.#waiting.delete(write)
    }
  }

  #take({ offset, key, value, headers }: IncomingMessage): void {
    // After a lost connection some come again.
    if (BigInt(offset) <= this.#lastOffset) return
    this.#lastOffset = BigInt(offset)
    const write = headers[WRITE_HEADER]
    const isRepair = headers[REPAIR_HEADER] !== undefined
    const outcome = this.#apply({ offset, key, value }, { isRepair, isForeign: write === undefined })
    if (write !== undefined) this.#waiting.get(write)?.(outcome)
  }

  #apply(
    { offset, key, value }: Pick<IncomingMessage, 'offset' | 'key' | 'value'>,
    { isRepair, isForeign }: { readonly isRepair: boolean; readonly isForeign: boolean },
  ): Outcome {
    let record: RegistryRecord | undefined
    try {
      record = decodeRecord(key, value)
    } catch (error) {
      this.#warn({ offset, reason: reasonOf(error) })
      return 'unreadable'
    }
    if (record === undefined) return 'applied'
    if (isRepair && this.#isLive && record.keytype === 'SCHEMA') return this.state.applyRepair(record)
    // Nobody repairs what other programs replace: there the last record counts, as it does from the beginning of the topic.
    const outcome = this.state.apply(record, { mayReplace: isForeign || !this.#isLive })
    if (outcome === 'full' || (outcome === 'conflict' && isForeign)) this.#warn({ offset, outcome })
    return outcome
  }

  #warn(fields: object): void {
    if (this.#mayWarn('topic', 'records')) this.#options.log.warn(fields, 'record of the schema topic passed over')
  }

  /**
   * Writes what stands there again, until that is the last record of its key: compaction keeps the last one, whoever came first. Where nothing
   * stands the next record of the key is the one that counts.
   */
  async #repair({ subject, version }: VersionRecord): Promise<void> {
    if (this.state.version(subject, version) === undefined) return
    for (let attempt = 0; attempt < MOST_REPAIRS; attempt += 1) {
      const value = this.state.version(subject, version) ?? null
      const outcome = await this.#append({ keytype: 'SCHEMA', subject, version, value }, { isRepair: true })
      if (outcome === 'applied') return
    }
    this.#options.log.error({ subject, version }, 'replaced schema not written again')
  }
}
