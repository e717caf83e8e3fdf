/** As the `main.ts` of a sink with code does. */
import { kernelConfig, parseEnv } from '@taproom/service'
import { runSink } from '../src/index.ts'

void runSink({
  app: 'ledger-sink',
  sink: 'ledger',
  readConfig: (env) => parseEnv(env, (read) => ({ ...kernelConfig(read), prefix: read.string('LEDGER_PREFIX') })),
  open({ config: { prefix }, log, use }) {
    const state = { isOpen: true }
    use({ [Symbol.dispose]: () => log.info({}, 'ledger closed') })
    return {
      on: {
        written: ({ id }) => log.info({}, `${prefix}${id}`),
        closed: () => void Object.assign(state, { isOpen: false }),
      },
      readiness: [{ name: 'ledger', cacheMs: 0, check: () => ({ status: state.isOpen ? 'UP' : 'DOWN' }) }],
    }
  },
})
