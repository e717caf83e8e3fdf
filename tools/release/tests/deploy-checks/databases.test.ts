import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, database, defineSystem, generate } from '@taproom/system'
import { startPostgres } from '@taproom/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const cluster = { cpu: '100m to 1', memory: '128Mi to 256Mi', pods: 'fixed' } as const
const app: App = { needs: [database], cluster }

async function generated(apps: Readonly<Record<string, App>>) {
  const root = await mkdtemp(join(tmpdir(), 'databases-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await generate(defineSystem({ name: 'shop', apps }), root, [], () => {})
  const read = (path: string) => readFile(join(root, 'deploy', path), 'utf8')
  return { compose: parse(await read('compose.yaml'), { merge: true }), read }
}

const hasPsql = (() => {
  try {
    return execFileSync('psql', ['--version']).length > 0
  } catch {
    return false
  }
})()

describe('decisions 3.79: one database and one secret for each app', () => {
  it('by the variables of Compose and of a cluster', async () => {
    const { compose, read } = await generated({ orders: app, 'wine-cellar': app })
    for (const name of ['orders', 'wine-cellar']) {
      const { environment, depends_on: after } = compose.services[name]
      expect(environment.DATABASE_URL).toBe(`\${DATABASE_URL:-postgres://${name}:taproom@postgres:5432/${name}}`)
      expect(after.databases).toEqual({ condition: 'service_completed_successfully' })
      const [deployment] = parseAllDocuments(await read(`kubernetes/base/apps/${name}.yaml`)).map((one) => one.toJS())
      expect(deployment.spec.template.spec.containers[0].env).toEqual([
        { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: `${name}-database`, key: 'url' } } },
      ])
    }
    expect(compose.services.databases.environment.APPS).toBe('orders wine-cellar')
    const { secretGenerator } = parse(await read('kubernetes/components/postgresql/kustomization.yaml'))
    expect(secretGenerator.slice(1)).toEqual([
      { name: 'orders-database', literals: ['url=postgres://orders:development@postgresql:5432/orders'] },
      {
        name: 'wine-cellar-database',
        literals: ['url=postgres://wine-cellar:development@postgresql:5432/wine-cellar'],
      },
    ])
    expect((await generated({ hello: { cluster } })).compose.services).not.toHaveProperty('databases')
  })

  it('which one script makes, once, and which other apps cannot open', { skip: !hasPsql }, async () => {
    const { compose, read } = await generated({ orders: app, 'wine-cellar': app })
    const script = String(compose.services.databases.command[2]).replaceAll('$$', '$')
    const server = parseAllDocuments(await read('kubernetes/components/postgresql/100-postgresql.yaml'))[1]?.toJS()
    expect(server.spec.template.spec.containers[0].lifecycle.postStart.exec.command[2]).toContain(script)

    await using postgres = await startPostgres()
    const { port, username, password, pathname } = new URL(postgres.url)
    const PGHOST = '127.0.0.1'
    const variables = { PGHOST, PGPORT: port, PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) }
    const env = { ...process.env, ...variables, APPS: compose.services.databases.environment.APPS }
    const make = () => execFileSync('sh', ['-ec', script], { env })
    make()
    make()
    const as = (user: string, name: string, sql: string) =>
      execFileSync('psql', ['--tuples-only', '--no-align', '--command', sql], {
        env: { ...env, PGUSER: user, PGDATABASE: name },
        stdio: 'pipe',
      }).toString()
    expect(as('wine-cellar', 'wine-cellar', 'create table wines (); select current_user')).toContain('wine-cellar')
    expect(() => as('orders', 'wine-cellar', 'select 1')).toThrow('permission denied for database')
  })
})
