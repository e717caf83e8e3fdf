import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DiskFile } from './disk-file.ts'
import { Folder } from './folder.ts'
import { StateStore } from './state-store.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('StateStore', () => {
  it('is in a folder for this user alone: keys of SCRAM are in it', { tags: 'linux' }, () => {
    const made = join(folder, 'above', 'data')
    new StateStore(made).close()
    const modes = [join(folder, 'above'), made, join(made, 'state.journal')].map((path) => statSync(path).mode & 0o777)
    expect(modes).toEqual([0o700, 0o700, 0o600])
  })

  it('comes back with the last values, whatever was torn off its end', () => {
    const store = new StateStore(folder)
    store.write([
      { table: 't', id: 'a', value: 1 },
      { table: 't', id: 'b', value: { x: 'y' } },
    ])
    const { size } = new DiskFile(new Folder(folder), 'state.journal')
    store.write([
      { table: 't', id: 'a', value: 2 },
      { table: 't', id: 'b', value: null },
    ])
    store.close()
    const file = new DiskFile(new Folder(folder), 'state.journal')
    const whole = Buffer.from(file.read(0, file.size))
    for (let cut = whole.length; cut >= size; cut -= 1) {
      const torn = new DiskFile(new Folder(folder), 'state.journal')
      torn.truncate(0)
      torn.append(whole.subarray(0, cut))
      torn.seal()
      const again = new StateStore(folder)
      const values = Object.fromEntries(again.table('t'))
      again.close()
      expect(values).toEqual(cut === whole.length ? { a: 2 } : { a: 1, b: { x: 'y' } })
    }
    file.seal()
  })

  it('stays small when the same value is written over and over', () => {
    const store = new StateStore(folder)
    for (let count = 0; count < 3000; count += 1)
      store.write([{ table: 'offsets', id: 'a', value: 'x'.repeat(1000) + count }])
    expect(new DiskFile(new Folder(folder), 'state.journal').size).toBeLessThan(1_100_000)
    store.close()
    const again = new StateStore(folder)
    expect(again.table<string>('offsets').get('a')).toMatch(/2999$/)
    again.close()
  })
})
