import { writtenFiles } from '@taproom/system'
import { describe, expect, it } from 'vitest'
import { parseObjects } from '../../src/deploy-checks/kube-object.ts'
import { schemaProblems } from '../../src/deploy-checks/schema-problems.ts'
import { SYSTEMS } from './other-systems.ts'
import { describeRendered } from './rendered-system.ts'

describe('decisions 3.107: the manifests of another system', () => {
  it.each(Object.entries(SYSTEMS))('%s: every file is valid by the schemas', async (_name, system) => {
    const files = await writtenFiles(system, '/nonexistent')
    const objects = files.filter(({ path }) => /\/\d{3}-[^/]*\.yaml$|\/apps\//.test(path))
    for (const { path, text = '' } of objects) {
      const problems = await Promise.all(parseObjects(text).map(schemaProblems))
      expect(problems.flat(), path).toEqual([])
    }
    expect(objects.length).toBeGreaterThan(5)
    for (const { path, text } of files) expect(text, path).not.toMatch(/(?:name|space|part-of): taproom|system-name/i)
  })
})

describeRendered('whole', ['development', 'production', 'knative'])
