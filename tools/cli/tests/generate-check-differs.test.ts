import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineSystem, generate, issuer } from '@taproom/system'
import { expect, it, onTestFinished } from 'vitest'

it('decisions 3.154: pnpm generate --check names files that differ and what to do, and not what these files lack', async () => {
  await using root = await mkdtempDisposable(join(tmpdir(), 'generate-check-'))
  onTestFinished(() => {
    process.exitCode = undefined
  })
  const guarded = {
    config: () => import('../templates/service/src/config.ts'),
    serves: ['/orders'],
    needs: [issuer],
    cluster: { cpu: '100m to 1', memory: '128Mi to 256Mi', pods: 'fixed' },
  } as const
  const system = defineSystem({ name: 'shop', apps: { orders: guarded } })
  const lines: string[] = []
  await generate(system, root.path, ['--check'], (line) => lines.push(line))
  expect(process.exitCode).toBe(1)
  expect(lines.pop()).toMatch(/^Run pnpm generate, which writes these files/)
  for (const line of lines) expect(line).toMatch(/^differs {2}/)
})
