/** Small helpers of the pages. Text of partners is only ever set as text. */

/** The element with this id. */
export function element(id) {
  return document.getElementById(id);
}

/** A new element with these properties and children; properties named `data-…`, `aria-…` or `role` become attributes. */
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (/^(data-|aria-|role$)/.test(name)) made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

/** Seconds as `1:02:03`, or `2:03` below an hour. */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const two = (part) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** `3 languages`, `1 language`. */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `table_tennis` as `table tennis`. */
export function words(name) {
  return name.replaceAll('_', ' ');
}

/** The texts as an English list; of more than `most`, the rest as a number. */
export function listed(texts, most = 4) {
  const shown = texts.length > most + 1 ? [...texts.slice(0, most), `${texts.length - most} more`] : texts;
  return new Intl.ListFormat('en').format(shown);
}
