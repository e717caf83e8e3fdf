/** A whole sink, as an app's `main.ts` has it. */
import { runSink } from '../src/index.ts'

void runSink({ app: 'demo-sink', sink: 'eventingdemo' })
