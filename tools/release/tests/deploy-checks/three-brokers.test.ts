import { beforeAll, describe, expect, it } from 'vitest'
import { type KubeObject, ofKind } from '../../src/deploy-checks/kube-object.ts'
import { allProblems } from './changed-overlay.ts'
import { isRendering, overlayWith } from './rendered.ts'

describe('development with three Kafka brokers', { tags: 'kustomize', skip: !isRendering }, () => {
  let objects: KubeObject[]

  beforeAll(async () => {
    objects = await overlayWith('development', 'kafka-of-three')
  })

  it('is as right as with one, and lets brokers say to each other what no variable of an app names', async () => {
    const problems = await allProblems('development', objects)
    const [votes, copies] = [9093, 9094]
    expect(problems).toEqual([
      ...[votes, copies].map(
        (port) =>
          `StatefulSet taproom/kafka: NetworkPolicy taproom/kafka-brokers lets it reach port ${port}, which it does not need`,
      ),
      ...[votes, copies].map(
        (port) =>
          `StatefulSet taproom/kafka: NetworkPolicy taproom/kafka-brokers lets others reach port ${port} without need`,
      ),
    ])
  })

  it('has three of everything, which one may be missing from', () => {
    const [kafka] = ofKind(objects, 'apps/v1/StatefulSet').filter(({ metadata }) => metadata.name === 'kafka')
    const variables = kafka?.spec?.template?.spec?.containers[0]?.env ?? []
    const values = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
    const copies = kafka?.spec?.replicas
    expect(copies).toBe(3)
    expect(values['KAFKA_CONTROLLER_QUORUM_VOTERS']?.split(',')).toHaveLength(3)
    for (const what of ['OFFSETS_TOPIC', 'TRANSACTION_STATE_LOG', 'DEFAULT']) {
      expect(values[`KAFKA_${what}_REPLICATION_FACTOR`], what).toBe(String(copies))
    }
    for (const name of ['KAFKA_MIN_INSYNC_REPLICAS', 'KAFKA_TRANSACTION_STATE_LOG_MIN_ISR']) {
      expect(values[name], name).toBe('2')
    }
    // Used in another variable, so it has to come before.
    const names = variables.map(({ name }) => name)
    expect(names.indexOf('POD_NAME')).toBeLessThan(names.indexOf('KAFKA_ADVERTISED_LISTENERS'))
  })
})
