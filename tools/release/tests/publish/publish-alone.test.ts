import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** Notes what it is called with; no package is known to it. */
const NPM = `#!/bin/sh
echo "$@" >>"$(dirname "$0")/calls"
[ "$1" = publish ] || { echo E404 >&2; exit 1; }
`
const SCRIPT = fileURLToPath(new URL('../../scripts/publish.ts', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproom-publish-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs the script where nothing is installed, on a tarball of version 1.0.0; gives the calls of npm. */
async function publish(version: string, ...more: readonly string[]) {
  const packed = join(folder, 'packed')
  await mkdir(join(folder, 'package'))
  await mkdir(packed)
  await writeFile(join(folder, 'package/package.json'), JSON.stringify({ name: 'a', version: '1.0.0' }))
  await run('tar', ['-czf', join(packed, 'a-1.0.0.tgz'), 'package'], { cwd: folder })
  const script = join(folder, 'publish.mts')
  await copyFile(SCRIPT, script)
  await writeFile(join(folder, 'npm'), NPM, { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` }
  await run(process.execPath, [script, packed, '--version', version, ...more], { cwd: folder, env })
  return (await readFile(join(folder, 'calls'), 'utf8')).replaceAll(folder, '')
}

describe('decisions 3.72: publish.ts, which runs where nothing is installed', { tags: 'linux' }, () => {
  it('refuses tarballs of another version than that of the tag', async () => {
    await expect(publish('2.0.0')).rejects.toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^not published: not of version 2\.0\.0: \S+a-1\.0\.0\.tgz\n$/),
    })
  })

  it('publishes those of the version with provenance', async () => {
    expect(await publish('1.0.0')).toBe(
      'view a@1.0.0 version\npublish /packed/a-1.0.0.tgz --access public --provenance\n',
    )
  })

  it('publishes nothing with --dry-run', async () => {
    expect(await publish('1.0.0', '--dry-run')).toBe('publish /packed/a-1.0.0.tgz --access public --dry-run\n')
  })
})
