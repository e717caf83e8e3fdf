import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { taskInputs } from '../src/report/task-inputs.ts'

const ROOT = join(import.meta.dirname, '../../..')
let tasks: ReadonlyMap<string, ReadonlySet<string>>

beforeAll(async () => {
  tasks = await taskInputs(ROOT, ['test', 'test:system'])
})

/** The workspaces whose tests turbo runs again when the file changes. */
function affected(file: string): string[] {
  const names = [...tasks].filter(([id, inputs]) => /#test(:system)?$/.test(id) && inputs.has(file))
  return [...new Set(names.map(([id]) => id.replace(/#.*/, '')))]
}

describe('decisions 3.135: the tests that a change selects', () => {
  it('are those of the package, and of the docs, for a README', () => {
    expect(affected('packages/http/README.md').toSorted()).toEqual(['@taproom/http', '@taproom/release'])
  })

  it('are those of the package, and of what the docs cite, for a test', () => {
    expect(affected('packages/http/tests/framing.test.ts').toSorted()).toEqual(['@taproom/http', '@taproom/release'])
  })

  it('are all that import a package for its source', () => {
    expect(affected('packages/http/src/index.ts')).toEqual(
      expect.arrayContaining(['@taproom/http', '@taproom/service', '@taproom/movie-api', '@taproom/contract']),
    )
  })

  it('are those of the whole system for an app, and not those of other apps', () => {
    const names = affected('apps/claim-api/src/config.ts')
    expect(names).toEqual(expect.arrayContaining(['@taproom/claim-api', '@taproom/start', '@taproom/contract']))
    expect(names).not.toContain('@taproom/movie-api')
    expect(names).not.toContain('@taproom/event-platform')
  })
})
