import { runService } from '@taproom/service'
import { openTelemetry } from '@taproom/telemetry'
import { readConfig } from './config.ts'
import { startEventPlatform } from './event-platform.ts'
import { systemFolder } from './system-folder.ts'

const folders = systemFolder(process.cwd())

void runService('event-platform', (env) => readConfig(env, folders), startEventPlatform, openTelemetry)
