import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'

type Parse = (answer: object) => Promise<unknown>

const require = createRequire(import.meta.url)
const { parse: createTopics } = require('kafkajs/src/protocol/requests/createTopics/v2/response.js') as { parse: Parse }
const { parse: createPartitions } = require('kafkajs/src/protocol/requests/createPartitions/v1/response.js') as {
  parse: Parse
}
const { parse: alterConfigs } = require('kafkajs/src/protocol/requests/alterConfigs/v1/response.js') as { parse: Parse }

const INVALID_CONFIG = 40
const reason = 'Unknown topic config name: beer'

describe('a refusal', () => {
  it("has the broker's reason", async () => {
    const refused = { errorCode: INVALID_CONFIG, errorMessage: reason }
    const error = { type: 'INVALID_CONFIG', message: reason }
    await expect(createTopics({ topicErrors: [{ topic: 'a', ...refused }] })).rejects.toMatchObject({
      errors: [{ ...error, topic: 'a' }],
    })
    await expect(createPartitions({ topicErrors: [refused] })).rejects.toMatchObject(error)
    await expect(alterConfigs({ resources: [refused] })).rejects.toMatchObject(error)
  })

  it('has the words of its error where the broker gives no reason', async () => {
    const refused = { errorCode: INVALID_CONFIG, errorMessage: null }
    await expect(alterConfigs({ resources: [refused] })).rejects.toMatchObject({ message: 'Configuration is invalid' })
  })
})
