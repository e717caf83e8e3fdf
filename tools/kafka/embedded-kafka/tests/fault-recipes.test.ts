import { run } from '@taproom/processes'
import { afterAll, describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { codeBlocks } from './code-blocks.ts'
import { PYTHON, recipeRunner } from './recipe-runner.ts'

const PAGE = 'docs/faults.md'

const recipes = await recipeRunner(PAGE)
afterAll(() => recipes[Symbol.asyncDispose]())

describe('recipes for fault tests', () => {
  it('say by curl what is to go wrong, and empty the cluster in the end', async () => {
    const topics = [{ name: 'beers', partitions: 3 }]
    await using cluster = await startEmbeddedKafka({ brokers: 3, topics, controlPort: 0 })
    const [script = ''] = codeBlocks(PAGE, 'sh')
    const own = script.replace('localhost:9094', `127.0.0.1:${cluster.controlPort}`).replaceAll('-sS', '-sS --fail')
    expect(own).toContain('--fail')
    const { stdout } = await run('sh', ['-euc', own], {})
    expect(stdout).toContain('"kind":"black-hole"')
    expect(stdout).toContain('"isRunning":false')
    expect(stdout).toContain('"isReached":false')
    expect(cluster.control.rules).toEqual([])
    expect(cluster.brokers.every(({ isRunning }) => isRunning)).toBe(true)
  })

  it('run in Python', { tags: 'python-client', skip: !recipes.hasPython }, async () => {
    const { stderr } = await recipes.run('python', 'test_faults.py', [PYTHON, '-m', 'unittest', 'test_faults'])
    expect(stderr).toMatch(/^OK$/m)
  })

  it('run in Go', { tags: 'go-client', skip: !recipes.hasGo }, async () => {
    const { stdout } = await recipes.run('go', 'faults_test.go', ['go', 'test', '-v', '.'])
    expect(stdout).toMatch(/^--- PASS: TestALostAnswerWritesNothingTwice/m)
  })
})
