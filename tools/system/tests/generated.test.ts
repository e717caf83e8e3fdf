import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { environmentFindings } from '../src/environments/environment-problems.ts'
import { writtenFiles } from '../src/generate/written-files.ts'
import { system } from './taproom.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const files = await writtenFiles(system, ROOT)

describe('what is written from system.ts', () => {
  it.each(files)('$path is as it says, else: pnpm generate', async ({ path, text }) => {
    const present = await readFile(join(ROOT, path), 'utf8').catch(() => undefined)
    expect(present?.split('\n')).toEqual(text?.split('\n'))
  })

  it('decisions 3.111: leads all below a path to the app that serves it, the longest path first', async () => {
    const serves = ['/secure/claim', '/claims/*', '/claims', '/claims/old/*']
    const apps = { ...system.apps, 'claim-api': { ...system.apps['claim-api'], serves } }
    const written = await writtenFiles({ ...system, apps }, ROOT)
    const textOf = (file: string) => written.find(({ path }) => path === file)?.text ?? ''
    const lines = textOf('deploy/gateway.conf').match(/~\S+ +claim-api;/g)
    expect(lines).toEqual([
      '~^/secure/claim/?(\\?|$)  claim-api;',
      '~^/claims/?(\\?|$)  claim-api;',
      '~^/claims/old/[^?]  claim-api;',
      '~^/claims/[^?]  claim-api;',
    ])
    const route = parseAllDocuments(textOf('deploy/kubernetes/base/apps/claim-api.yaml'))
      .map((document) => document.toJS())
      .find(({ kind }) => kind === 'HTTPRoute')
    const values = route.spec.rules[0].matches.map(({ path }: { path: { value: string } }) => path.value)
    expect(values).toEqual(['/secure/claim', '/claims'])
  })

  it('decisions 3.111: gives a cluster the paths that another app serves all below of, exactly', async () => {
    const apps = {
      ...system.apps,
      'claim-api': { ...system.apps['claim-api'], serves: ['/shop/*', '/v1.0/claims'] },
      'movie-api': { ...system.apps['movie-api'], serves: ['/shop', '/shop/stock', '/shops'] },
    }
    const written = await writtenFiles({ ...system, apps }, ROOT)
    const textOf = (file: string) => written.find(({ path }) => path === file)?.text ?? ''
    const matchesOf = (app: string) =>
      parseAllDocuments(textOf(`deploy/kubernetes/base/apps/${app}.yaml`))
        .map((document) => document.toJS())
        .find(({ kind }) => kind === 'HTTPRoute')
        .spec.rules[0].matches.map(({ path: { type, value } }: { path: Record<string, string> }) => `${type} ${value}`)
    expect(matchesOf('claim-api')).toEqual(['PathPrefix /shop', 'PathPrefix /v1.0/claims'])
    expect(matchesOf('movie-api')).toEqual([
      ...['Exact /shop', 'Exact /shop/', 'Exact /shop/stock', 'Exact /shop/stock/'],
      'PathPrefix /shops',
    ])
    expect(textOf('deploy/gateway.conf')).toContain('~^/v1\\.0/claims/?(\\?|$)  claim-api;')
  })

  it('removes what it wrote for an app or a sink that is gone, and nothing that people wrote', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'taproom-generated-'))
    try {
      for (const path of ['deploy', 'README.md']) await cp(join(ROOT, path), join(folder, path), { recursive: true })
      const written = await readFile(join(ROOT, 'deploy/kubernetes/base/apps/claim-api.yaml'), 'utf8')
      const left = ['deploy/knative/300-gone.yaml', 'deploy/kubernetes/base/apps/gone.yaml']
      for (const path of left) await writeFile(join(folder, path), written)
      await writeFile(join(folder, 'deploy/kubernetes/base/apps/own.yaml'), `# By hand.\n${written}`)
      const removed = (await writtenFiles(system, folder)).filter(({ text }) => text === undefined)
      expect(removed.map(({ path }) => path).toSorted()).toEqual(left)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

it('decisions 3.154: every app of this repository starts with what its overlays and Compose give it', async () => {
  expect(await environmentFindings(system, ROOT)).toEqual({ problems: [], unread: [] })
})
