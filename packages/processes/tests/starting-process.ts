// Starts the demo program and passes its output on, so that a test can kill the parent.
import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '../src/index.ts'

const graceMs = Number(process.env['GRACE_MS'])
startNode({
  args: endingWithParent(fileURLToPath(new URL('./demo-process.ts', import.meta.url)), { graceMs }),
  env: process.env,
  onLine: (line) => process.stdout.write(`${line}\n`),
})
