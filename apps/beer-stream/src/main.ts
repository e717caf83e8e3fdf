import { runService } from '@taproom/service'
import { openTelemetry } from '@taproom/telemetry'
import { startBeerStream } from './beer-stream.ts'
import { readConfig } from './config.ts'

void runService('beer-stream', readConfig, startBeerStream, openTelemetry)
