import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeWorkspaces } from '../../src/new/new-workspaces.ts'
import { PARTS, type Part, readParts } from '../../src/new/parts.ts'
import { readProject } from '../../src/new/project.ts'
import { templateFiles } from '../../src/new/template-files.ts'

/** This repository, which no test here changes: `new.long.test.ts` makes workspaces, in a copy. */
const project = readProject(join(import.meta.dirname, '../../../..'))

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
    ['service', Object.keys(PARTS), 'src/with-all.ts'],
    ...Object.keys(PARTS).map((part) => ['service', [part], 'src/with-all.ts'] as const),
    ['sink', [], 'src/main.ts'],
    ['package', [], 'src/index.ts'],
  ] as const)('writes a %s with %j, named as asked, without marks of the template', async (template, parts, file) => {
    const chosen: ReadonlySet<Part> = readParts(parts.join(','))
    const files = await templateFiles({ template, name: 'with-all', parts: chosen, project })
    expect([...files.keys()]).toEqual(expect.arrayContaining(['README.md', 'package.json', 'turbo.json', file]))
    expect(JSON.parse(files.get('package.json') ?? '')).toMatchObject({ name: expect.stringContaining('with-all') })
    expect([...files.values()].join('\n')).not.toMatch(/\bbegin \w+|\btemplate\b/i)
  })
})
