/** An event's attributes that are of interest here. */
export interface SentValue {
  readonly source?: string
  readonly subject?: string
  readonly data?: object
}

const DATA = { beer: 'pils' }

/** Values that SDKs, proxies and brokers treat in different ways, and an event without data. */
export const VALUES: readonly SentValue[] = [
  { source: '/c%2Fd', data: DATA },
  { source: '/a%20b', data: DATA },
  { source: '/a%2520b', data: DATA },
  { subject: 'a%20b', data: DATA },
  { subject: '100%', data: DATA },
  { subject: '50%be', data: DATA },
  { subject: 'a%0D%0Ab', data: DATA },
  { subject: 'a "b"', data: DATA },
  { subject: '"quoted"', data: DATA },
  { subject: 'Größe', data: DATA },
  { subject: '€', data: DATA },
  {},
]
