import { expect, it } from 'vitest'
import { serviceViews } from './service-views.ts'

it.each([
  'node /home/me/taproom/apps/aloha-sink/src/main.ts',
  'node /home/me/apps/taproom/apps/aloha-sink/src/main.ts',
  'node --eval (function () {\n\tstart()\n})() /home/me/taproom/apps/aloha-sink/dist/bundle/main.cjs',
  'C:\\apps\\node.exe C:\\apps\\taproom\\apps\\aloha-sink\\dist\\main.js',
])('a sink is named after its app, wherever that is: %s', (command) => {
  const usage = new Map([[7, { pid: 7, cpuMs: 1, memoryBytes: 1, command, parent: 5 }]])
  const views = serviceViews([], { platform: 5, now: { at: 1, usage }, before: undefined })
  expect(views.map(({ name, kind }) => [name, kind])).toEqual([['aloha-sink', 'sink']])
})
