// Starts the program in a process of its own and repeats what it says, so that a test can kill the one that started it.
import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '../src/index.ts'

const graceMs = Number(process.env['GRACE_MS'])
startNode({
  args: endingWithParent(fileURLToPath(new URL('./demo-process.ts', import.meta.url)), { graceMs }),
  env: process.env,
  onLine: (line) => process.stdout.write(`${line}\n`),
})
