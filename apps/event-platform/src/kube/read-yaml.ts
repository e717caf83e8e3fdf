import { LIMITS } from '@taproom/core/limits'
import { createYamlThread, YamlBoundsError } from '../manifests/yaml-thread.ts'
import { badRequest, StatusError } from './status.ts'

/** The largest request body. */
export const OBJECT_BODY_BYTES = 1_048_576

const MOST_WAITING = 20

/**
 * Converts YAML documents from outside to JSON, in a thread of its own.
 *
 * @throws {StatusError} from the reader, when the text is not YAML, breaks a limit, or too many others wait
 */
export function createYamlReader() {
  const thread = createYamlThread()
  let waiting = 0

  async function read(text: string): Promise<string> {
    try {
      const answer = await thread.json(text, OBJECT_BODY_BYTES)
      if ('json' in answer) return answer.json
      throw badRequest(`the body is not valid YAML: ${answer.problem}`)
    } catch (error) {
      if (error instanceof YamlBoundsError) throw badRequest(`the body ${error.message}`)
      throw error
    }
  }

  return (text: string): Promise<string> => {
    if (waiting >= MOST_WAITING) {
      throw new StatusError('TooManyRequests', `${waiting} YAML bodies wait to be read already: send JSON, or later`)
    }
    if (text.length > LIMITS.objectBytes) {
      const message = `YAML of more than ${LIMITS.objectBytes} characters is not read: send JSON`
      throw new StatusError('RequestEntityTooLarge', message)
    }
    waiting += 1
    return read(text).finally(() => {
      waiting -= 1
    })
  }
}
