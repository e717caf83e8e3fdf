import { afterAll, describe, expect, it } from 'vitest'
import { codeBlocks } from './code-blocks.ts'
import { GO_REGISTRY, PYTHON, recipeRunner } from './recipe-runner.ts'

const PAGE = 'docs/schema-registry.md'

const recipes = await recipeRunner(PAGE, {
  pythonModule: 'confluent_kafka.schema_registry.avro',
  goModules: [GO_REGISTRY],
})
afterAll(() => recipes[Symbol.asyncDispose]())

describe('recipes for the schema registry', () => {
  it('are on the page, each with the options that it needs', () => {
    for (const language of ['python', 'go', 'java']) {
      const [recipe, more] = codeBlocks(PAGE, language)
      expect(recipe).toContain('--schema-registry')
      expect(recipe).toContain('--exit-on-stdin-close')
      expect(more).toBeUndefined()
    }
  })

  it('Python sends Avro and reads it', { tags: 'python-client', skip: !recipes.hasPython }, async () => {
    const { stdout } = await recipes.run('python', 'recipe.py', [PYTHON, 'recipe.py'])
    expect(stdout).toBe('Duvel\n')
  })

  it('Go sends JSON with its schema and reads it', { tags: 'go-client', skip: !recipes.hasGo }, async () => {
    const { stdout } = await recipes.run('go', 'main.go', ['go', 'run', '.'])
    expect(stdout).toBe('Duvel\n')
  })
})
