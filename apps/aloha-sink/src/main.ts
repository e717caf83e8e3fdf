import { runSink } from '@taproom/event-sink'

void runSink({ app: 'aloha-sink', sink: 'eventingaloha' })
