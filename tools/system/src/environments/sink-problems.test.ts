import { expect, it } from 'vitest'
import { defineSystem } from '../define-system.ts'
import { eventPlatform } from '../event-platform.ts'
import { kafka } from '../usual-needs.ts'
import { missingPlatformFolder } from './sink-problems.ts'

it('decisions 3.190: has both files of the folder that a project of before lacks', () => {
  const platform = { ...eventPlatform(kafka), main: '@taproom/event-platform/main' }
  const system = defineSystem({ name: 'shop', apps: { 'event-platform': platform } })
  const [problem] = missingPlatformFolder(system, '/nowhere', 'registry.example.com/shop/event-platform:1')
  const [, text = ''] = /package\.json, (\{.*\}), and/.exec(problem ?? '') ?? []
  expect(JSON.parse(text)).toMatchObject({
    ...{ name: '@shop/event-platform', type: 'module', dependencies: { '@taproom/event-platform': '*' } },
  })
  expect(problem).toContain("src/main.ts, import '@taproom/event-platform/main'")
})
