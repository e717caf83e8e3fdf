/** The event that is sent: the contract's example as curl sends it. */
export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  host: 'localhost:8080',
  'user-agent': 'curl/8.14.1',
  accept: '*/*',
  'content-type': 'application/json',
  'ce-id': '9aeb0fdf-c01e-0131-0922-9eb54906e209',
  'ce-specversion': '1.0',
  'ce-type': 'greeting',
  'ce-source': '/mycontext/subcontext',
}

export const EVENT_BODY: Buffer = Buffer.from(
  '{"message":"Aloha","beer":{"name":"Duvel","tagline":"Devil of an ale","abv":8.5}}',
)
