import { sendJson } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import { readJson } from '../http/body.ts'
import { type Field, flag, optional, readFields, TIME, text } from '../http/fields.ts'
import type { Routes } from '../http/route.ts'
import { listGroups } from './groups.ts'
import type { KafkaArea } from './kafka-area.ts'
import { MAX_NAME, OFFSET, PARTITION } from './kafka-fields.ts'
import { resetOffsets } from './reset-offsets.ts'

const MAX_BODY_BYTES = 65_536

const TARGET: Field<'earliest' | 'latest' | number> = {
  expected: '"earliest", "latest", or a time in milliseconds since 1970',
  read: (value) => (value === 'earliest' || value === 'latest' ? value : TIME.read(value)),
}

/** @param area throws in a system without Kafka */
export function groupRoutes(area: () => KafkaArea): Routes {
  return {
    async 'GET /api/kafka/groups'({ response }) {
      const { link, figures } = area()
      sendJson(response, 200, await link.call((admin) => listGroups(admin, figures())))
    },
    async 'POST /api/kafka/groups/{group}/offsets'(asked) {
      const { topic, partition, ...given } = readFields(await readJson(asked, MAX_BODY_BYTES), {
        topic: text({ min: 1, max: MAX_NAME }),
        partition: optional(PARTITION),
        to: optional(TARGET),
        offset: optional(OFFSET),
        dryRun: optional(flag),
      })
      const to = given.to ?? given.offset
      if (to === undefined || (given.to !== undefined && given.offset !== undefined)) {
        throw new HttpProblem(400, { detail: 'expected one of to and offset' })
      }
      if (given.offset !== undefined && partition === undefined) {
        throw new HttpProblem(400, { detail: 'offset needs a partition' })
      }
      const wanted = { groupId: asked.params['group'] ?? '', topic, partition, to, isDryRun: given.dryRun === true }
      sendJson(asked.response, 200, await area().link.call((admin) => resetOffsets(admin, wanted)))
    },
  }
}
