import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectFolder } from '../config.ts'

const folder = join(projectFolder, 'client')

function filesBelow(path: string): string[] {
  return readdirSync(path).flatMap((name) => {
    const file = join(path, name)
    return statSync(file).isDirectory() ? filesBelow(file) : [file]
  })
}

const files = filesBelow(folder)
const screens = files.filter((file) => file.endsWith('.tsx')).map((file) => readFileSync(file, 'utf8'))

it.each(files.filter((file) => file.endsWith('.module.css')))(
  '%s has the classes that are used, and no others',
  (file) => {
    const css = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\/|url\([^)]*\)|:global\([^)]*\)/gs, '')
    const defined = new Set([...css.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name))
    const used = new Set(
      screens.flatMap((text) => {
        const name = new RegExp(`import (\\w+) from '[^']*/${basename(file)}'`).exec(text)?.[1]
        return name === undefined
          ? []
          : [...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, one]) => one)
      }),
    )
    expect([...used].toSorted()).toEqual([...defined].toSorted())
  },
)

/** Mantine components that use the styles of another component. */
const stylesOf: Record<string, string> = {
  NativeSelect: 'Input',
  TextInput: 'Input',
  Textarea: 'Input',
  Select: 'Combobox',
}

it('the styles of every Mantine component in use are imported', () => {
  const imported = new Set(
    ['ui/global.css', 'ui/screens.css'].flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/@mantine\/core\/styles\/([\w-]+)\.layer\.css/g)].map(
        ([, name]) => name,
      ),
    ),
  )
  const available = new Set(
    readdirSync(join(projectFolder, 'node_modules/@mantine/core/styles')).map((name) => name.replace('.css', '')),
  )
  const used = screens.flatMap((text) =>
    [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim()),
    ),
  )
  const needed = new Set(used.map((name) => stylesOf[name] ?? name).filter((name) => available.has(name)))
  expect([...needed].filter((name) => !imported.has(name))).toEqual([])
})

it('items of menus take their color from the scheme: the theme’s own shades are too dark on dark menus', () => {
  const items = screens.flatMap((text) =>
    [...text.matchAll(/<Menu\.Item[^>]*color="([^"]*)"/g)].map(([, color]) => color),
  )
  expect(items.length).toBeGreaterThan(5)
  expect(items.filter((color) => color?.startsWith('var(--') !== true)).toEqual([])
})
