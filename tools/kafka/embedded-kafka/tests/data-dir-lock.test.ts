import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataDirError, startEmbeddedKafka } from '../src/index.ts'
import { waitFor } from './consume.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rm(dataDir, { recursive: true, force: true }))

function stateOf(pid: number): string | undefined {
  return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.[0]
}

// Without /proc a zombie cannot be told from a process that lives.
describe('the lock of a data directory', { tags: 'linux' }, () => {
  it('is taken over from a broker that was killed and that its parent has not reaped', async () => {
    // The shell becomes a program that never asks for its children.
    const parent = spawn('sh', ['-c', '"$0" --conditions=development "$1" & exec sleep 600', process.execPath, MAIN], {
      env: { ...process.env, KAFKA_PORT: '0', KAFKA_DATA_DIR: dataDir, NODE_OPTIONS: '' },
      stdio: 'ignore',
    })
    try {
      const lock = join(dataDir, 'lock')
      await waitFor(() => existsSync(lock) && readFileSync(lock, 'utf8') !== '')
      const pid = Number(readFileSync(lock, 'utf8').split(' ')[0])
      await expect(startEmbeddedKafka({ dataDir })).rejects.toBeInstanceOf(DataDirError)
      process.kill(pid, 'SIGKILL')
      await waitFor(() => stateOf(pid) === 'Z')
      await using broker = await startEmbeddedKafka({ dataDir })
      expect(broker.port).toBeGreaterThan(0)
      expect(stateOf(pid)).toBe('Z')
    } finally {
      parent.kill('SIGKILL')
    }
  })

  it('cannot be where there is a file', async () => {
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    const started = startEmbeddedKafka({ dataDir: file })
    await expect(started).rejects.toThrow(DataDirError)
    await expect(started).rejects.toThrow(`the data directory ${file} cannot be used`)
  })

  it('is taken over from a process whose id another one has now', async () => {
    await writeFile(join(dataDir, 'lock'), `${process.pid} 1`)
    await using broker = await startEmbeddedKafka({ dataDir })
    expect(broker.port).toBeGreaterThan(0)
  })
})
