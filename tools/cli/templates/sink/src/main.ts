import { runSink } from '@taproom/event-sink'

void runSink({ app: 'template-app-sink', sink: 'template-app' })
