import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const dockerfile = await readFile(new URL('../templates/deploy/Dockerfile', import.meta.url), 'utf8')
/** The line that installs, as the shell gets it. */
const INSTALL = /^RUN (filters=[\s\S]*?[^\\])$/m.exec(dockerfile)?.[1]?.replaceAll('\\\n', ' ') ?? ''

const named = (name: string, dependencies: Readonly<Record<string, string>> = {}) =>
  JSON.stringify({ name: `@shop/${name}`, version: '1.0.0', type: 'module', exports: './index.js', dependencies })
const print = (text: string) => `console.log(${JSON.stringify(text)})\n`
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "private": true, "type": "module" }',
  'pnpm-workspace.yaml': 'packages: [apps/*, packages/*]\n',
  'system.ts': print('the whole system'),
  'apps/orders/package.json': named('orders', { '@shop/money': 'workspace:*' }),
  'apps/orders/src/main.ts': `import '@shop/money'\n${print('orders')}`,
  'apps/hello/package.json': named('hello'),
  'apps/hello/src/main.ts': print('hello'),
  'packages/money/package.json': named('money', { '@shop/numbers': 'workspace:*' }),
  'packages/money/index.js': "import '@shop/numbers'\n",
  'packages/numbers/package.json': named('numbers'),
  'packages/numbers/index.js': print('numbers'),
  'packages/unused/package.json': named('unused'),
  'bin/pnpm': '#!/bin/sh\nexec npx -y pnpm@12 "$@"\n',
}

describe('decisions 3.154: an image of a created project', () => {
  let root: string
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'create-image-')))
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(root, 'app', path)), { recursive: true })
      await writeFile(join(root, 'app', path), text)
    }
    await chmod(join(root, 'app/bin/pnpm'), 0o755)
    shell('pnpm install --offline')
  })
  afterEach(() => rm(root, { recursive: true }))

  const shell = (script: string, variables: Readonly<Record<string, string>> = {}) => {
    const env = { ...process.env, ...variables, PATH: `${join(root, 'app/bin')}:${process.env['PATH']}` }
    return execFileSync('sh', ['-ec', script], { cwd: join(root, 'app'), env, stdio: 'pipe' }).toString()
  }
  const install = (apps: string) =>
    shell(INSTALL.replaceAll(/(?<= )\/(?=image|data)/g, `${root}/`), { APP: apps, PNPM_CONFIG_OFFLINE: 'true' })
  const inImage = (path = '') => readdir(join(root, 'image', path))

  it('holds its own app and the packages that it needs, and runs', async () => {
    install('orders')
    expect((await inImage()).toSorted()).toEqual(['apps', 'main', 'node_modules', 'orders', 'package.json', 'packages'])
    expect(await inImage('apps')).toEqual(['orders'])
    expect((await inImage('packages')).toSorted()).toEqual(['money', 'numbers'])
    const output = execFileSync(process.execPath, ['main'], { cwd: join(root, 'image') }).toString()
    expect(output).toBe('numbers\norders\n')
  })

  it('holds several where it is one of several', async () => {
    install('hello orders')
    expect((await inImage('apps')).toSorted()).toEqual(['hello', 'orders'])
    const run = (program: string) => execFileSync(process.execPath, [program], { cwd: join(root, 'image') }).toString()
    expect([run('main'), run('orders')]).toEqual(['hello\n', 'numbers\norders\n'])
  })
})
