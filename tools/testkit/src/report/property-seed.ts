/** A setup file of Vitest: property tests try the same values in every run, those of TAPROOM_TEST_SEED if it is set. */
import { configureGlobal } from 'fast-check'

configureGlobal({ seed: Number(process.env['TAPROOM_TEST_SEED'] || '1') })
