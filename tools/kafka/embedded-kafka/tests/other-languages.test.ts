import { afterAll, describe, expect, it } from 'vitest'
import { codeBlocks } from './code-blocks.ts'
import { CLASSPATH } from './java-program.ts'
import { PYTHON, recipeRunner } from './recipe-runner.ts'

const PAGE = 'docs/other-languages.md'

const recipes = await recipeRunner(PAGE)
afterAll(() => recipes[Symbol.asyncDispose]())

const output = async (...recipe: Parameters<typeof recipes.run>) => (await recipes.run(...recipe)).stdout

describe('recipes for other languages', () => {
  it('are on the page, each with the options that it needs', () => {
    for (const language of ['python', 'go', 'java', 'csharp']) {
      const [recipe, more] = codeBlocks(PAGE, language)
      expect(recipe).toContain('--exit-on-stdin-close')
      expect(more).toBeUndefined()
    }
  })

  it('Python produces and consumes, and ends the broker', {
    tags: 'python-client',
    skip: !recipes.hasPython,
  }, async () => {
    expect(await output('python', 'recipe.py', [PYTHON, 'recipe.py'])).toBe('one beer\n')
  })

  it('Go produces and consumes, and ends the broker', { tags: 'go-client', skip: !recipes.hasGo }, async () => {
    expect(await output('go', 'main.go', ['go', 'run', '.'])).toBe('one beer\n')
  })

  it('Java produces and consumes, and ends the broker', { tags: 'java-client' }, async () => {
    const java = process.env['JAVA'] ?? 'java'
    expect(await output('java', 'Recipe.java', [java, '-cp', CLASSPATH, 'Recipe.java'])).toBe('one beer\n')
  })
})
