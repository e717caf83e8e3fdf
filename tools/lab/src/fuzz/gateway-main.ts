/** The gateway, once for each pair of `LANES`: the port on which it listens, and that of the backend behind it. */
import { startLoneGateway } from './framing/lone-gateway.ts'

const lanes = (process.env['LANES'] ?? '').split(' ').map((lane) => lane.split(':').map(Number))
await Promise.all(lanes.map(([port = 0, backend = 0]) => startLoneGateway(port, backend)))
