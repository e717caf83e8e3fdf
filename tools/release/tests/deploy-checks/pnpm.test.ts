import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

describe('pnpm', () => {
  interface Lock {
    readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>
  }

  it('is pinned with its hashes, by which npm checks it for the scripts of .ci and the images', async () => {
    const { packages }: Lock = JSON.parse(await read('tools/bundles/pnpm/package-lock.json'))
    const installed = Object.entries(packages).filter(([path]) => path !== '')
    expect(installed.map(([path]) => path)).toContain('node_modules/@pnpm/exe.linux-x64')
    for (const [, { version, integrity }] of installed) {
      expect(version).toMatch(/^12\.\d+\.\d+$/)
      expect(integrity).toMatch(/^sha512-/)
    }
    expect(new Set(installed.map(([, { version }]) => version)).size).toBe(1)
    for (const path of ['.ci/machine', 'deploy/Dockerfile']) {
      const text = await read(path)
      expect(text).toMatch(/npm ci --prefix \S+ --ignore-scripts/)
      const other = text.split('\n').filter((line) => /pnpm@|\bnpx\b/.test(line))
      // Where no program is pinned, as on macOS, which publishes nothing.
      const isFallback = (line: string) => /^ {2}\[ -x "\$\{programs\[0\]\}" \] \|\| programs=/.test(line)
      expect(other.filter((line) => !isFallback(line))).toEqual([])
      expect(other).toHaveLength(path === '.ci/machine' ? 1 : 0)
    }
  })
})
