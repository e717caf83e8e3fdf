import { runService } from '@taproom/service'
import { openTelemetry } from '@taproom/telemetry'
import { startBeerGenerator } from './beer-generator.ts'
import { readConfig } from './config.ts'

void runService('beer-generator', readConfig, startBeerGenerator, openTelemetry)
