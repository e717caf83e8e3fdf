import { readFile } from 'node:fs/promises'
import { run } from '@taproom/processes'
import { beforeAll, describe, expect, it } from 'vitest'
import { driven } from './fixtures/driven.ts'
import { sharedSystem } from './fixtures/shared-system.ts'

let system: ReturnType<typeof driven>
beforeAll(async () => {
  system = driven(await sharedSystem())
})

describe('the commands of the README', () => {
  it('do what it says', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
    const { port } = new URL(system.console.url)
    const script = blocks
      .join('')
      .replaceAll('localhost:PORT', `127.0.0.1:${port}`)
      // Until something has come.
      .replaceAll(/^curl -N .*/gm, '$& | grep -m 1 ^data:')
    const env = { ...process.env, SECRET: system.console.authorization.replace('Bearer ', '') }
    const { stdout } = await run('bash', ['--norc', '-c', script], { env }).catch((error) => error)
    expect(stdout).toMatch(/^\{"items":\[\{"topic":"priced-beer"/)
    expect(stdout).toContain('data: {"items":[{"topic":"beer"')
    expect(stdout).toMatch(/"target":"embedded-kafka".*"mode":"away"/)
    expect(stdout).not.toContain('about:blank')
    await system.put('/api/faults/embedded-kafka', { mode: 'none' })
  })
})
