import { describe, expect, it } from 'vitest'
import { accentProblem, paletteOf } from './brand.ts'
import { contrast } from './contrast.ts'
import { type ColorName, colors, hueOf, hues, initialsOf } from './theme.ts'

/** Foreground and background pairs: a contrast of 4.5 for text, 3 for field borders. */
const pairs: [front: ColorName, back: ColorName, least: number][] = [
  ['ink', 'paper', 13],
  ['ink', 'surface', 13],
  ['quiet', 'paper', 5],
  ['quiet', 'surface', 5],
  ['accent', 'paper', 4.5],
  ['accent', 'surface', 4.5],
  ['onAccent', 'accent', 4.5],
  ['onAccent', 'accentHover', 4.5],
  ['warn', 'paper', 4.5],
  ['warn', 'surface', 4.5],
  ['danger', 'paper', 4.5],
  ['danger', 'surface', 4.5],
  ['onDanger', 'danger', 4.5],
  ['good', 'paper', 4.5],
  ['good', 'surface', 4.5],
  ['edge', 'paper', 3],
  ['edge', 'surface', 3],
  // A checked checkbox or radio, and a focus ring.
  ['accent', 'paper', 3],
  ['accent', 'selected', 3],
  ['ink', 'sunken', 13],
  ['ink', 'hover', 12],
  ['ink', 'selected', 11],
  ['quiet', 'sunken', 4.5],
  ['quiet', 'hover', 4.5],
  ['quiet', 'selected', 4.5],
  ['quiet', 'neutralSoft', 4.5],
  ['accentInk', 'accentSoft', 4.5],
  ['accentInk', 'selected', 4.5],
  ['accent', 'hover', 4.5],
  ['good', 'goodSoft', 4.5],
  ['warn', 'warnSoft', 4.5],
  ['danger', 'dangerSoft', 4.5],
  ['danger', 'hover', 4.5],
  ['danger', 'selected', 4.5],
  // Toasts are inverted.
  ['paper', 'ink', 13],
]

describe.each(['light', 'dark'] as const)('the colors of the %s scheme', (scheme) => {
  it.each(pairs)('%s on %s has a contrast of %d or more', (front, back, least) => {
    expect(contrast(colors[scheme][front], colors[scheme][back])).toBeGreaterThanOrEqual(least)
  })

  it.each(['#1d5c58', '#7a1fa2', '#000000', '#b00020', '#0b57d0', '#5d4037', '#00629b'])(
    'are readable with %s as the accent',
    (accent) => {
      expect(accentProblem(accent)).toBeUndefined()
      const palette = paletteOf(accent)[scheme]
      const unreadable = pairs.filter(([front, back, least]) => contrast(palette[front], palette[back]) < least)
      expect(unreadable).toEqual([])
    },
  )

  it('the initials of every avatar are readable', () => {
    for (const [back, front] of hues[scheme]) expect(contrast(front, back)).toBeGreaterThanOrEqual(4.5)
  })
})

describe('an accent', () => {
  it.each(['#ffff00', '#5bbfb4', '#ffffff', '#7f9f9f'])('%s is too light to be read on light pages', (accent) => {
    expect(accentProblem(accent)).toMatch(/^has a contrast of \d+\.\d to 1 on light pages/)
  })
})

describe('an avatar', () => {
  it('has the same hue wherever it is drawn, and all hues are used', () => {
    expect(hueOf('one')).toBe(hueOf('one'))
    const used = new Set(Array.from({ length: 200 }, (_, n) => hueOf(`user_${n}`)))
    expect(used.size).toBe(hues.light.length)
  })

  it.each([
    ['Ada Lovelace', 'AL'],
    ['Ada, Countess of Lovelace', 'AL'],
    ['Łukasz', 'Ł'],
    ['  “Grace”   Hopper ', 'GH'],
    ['日本語 組織', '日組'],
    ['—', ''],
  ])('of %s has the initials %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })
})
