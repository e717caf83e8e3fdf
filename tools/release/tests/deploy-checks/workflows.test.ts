import { constants } from 'node:fs'
import { access, glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const FOLDER = '.github/workflows'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly 'runs-on'?: string
  readonly uses?: string
  readonly if?: string
  readonly needs?: readonly string[]
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly environment?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly Step[]
}

interface Workflow {
  readonly on: Readonly<Record<string, { readonly paths?: readonly string[]; readonly branches?: readonly string[] }>>
  readonly jobs: Readonly<Record<string, Job>>
}

const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const paths = (await readdir(join(ROOT, FOLDER))).map((name) => `${FOLDER}/${name}`)
const workflow = async (name: string): Promise<Workflow> => parse(await read(`${FOLDER}/${name}.yaml`))
const jobsOf = ({ jobs }: Workflow) => Object.values(jobs)
const stepsOf = (one: Workflow) => jobsOf(one).flatMap(({ steps = [] }) => steps)
const runsOf = ({ steps = [] }: Job) => steps.flatMap(({ run }) => run ?? [])

const fromMatrix = (name: string) => `\${{ matrix.${name} }}`

/** The script that a line calls, which may be by root. Arguments are words and variables: a shell finds no operator in them. */
const CALL = /^(?:sudo (?:env "PATH=\$PATH" )?)?(?:node )?(\.ci\/[\w.-]+)(?: [\w.:-]+| "\$\w+")*$/
const PNPM = /^npx -y pnpm@12(?: [\w.:-]+)+$/

const { jobs } = await workflow('ci')
const job = (name: string): Job => jobs[name] ?? expect.fail(`ci.yaml has no job ${name}`)

describe.each(paths)('%s', async (path) => {
  const text = await read(path)
  const parsed: Workflow = parse(text)
  const runs = stepsOf(parsed).flatMap(({ run }) => run ?? [])

  it('calls scripts of this repository that can be run, and does nothing else', async () => {
    expect(runs.filter((line) => !CALL.test(line) && !PNPM.test(line))).toEqual([])
    const scripts = runs.flatMap((line) => {
      const [, script] = CALL.exec(line) ?? []
      return script === undefined ? [] : [{ script, mode: line.startsWith('node ') ? constants.R_OK : constants.X_OK }]
    })
    for (const { script, mode } of scripts) await access(join(ROOT, script), mode)
    expect(scripts.length).toBeGreaterThan(0)
  })

  it('takes every action by its digest, and other workflows from this commit', async () => {
    const used = [...jobsOf(parsed), ...stepsOf(parsed)].flatMap(({ uses }) => uses ?? [])
    const local = used.filter((name) => name.startsWith('./'))
    for (const name of local) await access(join(ROOT, name))
    expect(used.filter((name) => !local.includes(name) && !/@[0-9a-f]{40}$/.test(name))).toEqual([])
    expect(used.length).toBeGreaterThan(1)
  })

  it('has no secret', () => {
    expect(text).not.toContain('secrets.')
  })

  it('is valid for actionlint', { tags: 'actionlint' }, async () => {
    // Other programs that actionlint would call on this machine make no difference.
    await run('actionlint', ['-no-color', '-shellcheck=', '-pyflakes=', path], { cwd: ROOT })
  })
})

describe('ci.yaml', () => {
  it('runs the two commands of the README on every system, with Node 20', () => {
    const newcomer = job('newcomer')
    expect(newcomer['runs-on']).toBe(fromMatrix('os'))
    expect(newcomer.strategy?.matrix).toEqual({ os: ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15', 'windows-2025'] })
    expect(runsOf(newcomer)).toEqual(['node .ci/newcomer.mjs start', 'node .ci/newcomer.mjs test'])
    expect(newcomer.steps?.map((step) => step.with?.['node-version'])).toContain(20)
  })

  it('asks what the README has people try', async () => {
    const [, lines = ''] = /## Try it\n.*?```sh\n(.*?)```/s.exec(await read('README.md')) ?? []
    const asked = [...lines.matchAll(/http:\/\/localhost:8080([^\s"']+)/g)].map(([, path]) => `'${path}'`)
    const script = await read('.ci/newcomer.mjs')
    expect(asked).toHaveLength(4)
    expect(asked.filter((path) => !script.includes(path))).toEqual([])
  })

  it('decisions 3.71: tests published packages on Node 22, 24 and 26', () => {
    const published = job('published-packages')
    expect(published.strategy?.matrix).toEqual({ node: [22, 24, 26] })
    expect(runsOf(published)).toEqual(['.ci/published-packages'])
    expect(published.steps?.map((step) => step.with?.['node-version'])).toContain(fromMatrix('node'))
  })

  it.each([
    ['release', ['build-images', 'build-executables']],
    ['packages', ['build-packages']],
  ])('gives out %s of a version only after everything else, as %s have built it', (name, built) => {
    const ofVersion = ['build-images', 'build-executables', 'build-packages', 'release', 'packages', 'verify-packages']
    const others = Object.keys(jobs).filter((other) => !ofVersion.includes(other))
    expect(others).toEqual(expect.arrayContaining(['run', 'nightly']))
    for (const one of built) expect(job(one).needs).toEqual(others)
    expect(job(name).needs).toEqual(built)
    for (const one of ofVersion) expect(job(one).if).toBe("startsWith(github.ref, 'refs/tags/v')")
  })

  it('signs and publishes in jobs that wait for approval, install nothing and build nothing', async () => {
    const mayWrite = Object.entries(jobs).filter(([, { permissions = {} }]) =>
      Object.values(permissions).includes('write'),
    )
    expect(mayWrite.map(([name]) => name)).toEqual(['release', 'packages'])
    for (const [, one] of mayWrite) {
      expect(one.environment).toBe('release')
      expect(one.steps?.some(({ uses = '' }) => uses.startsWith('actions/download-artifact@'))).toBe(true)
      const scripts = runsOf(one).map((line) => CALL.exec(line)?.[1] ?? expect.fail(line))
      for (const script of scripts)
        expect(await read(script)).not.toMatch(/pnpm|\bnpx\b|npm (?:ci|install)|\.ci\/machine/)
    }
  })

  it('signs images, verifies them by the line of deploy/README.md, and only then gives them out', async () => {
    const [, line = ''] = /^(gh attestation verify .*)$/m.exec(await read('deploy/README.md')) ?? []
    const here = line.replace('claim-api.tar.gz', '"$file"').replace('OWNER/REPOSITORY', '"$repository"')
    expect(await read('.ci/verify-files')).toContain(`\n  ${here}\n`)
    expect(await read('.ci/release-images')).toContain('docker save "$name:$tag" | gzip >"$folder/$name.tar.gz"')
    expect(runsOf(job('build-images'))).toEqual(['.ci/release-images "$GITHUB_REF_NAME" images'])
    const { steps = [], permissions } = job('release')
    const order = [
      steps.findIndex(({ uses = '' }) => uses.startsWith('actions/download-artifact@')),
      steps.findIndex(({ uses = '' }) => uses.startsWith('actions/attest-build-provenance@')),
      steps.findIndex(({ run }) => run === '.ci/verify-files images "$GITHUB_REPOSITORY"'),
      steps.findIndex(
        (step) => step.uses?.startsWith('actions/upload-artifact@') === true && step.with?.['path'] === 'images',
      ),
    ]
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' })
  })

  it('decisions 3.179: builds an executable on every system, and gives out those that it has signed and verified', () => {
    const { strategy, steps = [] } = job('build-executables')
    expect(strategy?.matrix).toEqual(job('newcomer').strategy?.matrix)
    expect(runsOf(job('build-executables'))).toEqual(['node .ci/release-executable.mjs executables'])
    expect(steps.map((step) => step.with?.['node-version-file'])).toContain('.node-version')
    const { steps: released = [] } = job('release')
    const order = [
      released.findIndex((step) => step.with?.['pattern'] === 'unsigned-executable-*'),
      released.findIndex((step) => String(step.with?.['subject-path']).includes('executables/*')),
      released.findIndex(({ run }) => run === '.ci/verify-files executables "$GITHUB_REPOSITORY"'),
      released.findIndex((step) => step.with?.['name'] === 'executables'),
    ]
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  it('says how the script that builds an executable is used', async () => {
    await expect(run(process.execPath, [join(ROOT, '.ci/release-executable.mjs')])).rejects.toMatchObject({
      exitCode: 2,
      stderr: 'usage: node .ci/release-executable.mjs FOLDER\n',
    })
  })

  it('decisions 3.72: publishes packages with provenance, and verifies one by the line of their README', async () => {
    const [, line] = /^(npm audit signatures)$/m.exec(await read('tools/release/README.md')) ?? []
    expect(await read('.ci/verify-packages')).toMatch(new RegExp(`\\n${line}\\n$`))
    expect(runsOf(job('build-packages'))).toEqual(['.ci/pack-packages packed'])
    expect(runsOf(job('packages'))).toEqual(['.ci/publish-packages "$GITHUB_REF_NAME" packed'])
    expect(runsOf(job('verify-packages'))).toEqual(['.ci/verify-packages "$GITHUB_REF_NAME"'])
    expect(job('packages').permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    const publish = await read('tools/release/scripts/publish.ts')
    expect(
      [...publish.matchAll(/ from '(.+)'/g)].map(([, from = '']) => from).filter((from) => !from.startsWith('node:')),
    ).toEqual([])
  })
})

it('nightly.yaml runs every night, by hand, and before a version', async () => {
  const nightly = await workflow('nightly')
  expect(Object.keys(nightly.on)).toEqual(['schedule', 'workflow_call', 'workflow_dispatch'])
  expect(job('nightly').uses).toBe(`./${FOLDER}/nightly.yaml`)
  expect(jobsOf(nightly).flatMap(runsOf)).toContain('.ci/nightly')
  const script = await read('.ci/nightly')
  for (const long of ['pnpm@12 test:long', 'pnpm -s suites', 'pnpm -s bench']) expect(script).toContain(long)
})

describe('cluster.yaml', async () => {
  const { on, jobs: clusterJobs } = await workflow('cluster')
  const inputs = on['push']?.paths ?? []

  it('is the one workflow with a cluster, and runs when its inputs change, or by hand', () => {
    expect(Object.keys(on)).toEqual(['push', 'pull_request', 'workflow_dispatch'])
    expect(on['pull_request']?.paths).toEqual(inputs)
    expect(runsOf(clusterJobs['cluster'] ?? {})).toEqual(['sudo env "PATH=$PATH" .ci/kind'])
    expect(Object.values(jobs).flatMap(runsOf).join('\n')).not.toContain('.ci/kind')
  })

  it('names inputs that are there', async () => {
    const isThere = async (pattern: string) => {
      for await (const _ of glob(pattern, { cwd: ROOT, exclude: ['**/node_modules'] })) return true
      return false
    }
    const missing = await Promise.all(inputs.map(async (pattern) => ((await isThere(pattern)) ? [] : [pattern])))
    expect(missing.flat()).toEqual([])
  })

  it('names every script that .ci/kind reads or calls, the apps, the packages, the tests and deploy/', async () => {
    const called = [...(await read('.ci/kind')).matchAll(/\.ci\/(\w[\w.]*)/g)].map(([, name]) => `.ci/${name}`)
    const covered = inputs.map((pattern) => pattern.replace('/**', ''))
    expect([...called, '.ci/kind'].filter((path) => !covered.includes(path))).toEqual([])
    expect(inputs).toEqual(
      expect.arrayContaining([
        'deploy/**',
        'apps/*/src/**',
        'packages/*/src/**',
        'tools/lab/cluster.config.ts',
        'tools/lab/cluster/**',
        'system.ts',
        `${FOLDER}/cluster.yaml`,
      ]),
    )
  })
})
