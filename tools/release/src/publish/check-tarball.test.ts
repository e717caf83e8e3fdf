import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '@taproom/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownProblemsOf, problemsOf } from './check-tarball.ts'
import { readTarball, type Tarball } from './tarball.ts'

const RULES = { published: new Set(['@taproom/core']), patched: new Set(['kafkajs']) }
const MANIFEST = {
  name: '@taproom/sound',
  version: '0.1.0',
  description: 'A package with nothing wrong.',
  keywords: ['sound'],
  license: 'Apache-2.0',
  engines: { node: '^22.18.0 || >=24' },
  type: 'module',
  sideEffects: false,
  files: ['dist'],
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}
const FILES = {
  LICENSE: 'Apache License',
  'README.md': '# Sound\n\nNeeds Node 22.18 or later, and TypeScript 5.4 or later for its types.\n',
  'CHANGELOG.md': '# Changelog',
  'dist/index.js': 'export const one = 1\n',
  'dist/index.d.ts': 'export declare const one = 1\n',
}

describe('decisions 3.71: what is wrong with a package', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tarball-'))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function pack(manifest: object, files: Readonly<Record<string, string>> = {}): Promise<Tarball> {
    const all = { ...FILES, ...files, 'package.json': JSON.stringify({ ...MANIFEST, ...manifest }) }
    for (const [path, text] of Object.entries(all)) {
      await mkdir(dirname(join(folder, 'package', path)), { recursive: true })
      await writeFile(join(folder, 'package', path), text)
    }
    const tarball = join(folder, 'sound.tgz')
    await run('tar', ['--create', '--gzip', '--file', tarball, '--directory', folder, 'package'])
    return await readTarball(tarball)
  }

  it('is nothing when all is well', async () => {
    const sound = await pack({ dependencies: { '@taproom/core': '0.1.0', jose: '6.2.17' } })
    expect(await problemsOf(sound, RULES)).toEqual([])
  })

  it('is an export without a file, types that lead nowhere and a rule of ours, all at once', async () => {
    const more = { './more': { types: './dist/index.d.ts', default: './dist/more.js' } }
    const manifest = { exports: { ...MANIFEST.exports, ...more }, devDependencies: { vitest: '5.1.1' } }
    const problems = await problemsOf(await pack(manifest, { 'dist/index.d.ts': 'export * from "./more.js"' }), RULES)
    for (const problem of [/^publint: .*more/, /^types: /, /devDependencies/])
      expect(problems).toContainEqual(expect.stringMatching(problem))
  })

  it.each<[string, object, Record<string, string>, RegExp]>([
    ['a workspace protocol', { dependencies: { '@taproom/core': 'workspace:*' } }, {}, /workspace:/],
    [
      'a dependency that is not published',
      { dependencies: { '@taproom/beer': '0.1.0' } },
      {},
      /beer, which is not published/,
    ],
    ['a dependency that is patched here', { dependencies: { kafkajs: '2.2.4' } }, {}, /kafkajs.* without our patch/],
    ['devDependencies', { devDependencies: { vitest: '5.1.1' } }, {}, /devDependencies/],
    [
      'an entry for development',
      { exports: { '.': { development: './dist/index.js', ...MANIFEST.exports['.'] } } },
      {},
      /development/,
    ],
    ['no engines', { engines: undefined }, {}, /engines.node/],
    ['no keywords', { keywords: [] }, {}, /no keywords/],
    ['no change log', {}, { 'CHANGELOG.md': '' }, /CHANGELOG.md is missing/],
    ['a README without what is needed', {}, { 'README.md': '# Sound' }, /README.md does not say "Needs Node 22.18/],
    ['an empty licence', {}, { LICENSE: '' }, /LICENSE is missing/],
    ['a test', {}, { 'dist/index.test.js': '1' }, /index.test.js is not for users/],
    ['sources', {}, { 'src/index.ts': '1' }, /src\/index.ts is not for users/],
  ])('is %s', async (_case, manifest, files, problem) => {
    expect(ownProblemsOf(await pack(manifest, files), RULES).join('\n')).toMatch(problem)
  })
})
