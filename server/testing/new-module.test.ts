import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesOfNewModule } from '../../tools/new-module.ts'
import { projectFolder } from '../config.ts'

describe('npm run new-module', () => {
  const filesOf = (name: string, description = 'Comments on invoices') =>
    filesOfNewModule(projectFolder, { name, description })

  it('writes a module with its test, and adds it wherever modules are listed', async () => {
    const files = await filesOf('invoice-comment', "Comments on a customer's invoices")
    expect([...files.keys()].toSorted()).toEqual([
      'docs/architecture.md',
      'server/http/openapi.ts',
      'server/invoice-comment/invoice-comment.test.ts',
      'server/invoice-comment/router.ts',
      'server/router.ts',
      'shared/invoice-comment.ts',
      'tools/module-order.oxlintrc.json',
      'tools/module-order.ts',
    ])
    expect(files.get('server/router.ts')).toContain('  invoiceComment: invoiceCommentRouter,\n})')
    expect(files.get('server/http/openapi.ts')).toContain(
      String.raw`invoiceComment: 'Comments on a customer\'s invoices',`,
    )
    for (const path of ['server/router.ts', 'tools/module-order.ts'])
      expect(files.get(path)?.length).toBeGreaterThan((await readFile(join(projectFolder, path), 'utf8')).length)
  })

  it('changes nothing that exists', async () => {
    await expect(filesOf('team')).rejects.toThrow('server/team already exists.')
    await expect(filesOf('entitlement')).rejects.toThrow('shared/entitlement.ts already exists.')
    await expect(filesOf('passkey')).rejects.toThrow('shared/passkey.ts already exists.')
    await expect(filesOf('two-factor')).rejects.toThrow('server/two-factor already exists.')
  })

  it('needs a name and a description', async () => {
    for (const name of ['', 'Comment', 'admin-', '-x', 'a--b', '../team', 'x'.repeat(31)])
      await expect(filesOf(name)).rejects.toThrow('Usage:')
    await expect(filesOf('comment', ' ')).rejects.toThrow('Usage:')
  })
})
