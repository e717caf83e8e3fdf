import { describeRendered } from './rendered-system.ts'

describeRendered('smallest', ['development', 'production'])
