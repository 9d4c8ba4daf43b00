// A command-line program that signs its user in with the device flow (RFC 8628). No dependencies. Create its client
// once: npm run client -- create --name "My CLI" --public --first-party
//   --grant urn:ietf:params:oauth:grant-type:device_code --grant refresh_token --json
const issuer = process.env.FOYER_URL ?? 'http://localhost:3000'
const clientId = process.env.CLIENT_ID ?? ''

const post = async (url, fields) => {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ client_id: clientId, ...fields }) })
  return response.json()
}

const endpoints = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
const device = await post(endpoints.device_authorization_endpoint, { scope: 'openid offline_access', resource: issuer })
console.log(`Open ${device.verification_uri} and enter ${device.user_code}`)

let tokens
do {
  await new Promise((done) => setTimeout(done, Number(process.env.POLL_MS ?? (device.interval ?? 5) * 1000)))
  tokens = await post(endpoints.token_endpoint, {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: device.device_code,
  })
} while (tokens.error === 'authorization_pending')
if (tokens.error) throw new Error(tokens.error_description ?? tokens.error)

const headers = { authorization: `Bearer ${tokens.access_token}` }
const organizations = await (await fetch(`${issuer}/api/auth/organization/list`, { headers })).json()
console.log(JSON.stringify(organizations.map(({ slug }) => slug)))
