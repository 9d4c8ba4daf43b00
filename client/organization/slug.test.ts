import { describe, expect, it } from 'vitest'
import { Slug } from '../../shared/organization.ts'
import { slugFrom } from './slug.ts'

it.each(['-', '--', ''])('%j alone is not a slug', (slug) => {
  expect(Slug.safeParse(slug).success).toBe(false)
})

describe('slugFrom', () => {
  it.each([
    ['en', 'Smith & Sons, Ltd.', 'smith-sons-ltd'],
    ['en', "Ada's Café", 'adas-cafe'],
    ['de', 'Größe & Übermut GmbH', 'groesse-uebermut-gmbh'],
    ['es', 'Ñandú Español', 'nandu-espanol'],
    ['fr', 'L’Œuvre française', 'loeuvre-francaise'],
    ['pl', 'Łódź Żółć', 'lodz-zolc'],
    ['tr', 'IŞIK İnşaat', 'isik-insaat'],
    ['uk', 'Їжак і Гриб’яни', 'izhak-i-hrybiany'],
    ['ru', 'Объединённые Щи', 'obedinennye-shchi'],
    ['en', '  --  ', ''],
    ['en', '東京', ''],
    ['en', 'x'.repeat(80), 'x'.repeat(64)],
  ] as const)('%s: %s', (language, name, slug) => {
    const made = slugFrom(name, language)
    expect(made).toBe(slug)
    expect(made === '' || Slug.parse(made) === made).toBe(true)
  })
})
