import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createDevIssuer } from '@taproom/jwt/testing'
import { afterEach, describe, expect, it } from 'vitest'

const main = new URL('../src/main.ts', import.meta.url).pathname

describe('the claim-api process', () => {
  let child: ChildProcess | undefined
  afterEach(() => child?.kill('SIGKILL'))

  function run(env: Record<string, string>) {
    const process = spawn(globalThis.process.execPath, ['--conditions=development', main], {
      env: { HOST: '127.0.0.1', PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = process
    return process
  }

  it('says that it is ready, serves, and ends with 0 on SIGTERM', async () => {
    const issuer = await createDevIssuer()
    const process = run({ MP_JWT_VERIFY_PUBLICKEY: issuer.publicKeyPem, MP_JWT_VERIFY_ISSUER: issuer.issuer })
    const lines: { msg: string; port?: number }[] = []
    for await (const line of createInterface({ input: process.stdout })) {
      lines.push(JSON.parse(line))
      if (lines.at(-1)?.msg === 'claim-api ready') break
    }
    const url = `http://127.0.0.1:${lines.at(-1)?.port}/secure/claim`
    const response = await fetch(url, { headers: { Authorization: `Bearer ${await issuer.sign({ user: 'duke' })}` } })
    expect(await response.text()).toBe('duke')
    process.kill('SIGTERM')
    expect(await once(process, 'exit')).toEqual([0, null])
  })

  it('lead: ends with 1 and one line naming key and issuer when they are missing', async () => {
    const process = run({})
    const errors: string[] = []
    for await (const line of createInterface({ input: process.stderr })) errors.push(line)
    if (process.exitCode === null) await once(process, 'exit')
    expect(process.exitCode).toBe(1)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain('MP_JWT_VERIFY_PUBLICKEY_LOCATION')
    expect(errors[0]).toContain('MP_JWT_VERIFY_ISSUER')
  })
})
