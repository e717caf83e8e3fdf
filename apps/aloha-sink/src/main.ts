import { runSink } from '@taproom/event-sink'

await runSink({ app: 'aloha-sink', sink: 'eventingaloha' }, process.env)
