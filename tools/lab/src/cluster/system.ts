import { APPS } from '../harness/apps.ts'
import { inTaproom, kubectl, rolledOut } from '../harness/kubectl.ts'

const DEPLOYED = [APPS.claims, APPS.films, APPS.beers, APPS.prices, APPS.stream]
const MIGRATION = `job/${APPS.films}-migration`

/** Brings what an overlay for development says to the cluster, by the lines of its page, until all of it has replaced what was there. */
export async function release(overlay: string): Promise<void> {
  await applyDevelopment(overlay)
  await rolledOutSystem()
}

/** Without waiting for anything. */
export async function applyDevelopment(overlay: string): Promise<void> {
  await inTaproom('delete', MIGRATION, '--ignore-not-found')
  await kubectl(['apply', '-k', overlay])
}

/** Waits until all that was applied has replaced what was there. */
export async function rolledOutSystem(): Promise<void> {
  for (const server of ['kafka', 'postgresql'])
    await inTaproom('rollout', 'status', `statefulset/${server}`, '--timeout=300s')
  await inTaproom('wait', '--for=condition=complete', MIGRATION, '--timeout=300s')
  await rolledOut(...DEPLOYED)
}

/** Takes away what runs in the namespace of the system, and its data; what is in there by hand stays. */
export async function emptySystem(): Promise<void> {
  await inTaproom('delete', 'deployment,statefulset,job,horizontalpodautoscaler', '--all', '--timeout=180s')
  await inTaproom('delete', 'pods', '--all', '--timeout=180s')
  await inTaproom('delete', 'persistentvolumeclaim', '--all', '--timeout=120s')
}

/** Runs a program in the system's pod of PostgreSQL, and gives what it prints. */
function inPostgresql(...command: string[]): Promise<string> {
  return inTaproom('exec', 'statefulset/postgresql', '--', ...command)
}

export interface Login {
  readonly user: string
  readonly password: string
  readonly database: string
}

const ADMINISTRATOR: Login = { user: 'taproom', password: 'development', database: 'movie-api' }

/** Runs SQL as the administrator in movie-api's database, or as another role elsewhere, and gives what it selects. */
export async function sql(text: string, login: Partial<Login> = {}): Promise<string> {
  const { user, password, database } = { ...ADMINISTRATOR, ...login }
  const url = `postgres://${user}:${password}@127.0.0.1:5432/${database}`
  const options = ['--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1', '--command', text]
  return (await inPostgresql('psql', url, ...options)).trim()
}
