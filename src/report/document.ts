import { visible } from './escape.ts'

/**
 * A report as a tree, before it is Markdown, terminal text or HTML. Every string in it is plain text of any origin: the
 * renderers escape all of them, so that nothing out of a bundle can be anything but text.
 */
export type Inline =
  | string
  | { readonly code: string }
  | { readonly strong: Inlines }
  | { readonly em: Inlines }
  | { readonly icon: Icon }
/** The pictures of a report. They are decoration: the words beside them say the same. */
export type Icon = '⚖️' | '👁️'
export type Inlines = readonly Inline[]

export type Block =
  | { readonly kind: 'paragraph'; readonly content: Inlines }
  | { readonly kind: 'heading'; readonly content: Inlines }
  | { readonly kind: 'table'; readonly head: readonly Inlines[]; readonly rows: readonly (readonly Inlines[])[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly Inlines[] }
  | { readonly kind: 'details'; readonly summary: Inlines; readonly blocks: readonly Block[] }
  | { readonly kind: 'diff'; readonly lines: readonly string[] }
  /** The one link of a report; its address comes from the action itself, never from a bundle. */
  | { readonly kind: 'link'; readonly before: Inlines; readonly text: string; readonly address: string }

/** Text in a monospaced font: for every value that a tool or a bundle wrote. */
export function code(text: string): Inline {
  return { code: text }
}

export function strong(...content: Inlines): Inline {
  return { strong: content }
}

export function em(...content: Inlines): Inline {
  return { em: content }
}

/** A sentence with values in it: t`${code(name)} has ${count} packages`. */
export function t(texts: TemplateStringsArray, ...values: readonly (Inline | Inlines | number)[]): Inlines {
  return texts.flatMap((text, index): Inlines => {
    const value = values[index]
    const before = text === '' ? [] : [text]
    if (value === undefined) return before
    if (typeof value === 'number') return [...before, group(value)]
    return Array.isArray(value) ? [...before, ...value] : [...before, value as Inline]
  })
}

/** A number as people read it: 12,345. */
export function group(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 test`, `2 tests`, `12,345 tests`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${group(number)} ${number === 1 ? one : many}`
}

/** `a`, `a and b`, `a, b and c`; with more than `most`, `a, b and 7 more`. */
export function enumerate(items: readonly Inlines[], most = 3): Inlines {
  const shown: Inlines[] =
    items.length > most ? [...items.slice(0, most), [`${group(items.length - most)} more`]] : [...items]
  return shown.flatMap((item, index) => {
    if (index === 0) return item
    return [index === shown.length - 1 ? ' and ' : ', ', ...item]
  })
}

/** The text alone, on one line, for JSON and for places that show no formatting. */
export function plain(content: Inlines): string {
  return content
    .map((inline) => {
      if (typeof inline === 'string') return visible(inline)
      if ('code' in inline) return visible(inline.code)
      if ('icon' in inline) return ''
      return plain('strong' in inline ? inline.strong : inline.em)
    })
    .join('')
}
