// A small program whose behaviour its environment chooses.
import { spawn } from 'node:child_process'

const tell = (fields: object) => process.stdout.write(`${JSON.stringify(fields)}\n`)

switch (process.env['BEHAVIOUR']) {
  case 'broken':
    process.stderr.write('the first problem\nthe second problem\n')
    process.exit(3)
    break
  case 'verbose':
    await new Promise((resolve) => process.stderr.write(`${'x'.repeat(3000)}\n`.repeat(50), resolve))
    process.exit(3)
    break
  case 'stubborn':
    process.on('SIGTERM', () => tell({ msg: 'not now' }))
    break
  case 'orderly':
    process.once('SIGTERM', () => {
      tell({ msg: 'stopping' })
      process.exit(0)
    })
    break
  case 'parent':
    tell({ msg: 'child started', pid: spawn('sleep', ['600'], { stdio: 'ignore' }).pid })
    break
  case 'answering':
    process.on('message', (message) => process.send?.({ answer: message }))
    break
  default:
}

setInterval(() => {}, 60_000)
tell({ msg: 'sink ready', port: 1 })
tell({ msg: 'program ready', port: 2, pid: process.pid })
