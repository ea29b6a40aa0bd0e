/** The dialog that lists the player's keys. */
import { element } from './dom.js';

/** Opens it with its button, and with `?` where no field takes the key. */
export function handleHelp() {
  const help = element('help');
  element('help-button').addEventListener('click', () => help.showModal());
  addEventListener('keydown', ({ key, target }) => {
    if (key === '?' && !help.open && !target.matches?.('input, select, textarea')) help.showModal();
  });
}
