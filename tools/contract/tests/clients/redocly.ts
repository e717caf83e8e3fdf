import { run } from '@taproom/processes'

const REDOCLY = '@redocly/cli@2.77.0'

interface Problem {
  readonly severity: 'error' | 'warn'
  readonly ruleId: string
  readonly location: readonly { readonly pointer?: string }[]
}

/** The errors that redocly's default rules find in a description: rule and pointer. */
export async function redoclyErrors(document: string): Promise<readonly string[]> {
  const lint = ['exec', '--yes', '--', REDOCLY, 'lint', document, '--format=json']
  // It exits with 1 when there are errors.
  const { stdout } = await run('npm', lint).catch((error: { stdout: string }) => error)
  const { problems }: { problems: readonly Problem[] } = JSON.parse(stdout)
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)
}
