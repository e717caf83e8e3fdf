import { runService } from '@taproom/service'
import { openTelemetry } from '@taproom/telemetry'
import { readConfig } from './config.ts'
import { startMovieApi } from './movie-api.ts'

void runService('movie-api', readConfig, startMovieApi, openTelemetry)
