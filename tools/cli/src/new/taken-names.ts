import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PLATFORM, RESERVED_NAMES, SINKS_IMAGE } from '@taproom/system'
import { NewUsageError } from './errors.ts'
import { PLACES, type Project } from './project.ts'

/** What systems have themselves, besides the names that `defineSystem` refuses. */
const OWN = ['brokers', 'sinks', 'q', PLATFORM, SINKS_IMAGE]

/**
 * Refuses the name of a workspace that is there, of a container of deploy/compose.yaml, and of what every system has.
 *
 * @throws {NewUsageError} when the name is taken
 */
export async function refuseTaken({ root, has }: Project, name: string): Promise<void> {
  const place = PLACES.find((folder) => has(`${folder}/${name}`))
  if (place !== undefined) throw new NewUsageError(`${name} is taken: ${place}/${name} is there already`)
  const compose = has('deploy/compose.yaml') ? await readFile(join(root, 'deploy/compose.yaml'), 'utf8') : ''
  if (new RegExp(`^  ${name}:`, 'm').test(compose)) {
    throw new NewUsageError(`${name} is taken: deploy/compose.yaml has a container of that name`)
  }
  if (OWN.includes(name) || RESERVED_NAMES.includes(name))
    throw new NewUsageError(`${name} is taken: systems have one of their own`)
}
