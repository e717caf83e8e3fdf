import type { PictureNode } from '../src/api/system.ts'
import { href } from './address.ts'

export function nodeAddress({ id, kind, name }: Pick<PictureNode, 'id' | 'kind' | 'name'>): string {
  const rest = id.slice(id.indexOf('/') + 1)
  switch (kind) {
    case 'service':
      return href('services', [name])
    case 'sink':
      return href('services', ['sinks', ...rest.split('/')])
    case 'kafka':
      return href('kafka')
    case 'topic':
      return href('kafka', ['topics', name])
    case 'broker':
      return href('events', [], { broker: rest })
    case 'trigger':
      return href('events', [], { trigger: rest })
    case 'gateway':
      return href('traces', [], { service: name })
    case 'outside':
      return href('try')
    case 'remote':
    case 'database':
      return href('traces', [], { text: name })
  }
}
