import { fileURLToPath } from 'node:url'
import { runService } from '@taproom/service'
import { readConfig } from './config.ts'
import { startEventPlatform } from './event-platform.ts'

const repository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const folders = { manifests: repository('deploy/knative'), apps: repository('apps') }

void runService('event-platform', (env) => readConfig(env, folders), startEventPlatform)
