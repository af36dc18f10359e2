// Keys that choose a move, while nothing is being typed and the focus is at the table or nowhere: a digit presses a choice, or an answer
// to a confirmation; U and Escape go one step back.
import { TYPING_SELECTOR } from './choice-focus.js';
import { getDigit } from './digit-key.js';

// `goBack` closes an open notice, or else goes back one step, and says whether there was one; `isSent`: whether a move is under way.
export function listenForKeys(goBack, isSent) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isSent()) return;
    if (!event.target.closest('#live-part') && event.target !== document.body) return;
    if (event.target.closest(TYPING_SELECTOR)) return;
    const previewElement = document.querySelector('#notice .confirm-notice');
    const digit = getDigit(event);
    if (digit) {
      (previewElement ? previewElement.querySelectorAll('.actions button')[digit - 1] : document.querySelector(`#choices [data-choice-digit="${digit}"]`))?.click();
    } else if (event.key.toLowerCase() === 'u') {
      if (!goBack(previewElement !== null)) document.getElementById('undo-button')?.click();
    } else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.target.closest(`${TYPING_SELECTOR}, [popover]`)) return;
    goBack(Boolean(document.getElementById('notice')?.hasChildNodes()));
  });
}
