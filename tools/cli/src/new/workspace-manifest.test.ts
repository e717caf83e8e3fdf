import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Project, readProject } from './project.ts'
import { workspaceManifest } from './workspace-manifest.ts'

const RUN = 'tools/start/scripts/run.mjs'
const TEMPLATE = JSON.stringify({
  name: '@taproom/cellar',
  version: '0.1.0',
  scripts: {
    start: `node ../../${RUN} --for-start src/main.ts`,
    build: 'tsc',
    bundle: 'x',
    lint: 'biome',
    typecheck: 'tsc',
    test: 'vitest',
  },
  exports: { '.': { development: './src/index.ts', default: './dist/index.js' } },
  dependencies: { '@shop/http': 'workspace:*', express: 'catalog:', knex: 'catalog:' },
  devDependencies: { '@types/express': 'catalog:' },
})
const SOURCES = ["import { a } from '@shop/http'\n", "import express from 'express'\n"]

describe('a workspace of somebody else', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'taproom-project-'))
  })
  afterAll(() => rm(root, { recursive: true }))

  async function project(files: Readonly<Record<string, string>>): Promise<Project> {
    await rm(root, { recursive: true })
    for (const [path, text] of Object.entries({ 'package.json': '{ "name": "shop" }', ...files })) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    return readProject(root)
  }

  it('decisions 3.100: has the scope of its repository, and is its sources where nothing is compiled', async () => {
    const shop = await project({
      'pnpm-workspace.yaml': 'catalog:\n  express: 5.0.0\n  "@types/express": 5.0.0\n',
      'packages/http/package.json': '{}',
    })
    expect(JSON.parse(workspaceManifest(TEMPLATE, SOURCES, shop))).toEqual({
      name: '@shop/cellar',
      version: '0.1.0',
      scripts: { start: 'node src/main.ts', test: 'vitest' },
      exports: { '.': './src/index.ts' },
      dependencies: { '@shop/http': 'workspace:*', express: 'catalog:' },
      devDependencies: { '@types/express': 'catalog:' },
    })
  })

  it('decisions 3.159: installs what is missing before its scripts where create-taproom made the repository', async () => {
    const shop = await project({ 'pnpm-workspace.yaml': 'catalog:\n  express: 5.0.0\n', 'install.mjs': '' })
    expect(JSON.parse(workspaceManifest(TEMPLATE, [], shop)).scripts).toEqual({
      start: 'node ../../install.mjs --for-start && node src/main.ts',
      test: 'node ../../install.mjs && vitest',
    })
  })

  it('decisions 3.101: is compiled, linted and typed by itself where the repository has settings for that', async () => {
    const shop = await project({
      'pnpm-workspace.yaml': 'catalog:\n  express: 5.0.0\n  "@types/express": 5.0.0\n',
      'packages/http/package.json': '{}',
      'tsconfig.build.json': '{}',
      'turbo.json': '{}',
      [RUN]: '',
    })
    const { scripts, exports } = JSON.parse(workspaceManifest(TEMPLATE, SOURCES, shop))
    expect(scripts.start).toBe(`node ../../${RUN} --for-start src/main.ts`)
    expect(Object.keys(scripts)).toEqual(['start', 'build', 'bundle', 'lint', 'typecheck', 'test'])
    expect(exports['.']).toHaveProperty('development')
  })

  it('decisions 3.102: asks for a published package by a range that only the published tool knows', async () => {
    const shop = await project({ 'pnpm-workspace.yaml': 'catalog:\n  express: 5.0.0\n' })
    expect(() => workspaceManifest(TEMPLATE, SOURCES, shop)).toThrow('@shop/http is known only to the published')
  })
})
