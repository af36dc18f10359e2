// Where the focus goes while a move is chosen, and what a phone scrolls to.
import { isBoardBehind } from './playback-queue.js';

export const TYPING_SELECTOR = 'input, select, textarea'; // where a key is what is typed
const SCROLL_MARGIN = 70; // pixels above a place that is brought into view: the heading of its part, or a caption
const phoneQuery = matchMedia('(max-width: 51.99rem)');
let shownQuestion = ''; // the question whose places were brought into view

export function focusFirst() {
  const firstButton = document.querySelector('#choices .choice:not(.blocked-choice)') ?? document.querySelector('#choices button');
  firstButton?.focus({ preventScroll: true });
}

// Whether the focus may go to the choices: not while something is typed, nor out of an open menu, nor so that a question of other
// players is scrolled away.
export const canTakeFocus = () => !document.activeElement?.closest(`${TYPING_SELECTOR}, #table-menu[open], [popover]`)
  && !document.querySelector('#prompt .consent button');

// On a phone, what can be chosen on the boards may be out of sight: scroll to it, once for each question, so that all of it is seen,
// or some if it is higher than the screen. A map stays where it is, and a lesson says where to look.
export function scrollToTargets(question) {
  if (!phoneQuery.matches || question === shownQuestion || document.querySelector('#lesson, #map-drawing') || isBoardBehind()) return;
  shownQuestion = question;
  const targetBoxes = [...document.querySelectorAll('#panel .is-target')].map((target) => target.getBoundingClientRect()).filter(({ height }) => height);
  if (!targetBoxes.length) return;
  const visibleTop = Math.max(...[...document.querySelectorAll('.site-header, #playback-bar')].map((bar) => bar.getBoundingClientRect().bottom)) + SCROLL_MARGIN;
  const visibleBottom = document.getElementById('prompt').getBoundingClientRect().top;
  const isInSight = ({ top, bottom }) => top >= visibleTop && bottom <= visibleBottom;
  const targetArea = { top: Math.min(...targetBoxes.map(({ top }) => top)), bottom: Math.max(...targetBoxes.map(({ bottom }) => bottom)) };
  if (isInSight(targetArea) || (targetArea.bottom - targetArea.top > visibleBottom - visibleTop && targetBoxes.some(isInSight))) return;
  scrollBy({ top: targetArea.top - visibleTop, behavior: 'instant' });
}
