import { createRequire } from 'node:module'
import { CloudEventsError, fromKafkaMessage } from '@taproom/events'
// Gives the decoder its codecs.
import '@taproom/kafkajs'
import kafkajs from 'kafkajs'
import { hostileBatch, RECORD_SHAPES } from '../kafka/record-batch.ts'
import { inPlaces } from '../kit/shapes.ts'
import { mutateBytes } from '../kit/text.ts'
import type { ParserTarget, Probe } from './parser-target.ts'

interface DecodedRecord {
  readonly headers: Readonly<Record<string, unknown>>
  readonly value: Buffer | null
}

const load = createRequire(import.meta.url)
// The decoder of its consumers, which kafkajs does not export.
const Decoder = load('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => object
const decodeBatch = load('kafkajs/src/protocol/recordBatch/v0/decoder.js') as (
  decoder: object,
) => Promise<{ readonly records: readonly DecodedRecord[] }>

/**
 * Record batches through the decoder of all consumers, and each record as an event. Whether a consumer survives records that are refused
 * here is tested by the surface `consumer`.
 */
export async function openRecords(): Promise<ParserTarget> {
  const probe = (batch: Buffer): Probe => ({ run: () => decode(batch), text: () => batch.toString('base64') })
  return {
    shapes: inPlaces(RECORD_SHAPES, { batch: probe }),
    input: (random) => {
      const batch = hostileBatch(random)
      return probe(random.chance(0.3) ? mutateBytes(random, batch) : batch)
    },
    isOwn: (error) => error instanceof kafkajs.KafkaJSError || error instanceof CloudEventsError || isOutOfRange(error),
  }
}

/** Offset and length of a batch, by which kafkajs finds it: shorter bytes never reach the decoder. */
const BATCH_FRAME_BYTES = 12
/** Consumers wait for a handler per record, this target once for all. */
const RECORDS_READ = 100

async function decode(batch: Buffer): Promise<void> {
  if (batch.length < BATCH_FRAME_BYTES) return
  const { records } = await decodeBatch(new Decoder(batch))
  for (const { headers, value } of records.slice(0, RECORDS_READ)) {
    const text = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, String(header)]))
    try {
      fromKafkaMessage({ headers: text, value })
    } catch (error) {
      if (!(error instanceof CloudEventsError)) throw error
    }
  }
}

/** Errors of Buffer for bytes that end too early, which the decoder passes on. */
function isOutOfRange(error: unknown): boolean {
  const code = error instanceof RangeError && 'code' in error && error.code
  return code === 'ERR_OUT_OF_RANGE' || code === 'ERR_BUFFER_OUT_OF_BOUNDS'
}
