import { runService } from '@taproom/service'
import { openTelemetry } from '@taproom/telemetry'
import { readConfig } from './config.ts'
import { startPriceGenerator } from './price-generator.ts'

void runService('price-generator', readConfig, startPriceGenerator, openTelemetry)
