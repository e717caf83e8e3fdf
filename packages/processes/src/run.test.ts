import { expect, it } from 'vitest'
import { ProgramError, run } from './run.ts'

it('gives what a program printed, which may have read its input', async () => {
  const copy = ['-e', 'process.stdin.pipe(process.stdout); console.error("copying")']
  await expect(run(process.execPath, copy, { input: 'a\nb' })).resolves.toEqual({ stdout: 'a\nb', stderr: 'copying\n' })
})

it('rejects with the exit code, and shows the last lines that it printed', async () => {
  const fail = ['-e', 'for (let n = 0; n < 40; n += 1) console.error("line", n); process.exitCode = 3']
  const error: unknown = await run(process.execPath, fail).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ProgramError)
  expect(error).toMatchObject({ code: 'PROGRAM_FAILED', exitCode: 3, stdout: '' })
  const { message, stderr } = error as ProgramError
  expect(message.split('\n').slice(1)).toEqual(stderr.trim().split('\n').slice(-30))
})

it('rejects when a program cannot be started, or takes too long', async () => {
  await expect(run('no-such-program', ['--version'])).rejects.toThrow(/^no-such-program --version failed:\n.*ENOENT/)
  const waits = ['-e', 'setInterval(() => {}, 1000)']
  await expect(run(process.execPath, waits, { timeout: 200 })).rejects.toMatchObject({ exitCode: undefined })
})
