/** The event that is measured with: eight attributes, a hundred bytes of JSON. */
export const eventHeaders: Readonly<Record<string, string>> = {
  host: 'default-broker.default.svc.cluster.local',
  'user-agent': 'bench',
  'content-type': 'application/json',
  'ce-id': 'a234-1234-1234',
  'ce-source': 'https://github.com/cloudevents/spec/pull',
  'ce-specversion': '1.0',
  'ce-type': 'greeting',
  'ce-subject': '123',
  'ce-time': '2018-04-05T17:31:00Z',
  'ce-comexampleextension1': 'value',
}

export const eventBody: Buffer = Buffer.from(
  JSON.stringify({ message: 'Aloha', to: { name: 'Duvel', tagline: 'Devil of an ale', abv: 8.5 }, numbers: [1, 2, 3] }),
)
