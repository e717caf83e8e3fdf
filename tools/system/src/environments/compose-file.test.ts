import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readCompose } from './compose-file.ts'
import { interpolated } from './interpolation.ts'

describe('interpolated', () => {
  it.each([
    ['plain', 'plain'],
    ['$$1 and $', '$1 and $'],
    [`\${SET}-$SET`, 'set-set'],
    [`\${SET:-x}\${EMPTY:-x}\${EMPTY-x}\${GONE-x}`, 'setxx'],
    [`\${GONE:-\${SET:-y}}/\${GONE:-}`, 'set/'],
    [`\${SET:+yes}\${GONE:+no}`, 'yes'],
    [`\${GONE}`, undefined],
    [`\${GONE:?tell me}`, undefined],
  ])('%s', (text, expected) => {
    expect(interpolated(text, { SET: 'set', EMPTY: '' })).toBe(expected)
  })
})

describe('readCompose', () => {
  it('has the variables of every form, those of files first, and the hosts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'compose-file-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, '.env'), 'OURS=from .env\n')
    await writeFile(join(folder, 'a.env'), 'A=1\nB=2\n')
    const { services, hosts, problems } = await readCompose(
      `services:
  one:
    image: \${IMAGE:-one:1}
    command: one --fast
    env_file: [a.env, { path: no.env, required: false }, gone.env]
    environment: [B=3, OURS, "C=\${OURS}", THEIRS]
    networks: { default: { aliases: [first] } }
  two:
    entrypoint: [sh]
    environment: { A: 1, B: null, C: true }
    extra_hosts: ["db:10.0.0.1"]
`,
      folder,
    )
    const [one, two] = services
    expect(one).toMatchObject({ image: 'one:1', command: ['one', '--fast'] })
    expect(one?.start.env).toEqual({ A: '1', B: '3', OURS: 'from .env', C: 'from .env' })
    expect([...(one?.start.given ?? [])]).toEqual(['THEIRS'])
    expect(two).toMatchObject({ image: 'two', command: undefined, start: { env: { A: '1', C: 'true' } } })
    expect([...hosts].toSorted()).toEqual(['db', 'first', 'one', 'two'])
    expect(problems).toEqual(['one: env_file gone.env is not there'])
  })
})
