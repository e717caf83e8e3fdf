import { mkdtempDisposable, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { describe, expect, it } from 'vitest'
import { sendAndRead, startCommand } from './use-command.ts'

const SCRIPT = fileURLToPath(new URL('../scripts/executable.ts', import.meta.url))

describe('the executable', () => {
  it('runs the command with its registry, alone in a folder and without any program to be found', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'executable-'))
    const { stdout } = await run(process.execPath, ['--conditions=development', SCRIPT, folder.path])
    const executable = stdout.trim()
    const { size } = await stat(executable)
    // Node's own executable is most of it.
    expect(size - (await stat(process.execPath)).size).toBeLessThan(10_000_000)

    const env = { PATH: '' }
    const { stdout: version } = await run(executable, ['--version'], { cwd: folder.path, env })
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/)
    await using command = await startCommand([executable], ['--schema-registry', '0'], env)
    expect(await sendAndRead(command.port, command.registryUrl)).toEqual({ name: 'Duvel' })
    expect(await command.stop()).toEqual({ code: 0, signal: null })
  })
})
