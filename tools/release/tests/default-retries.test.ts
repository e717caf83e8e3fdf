import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_DELIVERY_POLICY } from '@taproom/events'
import { defineSystem, generate } from '@taproom/system'
import { expect, it, onTestFinished } from 'vitest'

it('decisions 3.191: notes as many retries of a trigger without delivery as event-platform has', async () => {
  const root = await mkdtemp(join(tmpdir(), 'generate-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const system = defineSystem({
    name: 'shop',
    apps: {},
    sinks: { billing: { app: 'billing-sink', triggers: { billing: {} } } },
  })
  await generate(system, root, [], () => {})
  const lines: string[] = []
  await generate(system, root, ['--check'], (line) => void lines.push(line))
  expect(lines.join('')).toContain(`is dropped, after ${DEFAULT_DELIVERY_POLICY.retry} retries at most`)
})
