import { HttpProblem } from '@taproom/service'
import type { Routes } from '../http/route.ts'
import { groupRoutes } from './group-routes.ts'
import type { KafkaArea } from './kafka-area.ts'
import { recordRoutes } from './record-routes.ts'
import { topicRoutes } from './topic-routes.ts'

/** Everything about Kafka; `kafka` is undefined in a system without. */
export function kafkaRoutes(kafka: KafkaArea | undefined): Routes {
  const area = () => {
    if (kafka !== undefined) return kafka
    throw new HttpProblem(404, { detail: 'this system has no Kafka' })
  }
  return { ...topicRoutes(area), ...recordRoutes(area), ...groupRoutes(area) }
}
