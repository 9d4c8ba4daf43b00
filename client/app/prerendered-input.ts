type Typed = {
  fields: Field[]
  choices: (string | undefined)[]
  isSent: boolean
  /** The provider or the position of the button clicked last, unless it submits the form. */
  clicked: string | undefined
}
type Field = { name: string; value: string; isToggled: boolean; isFocused: boolean }

/** Reads what the user entered on the prerendered page before the client started. */
export function readPrerenderedInput(container: HTMLElement): Typed {
  return {
    fields: [...container.querySelectorAll('input')].map((input) => ({
      name: input.name,
      value: input.value,
      // Without a click, the screen determines the state.
      isToggled: input.checked !== input.defaultChecked,
      isFocused: input === document.activeElement,
    })),
    // A value that the user has not changed is a default, and not a choice.
    choices: [...container.querySelectorAll('select')].map(({ selectedOptions: [chosen] }) =>
      chosen?.defaultSelected ? undefined : chosen?.value,
    ),
    // Set by public/scheme.js.
    isSent: container.querySelector('form[data-sent]') !== null,
    clicked: buttonsOf(container).find(({ button }) => button.hasAttribute('data-clicked'))?.key,
  }
}

/** Restores the input on the screen that replaces the prerendered page. */
export function writePrerenderedInput(container: HTMLElement, { fields, choices, isSent, clicked }: Typed): void {
  for (const { name, value, isToggled, isFocused } of fields) {
    const input = container.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`)
    if (!input) continue
    if (input.type === 'checkbox' && isToggled) input.click()
    if (input.type !== 'checkbox' && value !== '') change(input, HTMLInputElement, value)
    if (isFocused) input.focus()
  }
  for (const [at, select] of [...container.querySelectorAll('select')].entries()) {
    change(select, HTMLSelectElement, choices[at] ?? select.value)
  }
  if (isSent) container.querySelector('form')?.requestSubmit()
  buttonsOf(container)
    .find(({ key }) => key === clicked)
    ?.button.click()
}

/**
 * The buttons outside of forms, with what identifies each on both pages: its provider, because the one that was used
 * last moves to the top, or else its position. Labels differ if the user has chosen another language.
 */
function buttonsOf(container: HTMLElement): { key: string; button: HTMLButtonElement }[] {
  const buttons = [...container.querySelectorAll<HTMLButtonElement>('button[type="button"]:not(form *)')]
  const others = buttons.filter(({ dataset }) => dataset['provider'] === undefined)
  return buttons.map((button) => ({ key: button.dataset['provider'] ?? String(others.indexOf(button)), button }))
}

/**
 * Sets a value as if the user had typed it: React overrides the setter on the element, so the one of the prototype is
 * called.
 */
function change<Element extends HTMLInputElement | HTMLSelectElement>(
  element: Element,
  type: { prototype: Element },
  value: string,
): void {
  if (element.value === value) return
  Object.getOwnPropertyDescriptor(type.prototype, 'value')?.set?.call(element, value)
  element.dispatchEvent(new Event(element instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}
