/** The part of Markdown that the contract's descriptions use: headings, lists, paragraphs, code in lines. */
import { html, type Html } from './html.ts';

/** Blocks as HTML; `##` becomes a heading of the second level, with an id that is made from its words. */
export function markdown(text: string): Html {
  return html`${text
    .trim()
    .split(/\n{2,}/)
    .map(block)}`;
}

function block(text: string): Html {
  const heading = /^## (.+)$/.exec(text)?.[1];
  if (heading !== undefined) return html`<h2 id="${anchorOf(heading)}">${heading}</h2> `;
  if (!text.startsWith('- ')) return html`<p>${inline(text)}</p> `;
  const items = text.slice(2).split(/\n- /);
  return html`<ul>
    ${items.map((item) => html`<li>${inline(item)}</li> `)}
  </ul>`;
}

/** Names a heading in addresses: `#the-life-of-a-video`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** A text in which only code in backquotes is marked. */
export function inline(text: string): Html {
  return html`${text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
