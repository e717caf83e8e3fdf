import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createDevIssuer } from '@taproom/jwt/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const UNREACHABLE = 'http://127.0.0.1:9'
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproom-alone-'))
  await createDevIssuer({ folder })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The variables that an app cannot start without, beside its port; Kafka and the remote services are not there. */
const needs: Readonly<Record<string, () => Record<string, string>>> = {
  'claim-api': () => ({
    MP_JWT_VERIFY_PUBLICKEY_LOCATION: join(folder, 'public-key.pem'),
    MP_JWT_VERIFY_ISSUER: 'https://issuer.example',
  }),
  'movie-api': () => ({ DATABASE_URL: `sqlite:${join(folder, 'movies.sqlite')}`, FILM_SERVICE_URL: UNREACHABLE }),
  'beer-generator': () => ({ KAFKA_BOOTSTRAP_SERVERS: '127.0.0.1:9', BEER_SERVICE_URL: UNREACHABLE }),
  'price-generator': () => ({ KAFKA_BOOTSTRAP_SERVERS: '127.0.0.1:9' }),
  'beer-stream': () => ({ KAFKA_BOOTSTRAP_SERVERS: '127.0.0.1:9', BEER_SERVICE_URL: UNREACHABLE }),
  'event-platform': () => ({ KAFKA_BOOTSTRAP_SERVERS: '127.0.0.1:9', KUBE_PORT: '0' }),
  'aloha-sink': () => ({}),
  'bonjour-sink': () => ({}),
}

describe('README: every app starts alone', () => {
  it.concurrent.each(Object.keys(needs))(
    'pnpm --filter ./apps/%s start',
    async (app) => {
      const pnpm = spawn('pnpm', ['--filter', `./apps/${app}`, 'start'], {
        cwd: ROOT,
        env: { ...process.env, HOST: '127.0.0.1', PORT: '0', ...needs[app]?.() },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      const closed = once(pnpm, 'close')
      const output: string[] = []
      pnpm.stderr.on('data', (chunk) => output.push(String(chunk)))
      try {
        for await (const line of createInterface(pnpm.stdout)) {
          output.push(line)
          if (line.includes(`"msg":"${app} ready"`)) break
        }
        expect(output.at(-1), output.join('\n')).toContain(`"msg":"${app} ready"`)
      } finally {
        if (pnpm.pid !== undefined) process.kill(-pnpm.pid, 'SIGTERM')
        await closed
      }
    },
    60_000,
  )
})
