import { deflateSync } from 'node:zlib'
import { imageSize } from 'image-size'
import { describe, expect, it } from 'vitest'
import { hueOf, hues } from '../../shared/theme.ts'
import { sweep } from '../maintenance/sweep.ts'
import { createOrganizationOwner, createInvitation } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, newUserData } from '../testing/test-users.ts'

const testApp = await createTestApp()

/** A PNG of the given size, whose content differs by `seed`. */
function png(width: number, height: number, seed = 0): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(64, seed))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** A JPEG of the given size, with bytes between its segments. */
function jpeg(width: number, height: number, between: number[] = []): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const header = [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
  return Buffer.concat([Buffer.from([...header, ...between]), frame, Buffer.from([0xff, 0xd9])])
}

type Uploader = Pick<Awaited<ReturnType<typeof createUser>>, 'browser'>

const upload = ({ browser }: Uploader, body: Buffer, headers: Record<string, string> = {}) =>
  browser.request('/api/pictures', {
    method: 'POST',
    body: Uint8Array.from(body),
    headers: { 'content-type': 'image/png', ...headers },
  })

describe('POST /api/pictures', () => {
  it('is not served over tRPC, and neither are invoices', async () => {
    const { browser } = await createUser(testApp)
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    expect((await browser.request('/api/trpc/picture.upload', post)).status).toBe(404)
    const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: { paymentId: 'pay_1' } }))
    const batch = `/api/trpc/session.get,payment.invoice?batch=1&input=${input}`
    expect((await browser.request(batch)).status).toBe(404)
    for (const path of ['payment.invoice', 'x/payment.invoice', '/payment.invoice', 'x/session.get'])
      expect((await browser.request(`/api/trpc/${path}?input=%7B%7D`)).status).toBe(404)
  })

  it('stores a picture, which is served with its type and never changes', async () => {
    const person = await createUser(testApp)
    const bytes = png(512, 512, 1)
    const { status, body } = await upload(person, bytes, { 'content-type': 'text/html' })
    expect(status).toBe(200)
    expect(body.url).toMatch(new RegExp(`^${testApp.origin}/api/pictures/[\\w-]{43}$`))
    const answer = await fetch(body.url)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
    expect((await person.browser.post('/update-user', { image: body.url })).status).toBe(200)
    expect((await person.browser.get('/get-session')).body.user.image).toBe(body.url)
    expect((await upload(person, bytes)).body.url).toBe(body.url)
    expect((await upload(person, jpeg(512, 512))).status).toBe(200)
  })

  it.each([
    ['a script', Buffer.from('<script>alert(1)</script>')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script/></svg>')],
    ['a GIF', Buffer.from('GIF89a\u0008\u0000\u0008\u0000', 'latin1')],
    ['too wide a picture', png(1025, 8)],
    ['a picture without an area', png(0, 0)],
    ['a PNG that ends early', png(8, 8).subarray(0, 12)],
    ['too high a JPEG', jpeg(8, 1025)],
    ['a JPEG whose segments do not follow each other', jpeg(16, 16, [0])],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s', async (_, bytes) => {
    const person = await createUser(testApp)
    const before = await testApp.db.picture.count()
    const { status, body } = await upload(person, bytes)
    expect([status, body.code]).toEqual([400, 'PICTURE_IS_INVALID'])
    expect(await testApp.db.picture.count()).toBe(before)
  })

  it('refuses more than a megabyte, strangers, and other sites', async () => {
    const person = await createUser(testApp)
    expect((await upload(person, Buffer.concat([png(8, 8), Buffer.alloc(1_100_000)]))).status).toBe(413)
    const foreign = await upload(person, png(8, 8), { origin: 'https://evil.example' })
    expect([foreign.status, foreign.body.message]).toEqual([403, 'Invalid origin'])
    expect((await upload({ browser: testApp.browser() }, png(8, 8))).status).toBe(401)
  })

  it('is not open to API keys', async () => {
    const person = await createUser(testApp)
    const { body } = await person.browser.post('/api-key/create', { name: 'x' })
    const before = await testApp.db.picture.count()
    const answer = await upload({ browser: testApp.browser() }, png(8, 8, 77), {
      'x-api-key': body.key,
      origin: 'none',
    })
    expect([answer.status, answer.body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(await testApp.db.picture.count()).toBe(before)
  })

  it('has a limit for each user', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on' })
    const person = await createUser(counted)
    const answers = []
    for (let n = 0; n < 31; n++) answers.push((await upload(person, png(8, 8, n))).status)
    expect(answers.slice(0, 30).every((status) => status === 200)).toBe(true)
    expect(answers[30]).toBe(429)
  })
})

/** A HEIF file whose boxes make a parser search the rest of the file repeatedly. */
function nested(): Buffer {
  const box = (type: string, content: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(content.length + 8)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, content])
  }
  const sizes = Buffer.concat(Array.from({ length: 45_000 }, () => box('ispe', Buffer.alloc(12))))
  const properties = box('meta', Buffer.concat([Buffer.alloc(4), box('iprp', box('ipco', sizes))]))
  return Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')), properties])
}

it('a type that is not served is not parsed', async () => {
  const person = await createUser(testApp)
  // Parsing it would take half a minute.
  expect(() => imageSize(nested())).toThrow('disabled file type')
  expect((await upload(person, nested())).status).toBe(400)
})

describe('GET /api/pictures/{id}', () => {
  it('answers 404 for an unknown or malformed id', async () => {
    for (const id of ['x', 'a'.repeat(43), '..%2f..', '%00']) {
      expect((await fetch(`${testApp.origin}/api/pictures/${id}`)).status).toBe(404)
    }
  })
})

describe('an unused picture', () => {
  it('is deleted after a day; one of a user or an organization stays', async () => {
    const owner = await createOrganizationOwner(testApp)
    const urls: string[] = []
    for (const seed of [50, 51, 52]) urls.push((await upload(owner, png(9, 9, seed))).body.url)
    const [image = '', logo = '', unused = ''] = urls
    await owner.browser.post('/update-user', { image })
    await owner.browser.post('/organization/update', { data: { logo }, organizationId: owner.organization.id })
    await sweep(testApp.app)
    expect((await fetch(unused)).status).toBe(200)
    await testApp.db.picture.updateMany({ data: { createdAt: new Date(Date.now() - 2 * 86_400_000) } })
    await sweep(testApp.app)
    expect(await Promise.all(urls.map(async (url) => (await fetch(url)).status))).toEqual([200, 200, 404])
  })
})

describe('emails about an organization', () => {
  it('show its initials on its color, or its picture, but no picture of another origin', async () => {
    const owner = await createOrganizationOwner(testApp, { name: 'Analytical Engines' })
    const { id } = owner.organization
    const newest = async () => {
      const { email } = newUserData()
      await createInvitation(owner, email)
      return (await testApp.mails(email))[0]?.html ?? ''
    }
    const [back, ink] = hues.light[hueOf(id)] ?? []
    expect(await newest()).toMatch(new RegExp(`class="avatar"[^>]*background:${back};color:${ink};[^>]*>AE</td>`))
    const { body } = await upload(owner, png(64, 64, 9))
    await owner.browser.post('/organization/update', { organizationId: id, data: { logo: body.url } })
    expect(await newest()).toContain(`<img src="${body.url}" alt="" width="44"`)
    // These URLs would reveal to another server who reads the email, or make its reader call another path of ours.
    for (const logo of [
      'https://elsewhere.test/logo.png',
      `${testApp.origin}/oauth/authorize?client_id=x`,
      `${testApp.origin}/api/pictures/../auth/x`,
    ]) {
      await testApp.db.organization.update({ where: { id }, data: { logo } })
      expect(await newest()).not.toContain('<img')
    }
  })
})
