import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { run } from '@taproom/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const PATH = 'a/b/c.yaml'
const OTHER = PATH.replace('c.yaml', 'd.yaml')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproom-released-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs a copy of `.ci/released` with one checksum, that of `kind: A`, on a host that serves this text. */
async function released(text: string, path: string) {
  const [ci, host, to] = [join(folder, '.ci'), join(folder, 'host'), join(folder, 'to')]
  await mkdir(join(host, dirname(path)), { recursive: true })
  await mkdir(ci)
  await writeFile(join(host, path), text)
  await writeFile(join(ci, 'kind.sha256'), `${sha256('kind: A\n')}  ${PATH}\n`)
  await copyFile(join(ROOT, '.ci/released'), join(ci, 'released'))
  await chmod(join(ci, 'released'), 0o755)
  await run(join(ci, 'released'), [to, pathToFileURL(host).href, path])
  return await readFile(join(to, path), 'utf8')
}

describe('.ci/released', { tags: 'linux' }, () => {
  it('gives a file that has its checksum', async () => {
    expect(await released('kind: A\n', PATH)).toBe('kind: A\n')
  })

  it.each([
    ['with another checksum', 'kind: B\n', PATH],
    ['without a checksum', 'kind: A\n', OTHER],
  ])('gives no file %s, and names it with the one it has', async (_, text, path) => {
    await expect(released(text, path)).rejects.toMatchObject({
      exitCode: 1,
      stderr: `${path} has the SHA-256 ${sha256(text)}, which is not the one in .ci/kind.sha256\n`,
    })
    await expect(readFile(join(folder, 'to', path))).rejects.toThrow('ENOENT')
  })
})

describe('.ci/kind', () => {
  it('applies only manifests that .ci/released has checked, each of which has a checksum of its version', async () => {
    const script = await read('.ci/kind')
    expect(script).not.toMatch(/apply .*https:|curl|wget/)
    const named = [...script.matchAll(/--filename "([^"]+)"/g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter((name) => !name?.startsWith('$manifests/'))).toEqual([])
    const versions = Array.from(
      script.matchAll(/=([\w-]+\/[\w-]+)\/releases\/download\/(\S+)/g),
      ([, name, version]) => {
        const [, knative = ''] = /^knative=(\S+)$/m.exec(script) ?? []
        return `${name}/releases/download/${version?.replace('$knative', knative)}`
      },
    )
    const sums = (await read('.ci/kind.sha256')).trimEnd().split('\n')
    expect(sums.filter((line) => !/^[\da-f]{64} {2}\S+\.yaml$/.test(line))).toEqual([])
    expect(new Set(sums.map((line) => dirname(line.slice(66))))).toEqual(new Set(versions))
  })
})
