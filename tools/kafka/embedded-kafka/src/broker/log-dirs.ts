import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Damage } from '../storage/damage.ts'
import type { TopicCatalog } from '../topics/topic-catalog.ts'

/** Whether the records of a `nodeId/topicId/partition` are needed no more: the topic is gone, or its replica there was moved away. */
export function isOrphan(topics: TopicCatalog, name: string): boolean {
  const [nodeId, topicId = '', index] = name.split('/')
  const partition = topics.findById(topicId)?.partitions[Number(index)]
  return partition?.replicas.leadership.replicas.includes(Number(nodeId)) !== true
}

/**
 * Removes the records of topics that are not known, and of partitions that have been moved away: a kill came before their files were
 * removed, or the broker was down. Where the state was damaged (`lost`), they may be of topics it has lost: they are set aside instead.
 */
export function removeOrphans(dataDir: string, nodeId: number, topics: TopicCatalog, lost: Damage | undefined): void {
  const remove = (path: string): void => {
    if (lost) lost.move(path, 'the state that was readable has no such topic')
    else rmSync(path, { recursive: true, force: true })
  }
  const folder = logDirOf(dataDir, nodeId)
  if (!existsSync(folder)) return
  for (const topicId of readdirSync(folder)) {
    const path = join(folder, topicId)
    if (!topics.findById(topicId)) {
      remove(path)
      continue
    }
    for (const index of readdirSync(path)) {
      if (isOrphan(topics, `${nodeId}/${topicId}/${index}`)) remove(join(path, index))
    }
  }
}

/** The folder of a broker's records: the first one has that of a broker which is alone, so that a cluster can grow from it. */
export function logDirOf(dataDir: string, nodeId: number): string {
  return nodeId === 1 ? join(dataDir, 'topics') : join(dataDir, `broker-${nodeId}`, 'topics')
}
