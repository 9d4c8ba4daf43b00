import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { subscriptionStatuses } from '../../shared/payment.ts'
import { projectFolder } from '../config.ts'
import { createTestApp } from './test-app.ts'

const testApp = await createTestApp()

it('the development seed can be signed in to, and is written once', async () => {
  const env = { PATH: process.env['PATH'], DATABASE_URL: testApp.databaseUrl, NODE_ENV: 'development' }
  const seed = () =>
    spawnSync(process.execPath, ['--import', 'tsx', join(projectFolder, 'tools/seed.ts')], { env, encoding: 'utf8' })
  const first = seed()
  expect([first.status, first.stderr]).toEqual([0, ''])
  expect(seed().stdout).toContain('The seed data already exists.')
  const answer = await testApp
    .browser()
    .post('/sign-in/email', { email: 'ada@example.test', password: 'correct horse battery staple' })
  expect(answer.status).toBe(200)
  expect(await testApp.db.organization.count()).toBe(3)
  const states = await testApp.db.subscription.groupBy({ by: 'status' })
  expect(states.map(({ status }) => status).toSorted()).toEqual(subscriptionStatuses.toSorted())
})
