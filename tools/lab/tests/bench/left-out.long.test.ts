import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { expect, it } from 'vitest'

const BENCH = fileURLToPath(new URL('../../scripts/bench.ts', import.meta.url))

it('says in a line why an area is left out, and goes on', async () => {
  const command = ['--conditions=development', BENCH, 'quarkus-claim', 'quarkus-start']
  const { stdout, stderr } = await run(process.execPath, command, { env: { PATH: '/nowhere' } })
  expect(stderr).toBe('quarkus-claim is left out: there is no mvn\nquarkus-start is left out: there is no mvn\n')
  expect(stdout).toBe('')
})
