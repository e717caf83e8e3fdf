/** As an app's `main.ts` does. */
import { runSink } from '../src/index.ts'

void runSink({ app: 'demo-sink', sink: 'eventingdemo' })
