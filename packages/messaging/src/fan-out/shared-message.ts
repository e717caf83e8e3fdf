import { type Extracted, type Tracing, tracing } from '@taproom/core/spans'
import type { IncomingMessage } from '../channel/message.ts'
import { messageBytes } from '../channel/message-bytes.ts'
import { detached, fromKafkaRecord, type KafkaRecord, type Undecodable } from '../kafka/record.ts'

/** Where a message comes from, and what is made of it. */
export interface Source<T> {
  readonly topic: string
  readonly partition: number
  read(message: IncomingMessage): T
}

type Content<T> = { readonly value: T } | { readonly error: unknown; readonly records: number }

/** A message for several, read when the first of them looks at it. */
export class SharedMessage<T> {
  readonly offset: bigint
  /** The offset behind it: made once for all. */
  readonly next: bigint
  readonly message: IncomingMessage
  readonly bytes: number
  readonly #source: Source<T>
  readonly #undecodable: Undecodable | undefined
  #content: Content<T> | undefined
  #trace: Extracted | undefined

  constructor(source: Source<T>, record: KafkaRecord) {
    this.#source = source
    this.#undecodable = record.undecodable
    this.offset = BigInt(record.offset)
    this.next = this.offset + 1n
    // It may wait for a while: the rest of the fetched answer is not to wait with it.
    this.message = detached(fromKafkaRecord(source.topic, source.partition, record))
    this.bytes = messageBytes(this.message)
  }

  /** What it is, or why it cannot be read. */
  get content(): Content<T> {
    this.#content ??= this.#read()
    return this.#content
  }

  /** The trace that it carries, read once for all who continue it. */
  trace(traces: Tracing): Extracted {
    this.#trace ??= traces.extract(this.message.headers)
    return this.#trace
  }

  /** Whether its sender has sampled its trace, and this process has traces, too. */
  get isSampled(): boolean {
    const traces = tracing()
    return traces !== undefined && this.trace(traces).isSampled
  }

  #read(): Content<T> {
    if (this.#undecodable !== undefined) {
      const { error, records } = this.#undecodable
      return { error, records }
    }
    try {
      return { value: this.#source.read(this.message) }
    } catch (error) {
      return { error, records: 1 }
    }
  }
}
