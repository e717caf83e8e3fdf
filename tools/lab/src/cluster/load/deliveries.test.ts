import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readDeliveries } from './deliveries.ts'

it('counts what sinks logged as received, by sink and id', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deliveries-'))
  try {
    const line = (sink: string, id: string, time = 0) =>
      JSON.stringify({ time, msg: 'event received', sink, event: { id } })
    const lines = [
      line('aloha', '1'),
      'no JSON',
      line('bonjour', '1'),
      line('aloha', '1', 1),
      line('aloha', '1', 1),
      '{"msg":"ready"}',
    ]
    await writeFile(join(folder, 'log'), `${lines.join('\n')}\n`)
    expect(await readDeliveries(join(folder, 'log'))).toEqual({
      aloha: new Map([['1', 2]]),
      bonjour: new Map([['1', 1]]),
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})
