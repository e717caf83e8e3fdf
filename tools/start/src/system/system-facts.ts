import { platformOf } from '@taproom/system'
import { hasDevelopmentKey } from '../config.ts'
import { consoleUrl } from '../console/chosen-console.ts'
import type { SystemFacts } from '../control/control-answers.ts'
import { environmentOf } from '../services/environment.ts'
import { tracesSetBy } from '../services/service-environment.ts'
import { kafkaNeedOf } from '../services/services.ts'
import type { SystemOptions } from '../services/system-options.ts'
import { resourceApi } from '../services/try-lines.ts'
import type { StateFolder } from '../state/state-folder.ts'
import type { SystemProcess } from './system-processes.ts'

interface Running {
  readonly url: string
  readonly folder: StateFolder
  readonly services: readonly SystemProcess[]
}

/** What can be known of the system from outside, at any time: Kafka's port is known once the broker runs. */
export function systemFacts(options: SystemOptions, { url, folder, services }: Running): SystemFacts {
  const { system, files, config, env, console } = options
  return {
    name: system.name,
    url,
    root: files.root,
    healthRootPath: config.health.rootPath,
    keys: hasDevelopmentKey(config) ? folder.keys : undefined,
    issuers: config.issuers,
    platform: platformOf(system),
    resourceApi: resourceApi(config),
    tracesSetBy: tracesSetBy(env),
    apps: services.flatMap(({ description: { name, kind, needs } }) =>
      kind === 'app' ? [{ name, serves: system.apps[name]?.serves ?? [], standIns: needs }] : [],
    ),
    console: console && { url: consoleUrl(console), session: console.session },
    get bootstrapServers() {
      return bootstrapServers(options, services)
    },
  }
}

/** As an app that needs Kafka gets them. */
function bootstrapServers({ system }: SystemOptions, services: readonly SystemProcess[]): string | undefined {
  const kafka = kafkaNeedOf(system)
  if (kafka === undefined) return undefined
  const user = services.find(({ process }) => system.apps[process.name]?.needs?.includes(kafka))
  const env = user === undefined ? {} : environmentOf(user.layers())
  return env['KAFKA_BOOTSTRAP_SERVERS'] ?? env['kafka.bootstrap.servers']
}
