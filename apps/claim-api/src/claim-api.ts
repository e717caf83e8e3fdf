import { createHealth, processCheck } from '@taproom/health'
import { createJwtVerifier } from '@taproom/jwt'
import { assemble, listen, type ServiceContext } from '@taproom/service'
import { createApp } from './app.ts'
import type { Config } from './config.ts'

/** Answers with the preferred_username of a token signed by its issuer. */
export const startClaimApi = ({ config, log, shutdown }: ServiceContext<Config>) =>
  assemble(async (use) => {
    const verifier = use(await createJwtVerifier({ ...config.jwt.verifier, log }))
    const health = createHealth({ readiness: [verifier.check], wellness: [processCheck()], shutdown })
    return use(await listen(createApp({ config, verifier, health, log }), config.http))
  })
