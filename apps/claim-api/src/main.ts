import { runService } from '@taproom/service'
import { openTelemetry } from '@taproom/telemetry'
import { startClaimApi } from './claim-api.ts'
import { readConfig } from './config.ts'

void runService('claim-api', readConfig, startClaimApi, openTelemetry)
