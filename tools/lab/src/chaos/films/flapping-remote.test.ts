import { waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { startFlappingRemote, WAYS } from './flapping-remote.ts'

it('answers in every way before a phase ends, however slowly requests come', async () => {
  await using remote = await startFlappingRemote({ timeoutMs: 1, phaseMs: 0, random: () => 0.5 })
  const asked = 1 + WAYS.length + 1
  const over = new AbortController()
  for (let count = 0; count < asked; count += 1) {
    fetch(`${remote.url}/films/1`, { signal: over.signal }).catch(() => undefined)
  }
  const total = () => Object.values(remote.answers).reduce((sum, times) => sum + times)
  await waitFor('all requests', () => total() >= asked)
  over.abort()
  expect(remote.answers).toEqual({ ...Object.fromEntries(WAYS.map((way) => [way, 1])), film: 2, reset: 2 })
})
