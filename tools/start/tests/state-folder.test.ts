import { chmod, chown, lchown, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ConfigError } from '@taproom/service'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { controlSocketPath, createStateFolder, emptyStateFolder, stateFolder } from '../src/state/state-folder.ts'

const KEPT = ['movie-api.sqlite', 'kafka', 'resources.json']

describe('state folder', () => {
  let parent: string
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'taproom-'))
  })
  afterEach(() => rm(parent, { recursive: true }))

  it('is readable by its owner alone', async () => {
    const folder = stateFolder(join(parent, 'a/b'), KEPT)
    await createStateFolder(folder)
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700)
  })

  it.each([0o755, 0o777])('is made so when it was there before, with mode %o', async (mode) => {
    const folder = stateFolder(join(parent, 'state'), KEPT)
    await createStateFolder(folder)
    for (const path of [folder.keys, folder.kept('kafka')]) await mkdir(path)
    await chmod(folder.path, mode)
    await createStateFolder(folder)
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700)
  })

  it('keeps the mode of a folder that holds other files', async () => {
    await writeFile(join(parent, 'thesis.txt'), '')
    await chmod(parent, 0o755)
    await createStateFolder(stateFolder(parent, KEPT))
    expect((await stat(parent)).mode & 0o777).toBe(0o755)
  })

  it('is refused where others may write, who could put links in the place of its files', async () => {
    await writeFile(join(parent, 'thesis.txt'), '')
    await chmod(parent, 0o777)
    await expect(createStateFolder(stateFolder(parent, KEPT))).rejects.toThrow(
      `TAPROOM_STATE_DIR="${parent}": the folder can be written to by other users`,
    )
    await expect(createStateFolder(stateFolder(tmpdir(), KEPT))).rejects.toThrow(ConfigError)
  })

  it('is refused when it, or the link to it, is of another user', { tags: 'root' }, async () => {
    const [theirs, link] = [join(parent, 'theirs'), join(parent, 'link')]
    await mkdir(theirs, { mode: 0o755 })
    await symlink(join(parent, 'own'), link)
    await mkdir(join(parent, 'own'))
    await chown(theirs, 65_534, 65_534)
    await lchown(link, 65_534, 65_534)
    for (const path of [theirs, link]) {
      await expect(createStateFolder(stateFolder(path, KEPT))).rejects.toThrow('the folder belongs to another user')
    }
  })

  it.each([
    ['a file', 'file', 'is a file'],
    ['below a file', 'file/state', 'is a file'],
    ['where the system makes no folders', '/proc/taproom/state', 'no folder can be created there'],
    ['a folder that takes no files', '/proc', 'TAPROOM_STATE_DIR="/proc"'],
  ])('says what is wrong with TAPROOM_STATE_DIR: %s', async (_case, path, message) => {
    await writeFile(join(parent, 'file'), '')
    const folder = stateFolder(resolve(parent, path), KEPT)
    const error = await createStateFolder(folder).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({ problems: [expect.stringContaining(message)] })
    expect(error).toMatchObject({ problems: [expect.stringContaining(`TAPROOM_STATE_DIR="${folder.path}": `)] })
  })

  it('forgets keys, database and Kafka log, but not the lock', async () => {
    const folder = stateFolder(parent, KEPT)
    for (const path of [folder.keys, folder.kept('kafka')]) await mkdir(path)
    for (const name of ['private-key.pem', 'public-key.pem']) await writeFile(join(folder.keys, name), '')
    for (const suffix of ['', '-wal', '-shm', '-journal']) await writeFile(folder.kept('movie-api.sqlite') + suffix, '')
    await writeFile(join(folder.kept('kafka'), '0.log'), '')
    await writeFile(folder.kept('resources.json'), '{}')
    await writeFile(folder.lock, '1\n')
    await emptyStateFolder(folder)
    expect((await readdir(parent)).toSorted()).toEqual(['lock'])
  })

  it('has no place for what no start would forget', () => {
    expect(() => stateFolder(parent, KEPT).kept('other')).toThrow(RangeError)
  })

  it('keeps files that it did not make', async () => {
    const folder = stateFolder(parent, KEPT)
    await mkdir(folder.keys)
    await mkdir(join(parent, 'photos'))
    const own = [
      'thesis.txt',
      'photos/cat.jpg',
      'keys/ssh.pem',
      'kafka.md',
      'resources.json.bak',
      'movie-api.sqlite-copy',
    ]
    for (const name of [...own, 'keys/private-key.pem']) await writeFile(join(parent, name), '')
    await emptyStateFolder(folder)
    const left = await readdir(parent, { recursive: true })
    expect(left.toSorted()).toEqual([...own, 'keys', 'photos'].toSorted())
  })

  it('has a control socket whose path every operating system takes, however long its own is', () => {
    expect(controlSocketPath('/srv/.taproom')).toBe('/srv/.taproom/control.sock')
    const long = controlSocketPath(`/${'x'.repeat(200)}`)
    expect(Buffer.byteLength(long)).toBeLessThan(104)
    expect(long).not.toBe(controlSocketPath(`/${'y'.repeat(200)}`))
  })
})
