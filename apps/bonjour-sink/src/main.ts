import { runSink } from '@taproom/event-sink'

await runSink({ app: 'bonjour-sink', sink: 'eventingbonjour' }, process.env)
