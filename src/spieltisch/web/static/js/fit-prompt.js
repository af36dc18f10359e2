// At a desk, avoid scrolling in the prompt: if it is too long, set it tighter, then leave the effects of moves to the previews on the
// boards. Where fewer than three choices are in sight then, or the text of a lesson is cut, leave the record of the turn to the log,
// suggested moves without reasons, and a lesson without what is not possible now.

import { reveal } from './focus-in-view.js';

const STEPS = ['', 'tight', 'tight brief', 'tight brief bare'];
const desk = matchMedia(document.getElementById('desk').media);
const changes = { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['open', 'hidden', 'class'] };
const root = document.documentElement; // never replaced by a push

const fits = (box) => box.scrollHeight <= box.clientHeight + 1;

function areChoicesInSight() {
  const advised = document.querySelectorAll('#notice .advice .button'); // while they are shown, the choices are hidden
  const choices = advised.length ? advised : document.querySelectorAll('#choices > .options > .choice');
  const bottoms = [...choices].map((one) => one.getBoundingClientRect().bottom);
  const foot = document.getElementById('foot')?.getBoundingClientRect().top ?? innerHeight;
  return bottoms.filter((bottom) => bottom <= foot).length >= Math.min(3, bottoms.length);
}

let anew = true; // after a choice it only becomes tighter, so that nothing moves back and forth under the pointer
let soon = 0;

function fit() {
  soon = 0;
  if (!desk.matches) {
    delete root.dataset.fit;
    return;
  }
  const began = anew ? 0 : Math.max(0, STEPS.indexOf(root.dataset.fit));
  anew = false;
  for (const step of STEPS.slice(began)) {
    if (step.endsWith('bare') && root.dataset.fit !== step && areChoicesInSight() && !document.getElementById('lesson')) break;
    if (root.dataset.fit !== step) root.dataset.fit = step;
    if ([...document.querySelectorAll('#prompt, #lesson')].every(fits)) break;
  }
  reveal(document.activeElement); // its choice may stand lower now
}

// Once per frame, because each check lays out the boards.
const later = () => { soon ||= requestAnimationFrame(fit); };
const watching = new MutationObserver(later);

function watch() {
  const prompt = document.getElementById('prompt');
  if (prompt) watching.observe(prompt, changes);
  anew = true;
  later();
}

document.addEventListener('spieltisch:changed', watch);
addEventListener('resize', watch);
document.fonts.ready.then(watch);
