import { LIMITS } from '@taproom/limits'
import { createYamlThread, YamlBoundsError } from '../manifests/yaml-thread.ts'
import { StatusError } from './status.ts'

/** The largest request body taken, in bytes. */
export const OBJECT_BODY_BYTES = 1_048_576

const MOST_WAITING = 20

/** Turns a text into JSON. */
export type YamlReader = (text: string) => Promise<string>

/**
 * Makes what turns YAML documents from outside into JSON, in a thread of its own.
 *
 * @throws {StatusError} from the reader, for a text that is no YAML, breaks a limit, or comes while too many wait
 */
export function createYamlReader(): YamlReader {
  const thread = createYamlThread()
  let waiting = 0

  async function read(text: string): Promise<string> {
    try {
      const answer = await thread.json(text, OBJECT_BODY_BYTES)
      if ('json' in answer) return answer.json
      throw new StatusError('BadRequest', `the body is not valid YAML: ${answer.problem}`)
    } catch (error) {
      if (error instanceof YamlBoundsError) throw new StatusError('BadRequest', `the body ${error.message}`)
      throw error
    }
  }

  return (text) => {
    if (waiting >= MOST_WAITING) {
      throw new StatusError('TooManyRequests', `${waiting} YAML bodies wait to be read already: send JSON, or later`)
    }
    if (text.length > LIMITS.objectBytes) {
      throw new StatusError(
        'RequestEntityTooLarge',
        `YAML of more than ${LIMITS.objectBytes} characters is not read: send JSON`,
      )
    }
    waiting += 1
    return read(text).finally(() => {
      waiting -= 1
    })
  }
}
