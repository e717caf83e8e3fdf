import { runSink } from '@taproom/event-sink'
import { readConfig } from './config.ts'
import { openTemplateAppSink } from './template-app-sink.ts'

// begin code
void runSink({ app: 'template-app-sink', sink: 'template-app', readConfig, open: openTemplateAppSink })
// end
// begin log
void runSink({ app: 'template-app-sink', sink: 'template-app' })
// end
