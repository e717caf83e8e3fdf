import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'

const JAVASCRIPT = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.95.0',
  typescript: '5.9.3',
  '@types/node': '24.10.1',
}
const COMPILER_OPTIONS = {
  ...{ module: 'nodenext', target: 'es2023', types: ['node'], strict: true, skipLibCheck: true, outDir: 'dist' },
}
const PYTHON = ['openapi-python-client==0.29.1', 'ruff==0.17.6']
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const OGEN = 'github.com/ogen-go/ogen/cmd/ogen@v1.25.0'
/** ogen skips what it cannot do, where it is asked to. */
const OGEN_CONFIGURATION = 'generator:\n  ignore_not_implemented: ["sse server response encoding"]\n'

/** One answer, as a generated client gave it. */
export interface ClientAnswer {
  /** The `operationId`, in the spelling of the language. */
  readonly operation: string
  /** ogen gives none: an answer that is not described is an error there. */
  readonly status?: number
  /** The type, or the value, that the client made of the body. */
  readonly parsed?: string
}

export interface ClientRun {
  /** An empty folder. */
  readonly folder: string
  /** The file of the description. */
  readonly document: string
  readonly url: string
  /** The bearer token of every request. */
  readonly token: string
}

/** Generates a client and calls all operations but the stream through it. */
export type Generator = (client: ClientRun) => Promise<readonly ClientAnswer[]>

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** openapi-typescript with openapi-fetch, and \@hey-api/openapi-ts: the programs are compiled against the generated types. */
export const openapiTypescript: Generator = (client) =>
  javascript(client, 'openapi-fetch.txt', ['openapi-typescript', client.document, '-o', 'src/types.ts'])
export const heyApi: Generator = (client) =>
  javascript(client, 'hey-api.txt', ['openapi-ts', '-f', 'openapi-ts.config.json'])

async function javascript(client: ClientRun, source: string, generate: readonly string[]) {
  const { folder, document, url, token } = client
  const inFolder = { cwd: folder }
  const manifest = { private: true, type: 'module', dependencies: JAVASCRIPT }
  const heyApiOptions = { input: document, output: { path: 'src/generated', importFileExtension: '.js' } }
  await mkdir(join(folder, 'src'))
  await cp(program(source), join(folder, 'src/main.ts'))
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['src'] }),
  )
  await writeFile(join(folder, 'openapi-ts.config.json'), JSON.stringify(heyApiOptions))
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'], inFolder)
  await run('npm', ['exec', '--offline', '--', ...generate], inFolder)
  await run('npm', ['exec', '--offline', '--', 'tsc'], inFolder)
  return answers(await run(process.execPath, ['dist/main.js', url, token], inFolder))
}

export const openapiPythonClient: Generator = async ({ folder, document, url, token }) => {
  const inFolder = { cwd: folder, env: { ...process.env, PATH: `${folder}/env/bin:${process.env['PATH']}` } }
  await run('python3', ['-m', 'venv', 'env'], inFolder)
  await run('env/bin/pip', ['install', '--quiet', '--disable-pip-version-check', ...PYTHON], inFolder)
  const output = ['--output-path', 'client_of_the_test', '--meta', 'none', '--fail-on-warning']
  await run('env/bin/openapi-python-client', ['generate', '--path', document, ...output], inFolder)
  return answers(await run('env/bin/python', [program('python.py'), url, token, folder, 'priced_beers'], inFolder))
}

export const oapiCodegen: Generator = (client) =>
  go(client, { tool: OAPI_CODEGEN, name: 'oapi-codegen', source: 'oapi-codegen.go' }, [
    ...['-generate', 'types,client', '-package', 'generated', '-o', 'generated/client.go'],
    client.document,
  ])
export const ogen: Generator = (client) =>
  go(client, { tool: OGEN, name: 'ogen', source: 'ogen.go' }, [
    ...['-config', 'ogen.yml', '-target', 'generated', '-package', 'generated', '-clean'],
    client.document,
  ])

async function go(
  { folder, url, token }: ClientRun,
  { tool, name, source }: { readonly tool: string; readonly name: string; readonly source: string },
  generate: readonly string[],
) {
  const inFolder = { cwd: folder, env: { ...process.env, GOBIN: join(folder, 'bin'), GOFLAGS: '-mod=mod' } }
  await mkdir(join(folder, 'generated'))
  await writeFile(join(folder, 'ogen.yml'), OGEN_CONFIGURATION)
  await cp(program(source), join(folder, 'main.go'))
  await run('go', ['install', tool], inFolder)
  await run(join(folder, 'bin', name), generate, inFolder)
  await run('go', ['mod', 'init', 'clients'], inFolder)
  await run('go', ['mod', 'tidy'], inFolder)
  return answers(await run('go', ['run', '.', url, token, 'PricedBeers'], inFolder))
}

function answers({ stdout }: { readonly stdout: string }): readonly ClientAnswer[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
