import { readFile } from 'node:fs/promises'
import { FEW_ARENAS, SMALL_HEAP } from '@taproom/processes'
import { expect, it } from 'vitest'

it('decisions 3.131: runs apps with the arguments of Node and the environment that pnpm start has, and that it compiled them with', async () => {
  const dockerfile = await readFile(new URL('../../../../deploy/Dockerfile', import.meta.url), 'utf8')
  const list = JSON.stringify(['node', ...SMALL_HEAP]).replaceAll(',', ', ')
  expect(dockerfile).toContain(`\nENTRYPOINT ${list}\n`)
  for (const [name, value] of Object.entries(FEW_ARENAS)) {
    expect(dockerfile).toMatch(new RegExp(`^ENV (.* )?${name}=${value}( |$)`, 'm'))
  }
  expect(dockerfile).toContain(`    node ${SMALL_HEAP.join(' ')} --random-seed=1 `)
})
