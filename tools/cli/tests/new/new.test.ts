import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NewUsageError } from '../../src/new/errors.ts'
import { makeWorkspaces } from '../../src/new/new-workspaces.ts'
import { PARTS, type Part, RESOURCE_PARTS, readParts, readSinkParts, SINK_PARTS } from '../../src/new/parts.ts'
import { readProject } from '../../src/new/project.ts'
import { templateFiles } from '../../src/new/template-files.ts'
import { ALL_PARTS } from './all-parts.ts'

/** This repository, which no test here changes: `new.long.test.ts` makes workspaces, in a copy. */
const project = readProject(join(import.meta.dirname, '../../../..'))

function withResource(resource: string, parts: readonly string[]) {
  const all = new Set([...readParts(parts.join(',')), ...RESOURCE_PARTS])
  return templateFiles({ template: 'service', name: 'orders', parts: all, resource, project })
}

describe('pnpm new, in this repository', () => {
  it.each([
    ['the name of an app', 'apps/movie-api', 'apps/movie-api is there already'],
    ['the name of a package', 'apps/jwt', 'packages/jwt is there already'],
    ['the name of a tool', 'apps/suites', 'tools/kafka/suites is there already'],
    ['the name of a container', 'apps/postgres', 'deploy/compose.yaml has a container'],
    ['a name of every system', 'apps/postgresql', 'postgresql is taken: systems have one of their own'],
  ])('refuses %s', async (_case, folder, message) => {
    await expect(makeWorkspaces(project, [{ folder, files: new Map() }])).rejects.toThrow(message)
  })

  it.each([
    ['service', [], 'src/with-all.ts'],
    ['service', ALL_PARTS, 'src/with-all.ts'],
    ...Object.keys(PARTS).map((part) => ['service', [part], 'src/with-all.ts'] as const),
    ['sink', [], 'src/main.ts'],
    ['sink', ['database'], 'src/database.ts'],
    ['sink', SINK_PARTS, 'src/with-all-sink.ts'],
    ['package', [], 'src/index.ts'],
  ] as const)('writes a %s with %j, named as asked, without marks of the template', async (template, parts, file) => {
    const chosen: ReadonlySet<Part> = readParts(parts.join(','))
    const files = await templateFiles({ template, name: 'with-all', parts: chosen, project })
    expect([...files.keys()]).toEqual(expect.arrayContaining(['README.md', 'package.json', 'turbo.json', file]))
    expect(JSON.parse(files.get('package.json') ?? '')).toMatchObject({ name: expect.stringContaining('with-all') })
    expect([...files.values()].join('\n')).not.toMatch(/\bbegin \w+|\btemplate\b/i)
  })

  it('decisions 3.153: writes a sink with code for the type of its events, and one that logs without', async () => {
    const sink = { template: 'sink', name: 'ledger', eventType: 'order.placed', project } as const
    const files = await templateFiles({ ...sink, parts: readSinkParts('database') })
    expect(files.get('src/ledger-sink.ts')).toContain("const TYPE = 'order.placed'")
    expect(files.get('src/database.ts')).toContain("createTable('ledger'")
    expect([...files.values()].join()).not.toContain('greeting')
    expect((await templateFiles({ ...sink, parts: new Set() })).has('src/config.ts')).toBe(false)
  })

  it.each([[[]], [ALL_PARTS]])('decisions 3.78: writes a resource with %j, and no example', async (parts) => {
    const files = await withResource('order', parts)
    const names = ['schema', 'store', 'routes', 'description'].map((file) => `src/order-${file}.ts`)
    expect([...files.keys()]).toEqual(expect.arrayContaining([...names, 'tests/order.test.ts']))
    expect([...files.values()].join('\n')).not.toMatch(/\bbegin \w+|\btemplate\b|greeting/i)
    expect([...files.keys()]).not.toContain('src/orders-routes.ts')
    expect(files.get('src/order-routes.ts')).toContain(".route('/orders/:id')")
    expect(files.get('src/database.ts')).toContain("createTable('orders'")
  })

  it.each(['service', 'sink'] as const)(
    'writes a README of a %s whose commands need no pnpm in a created project',
    async (template) => {
      const created = { ...project, has: (path: string) => path === 'install.mjs' }
      const readme = async (own: typeof project) =>
        (await templateFiles({ template, name: 'orders', parts: new Set(), project: own })).get('README.md')
      expect(await readme(created)).toMatch(/npx -y pnpm@12 --filter \S+ start/)
      expect(await readme(project)).not.toContain('npx')
    },
  )

  it.each([[true], [false]])('writes the role of jwt in one place, with a resource: %s', async (hasResource) => {
    const jwt = { template: 'service', name: 'orders', parts: readParts('jwt'), project } as const
    const files = await (hasResource ? withResource('order', ['jwt']) : templateFiles(jwt))
    const sources = [...files].filter(([path, text]) => path.endsWith('.ts') && text.includes("'Subscriber'"))
    expect(sources.map(([path]) => path)).toEqual(['src/config.ts'])
  })

  it('decisions 3.78: writes a resource with outgoing whose messages are of the transaction of a row', async () => {
    const files = await withResource('order', ['outgoing'])
    expect([...files.keys()]).toContain('src/outbox.ts')
    expect([...files.keys()]).not.toContain('src/outgoing.ts')
    expect(files.get('src/order-store.ts')).toContain('await outbox.send(trx,')
    expect((await withResource('order', [])).get('src/order-store.ts')).not.toContain('outbox.')
    const withoutResource = await templateFiles({
      template: 'service',
      name: 'orders',
      parts: readParts('outbox'),
      project,
    })
    expect([...withoutResource.keys()]).toEqual(expect.arrayContaining(['src/outbox.ts', 'src/database.ts']))
    expect([...withoutResource.keys()]).not.toContain('src/outgoing.ts')
  })

  it('decisions 3.160: writes an inbox that begins at the beginning of its topic, and a channel that begins at its end', async () => {
    const service = { template: 'service', name: 'billing', project } as const
    const inbox = await templateFiles({ ...service, parts: readParts('inbox') })
    expect(inbox.get('src/config.ts')).toContain("from: 'earliest'")
    expect(inbox.get('src/inbox.ts')).toContain('await inbox.once(trx,')
    expect(inbox.get('src/database.ts')).toContain('outboxTables')
    expect([...inbox.keys()]).not.toContain('src/incoming.ts')
    const incoming = await templateFiles({ ...service, parts: readParts('incoming,database') })
    expect(incoming.get('src/config.ts')).not.toContain('earliest')
    expect([...incoming.keys()].join()).not.toContain('inbox')
  })

  it.each(['promise', 'logger', 'router', 'database', 'outbox', 'migrations', 'date'])(
    'decisions 3.77: refuses a resource named %s, which stands for something else',
    async (resource) => {
      await expect(withResource(resource, [])).rejects.toThrow(NewUsageError)
    },
  )
})
