/** HTML whose inserted texts are escaped. */

/** Text that is already HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Inserted = Html | readonly Html[] | string | number;

/** A tag for templates: texts are escaped, HTML and lists of it are not. */
export function html(strings: TemplateStringsArray, ...values: readonly Inserted[]): Html {
  return new Html(strings.map((string, index) => string + insertedText(values[index] ?? '')).join(''));
}

function insertedText(value: Inserted): string {
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(({ text }) => text).join('') : escaped(String(value));
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The pieces joined by `between`. */
export function joined(pieces: readonly Html[], between: string): Html {
  return new Html(pieces.map(({ text }) => text).join(escaped(between)));
}
