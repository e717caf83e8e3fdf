import { runService } from '@taproom/service'
import { openTelemetry } from '@taproom/telemetry'
import { readConfig } from './config.ts'
import { startTemplateApp } from './template-app.ts'

void runService('template-app', readConfig, startTemplateApp, openTelemetry)
