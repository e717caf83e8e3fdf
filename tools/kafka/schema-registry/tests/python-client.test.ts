import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { withProgress } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { startRegistry } from './registry-client.ts'

/** A Python with `confluent-kafka[avro,json]`. */
const python = process.env['CONFLUENT_KAFKA_PYTHON'] ?? ''

describe("Confluent's client for Python", () => {
  it('registers, serializes, deserializes, compares and deletes', {
    tags: 'python-client',
    skip: python === '',
  }, async () => {
    await using registry = await startRegistry()
    const script = fileURLToPath(new URL('./python-client.py', import.meta.url))
    const { stdout } = await withProgress(run(python, [script, registry.url]), 'the program')
    expect(stdout.trim().split('\n')).toEqual([
      'avro {"name": "Duvel"}',
      'json {"name": "Duvel"}',
      'protobuf Breendonk',
      "text package beers; ['brewery.proto']",
      'serialized 4',
      "contract {'owner': 'bar'} ['upper']",
      'metadata 1',
      "context 1 [':.other:beers']",
      'lookup 1',
      'compatible False',
      'conflict 40901',
      'config FULL',
      'subjects :.other:beers,beers-avro-value,beers-json-value',
      'deleted 1',
      'missing 40401',
    ])
  })
})
