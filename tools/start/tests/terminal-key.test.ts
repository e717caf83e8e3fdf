import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runScript } from '@taproom/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'

const MAIN = new URL('./fixtures/terminal-key-main.ts', import.meta.url)
/** Runs a command in a terminal of its own; that of Linux. */
const SCRIPT = '/usr/bin/script'
/** Says whether a process is in the foreground: without it, no key is heard. */
const PS = '/usr/bin/ps'

describe('onTerminalKey', () => {
  it('ends at once, without a key, where stdin is not a terminal', async () => {
    expect(await runScript(MAIN, [])).toMatchObject({ code: 0, stdout: 'listening\n' })
  })

  it.runIf(process.platform === 'linux' && existsSync(SCRIPT) && existsSync(PS))(
    'hears its key in a terminal, and no other line',
    async () => {
      const command = `"${process.execPath}" --conditions=development "${fileURLToPath(MAIN)}"`
      const child = spawn(SCRIPT, ['-qec', command, '/dev/null'])
      onTestFinished(() => void child.kill())
      child.stdout.once('data', () => child.stdin.write('other\nc\n'))
      const output = await text(child.stdout)
      expect(output.match(/pressed, heard: \w+/g)).toEqual(['pressed, heard: true'])
    },
  )
})
