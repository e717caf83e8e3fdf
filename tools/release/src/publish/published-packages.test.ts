import { describe, expect, it } from 'vitest'
import { publishedManifest } from '../../scripts/pnpmfile.mjs'
import { publishedPackages } from './published-packages.ts'

describe('decisions 3.71: the packages that are published', () => {
  it('are private here, so that none goes out as it is', async () => {
    for (const { manifest } of await publishedPackages()) expect(manifest).toHaveProperty('private', true)
  })

  it('need nothing that they have inside', () => {
    const publishConfig = { access: 'public', bundled: ['kafkajs'] }
    const dependencies = { '@taproom/core': 'workspace:*', kafkajs: 'catalog:' }
    expect(publishedManifest({ publishConfig, dependencies, exports: {} }, '', {}, {})).toEqual({
      publishConfig: { access: 'public' },
      dependencies: { '@taproom/core': 'workspace:*' },
      exports: { './package.json': './package.json' },
    })
  })

  it('has the peers that the workspace itself is without, at its own version', () => {
    const publishConfig = { access: 'public', optionalPeers: ['peer'] }
    expect(publishedManifest({ version: '1.2.3', publishConfig }, '', {}, {})).toMatchObject({
      publishConfig: { access: 'public' },
      peerDependencies: { peer: '^1.2.3' },
      peerDependenciesMeta: { peer: { optional: true } },
    })
  })

  it('decisions 3.102: name the versions of what their templates may import', () => {
    const [dependencies, devDependencies] = [{ yaml: '2.9.1' }, { express: '5.3.0' }]
    expect(publishedManifest({ files: ['templates'], dependencies, devDependencies }, '', {}, {})).toMatchObject({
      dependencies,
      templateDependencies: { yaml: '2.9.1', express: '5.3.0' },
    })
  })

  it('have the change log', () => {
    expect(publishedManifest({ files: ['dist'], exports: {} }, '', {}, {})).toMatchObject({
      files: ['dist', 'CHANGELOG.md'],
    })
  })

  it('name the place in the repository that built them', () => {
    const env = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'owner/name' }
    const folder = new URL('../../../../packages/core', import.meta.url).pathname
    expect(publishedManifest({ exports: {} }, folder, {}, env)).toEqual({
      exports: { './package.json': './package.json' },
      repository: { type: 'git', url: 'git+https://github.com/owner/name.git', directory: 'packages/core' },
    })
  })
})
