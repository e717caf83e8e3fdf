import { runSink } from '@taproom/event-sink'

void runSink({ app: 'bonjour-sink', sink: 'eventingbonjour' })
