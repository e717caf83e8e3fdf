import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { subjectOf } from './distinguished-name.ts'

/** Made by openssl; its subject has what RFC 2253 names and what it does not, two values in one place, blanks and signs. */
const CERTIFICATE = [
  'MIICXjCCAgOgAwIBAgIUWIMGFMveVlrZdNobVcHyRhNP7/owCgYIKoZIzj0EAwIwgYMxCzAJBgNVBAYTAk5MMRYwFAYDVQQKDA1F',
  'eGFtcGxlLCBJbmMuMRswCAYDVQQLDAFBMA8GCgmSJomT8ixkAQEMAWIxGjAYBgkqhkiG9w0BCQEWC2FAYi5leGFtcGxlMQswCQYD',
  'VQQFEwIxMjEWMBQGA1UEAwwNIEvDpHNlIyJcPTx4PjAeFw0yNjExMjIxNzE3MjRaFw0yNjExMjMxNzE3MjRaMIGDMQswCQYDVQQG',
  'EwJOTDEWMBQGA1UECgwNRXhhbXBsZSwgSW5jLjEbMAgGA1UECwwBQTAPBgoJkiaJk/IsZAEBDAFiMRowGAYJKoZIhvcNAQkBFgth',
  'QGIuZXhhbXBsZTELMAkGA1UEBRMCMTIxFjAUBgNVBAMMDSBLw6RzZSMiXD08eD4wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARz',
  'WQJo5HyLz++IgICzU9sCqkm7cDql/n1/CuCc3QiSFTStlzKJ5I1OhFUoeSkpZmmoIQb1yFP2qOeXqlhQI06eo1MwUTAdBgNVHQ4E',
  'FgQUrNA7oJ5PzRYhCr5/LNGhUgnQKHkwHwYDVR0jBBgwFoAUrNA7oJ5PzRYhCr5/LNGhUgnQKHkwDwYDVR0TAQH/BAUwAwEB/zAK',
  'BggqhkjOPQQDAgNJADBGAiEAogQXqBbu+7nVHZIIWry8IdD4HZg6k5nY91vxdCSQ1W8CIQDTCNsEItNQf1mtU8HlSjWe6C0kaSnz',
  'eC0uz1CWRvsAxw==',
].join('')

it('writes the subject of a certificate as Java does', () => {
  const { raw } = new X509Certificate(Buffer.from(CERTIFICATE, 'base64'))
  expect(subjectOf(raw)).toBe(
    String.raw`CN=\ Käse\#\"\\\=\<x\>,2.5.4.5=#13023132,1.2.840.113549.1.9.1=#160b6140622e6578616d706c65,OU=A+UID=b,O=Example\, Inc.,C=NL`,
  )
})
