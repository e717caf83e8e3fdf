import { runService } from '@taproom/service'
import { readConfig } from './config.ts'
import { startConsole } from './start-console.ts'

void runService('console', readConfig, startConsole)
