import { sendJson } from '@taproom/http'
import { kernelConfig, listen, parseEnv, runService } from '@taproom/service'

/** Stands for the remote service, here and under `pnpm start`. */
void runService(
  'template-app-remote-standin',
  (env) => parseEnv(env, kernelConfig),
  ({ config }) =>
    listen(({ url }, response) => sendJson(response, 200, { from: 'the stand-in', path: url }), config.http),
)
