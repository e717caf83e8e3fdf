import type { System } from '../define-system.ts'
import { projectName } from '../project-name.ts'
import { appsThat, isDatabase } from './cluster-apps.ts'
import { manifest } from './manifest.ts'
import { written, writtenKustomization } from './written.ts'

/** In the overlay of development, where it is known to all. */
const PASSWORD = 'development'

/**
 * A manifest whose line `# SCRIPT` is the shell script that makes a role and a database for each of `# APPS`; `dollar` is how a `$` is written
 * in the file.
 */
export async function withDatabases(text: string, apps: readonly string[], dollar = '$'): Promise<string> {
  const script = (await manifest('databases.sh', '')).trimEnd().replaceAll('$', () => dollar)
  const indented = (indent: string) => script.replaceAll(/^(?=.)/gm, indent)
  return text
    .replace(/^( *)# SCRIPT$/m, (_line, indent: string) => indented(indent))
    .replace('# APPS', () => JSON.stringify(apps.join(' ')))
}

/** The files of the component `postgresql`: one server, and in it a database of each app, whose address is in a secret of that app. */
export async function postgresqlComponent(system: System): Promise<readonly (readonly [string, string])[]> {
  const apps = appsThat(system, isDatabase)
  if (apps.length === 0) return []
  const folder = 'components/postgresql'
  const server = await manifest(`kubernetes/${folder}/100-postgresql.yaml`, projectName(system))
  const policies = await manifest(`kubernetes/${folder}/200-network-policies.yaml`, projectName(system))
  const secretGenerator = [
    { name: 'postgresql', literals: [`password=${PASSWORD}`] },
    ...apps.map((app) => ({
      name: `${app}-database`,
      literals: [`url=postgres://${app}:${PASSWORD}@postgresql:5432/${app}`],
    })),
  ]
  const resources = ['100-postgresql.yaml', '200-network-policies.yaml']
  return [
    [`${folder}/kustomization.yaml`, writtenKustomization({ resources, secretGenerator }, 'Component')],
    [`${folder}/100-postgresql.yaml`, written(await withDatabases(server, apps))],
    [`${folder}/200-network-policies.yaml`, written(policies)],
  ]
}
