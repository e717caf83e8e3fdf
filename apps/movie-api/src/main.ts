import { runService } from '@taproom/service'
import { readConfig } from './config.ts'
import { startMovieApi } from './movie-api.ts'

void runService('movie-api', readConfig, startMovieApi)
