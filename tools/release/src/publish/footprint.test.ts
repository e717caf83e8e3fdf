import { describe, expect, it } from 'vitest'
import { footprint } from './footprint.ts'
import { publishedPackages } from './published-packages.ts'

/** As they are packed, but for the files. */
async function withoutFiles() {
  const packages = await publishedPackages()
  return new Map(
    packages.map((workspace) => {
      const { manifest } = workspace
      return [
        manifest.name,
        { workspace, tarball: { path: '', bytes: new Uint8Array(), manifest, files: new Map() } },
      ] as const
    }),
  )
}

describe('what an installed package brings', () => {
  it('decisions 3.178: schema-registry is at most 20 packages', async () => {
    const packed = await withoutFiles()
    const { folder = '' } = packed.get('@taproom/schema-registry')?.workspace ?? {}
    const { dependencies } = await footprint('@taproom/schema-registry', folder, packed)
    // Itself included.
    expect(dependencies + 1).toBeLessThanOrEqual(20)
    expect(dependencies).toBeGreaterThan(5)
  })
})
