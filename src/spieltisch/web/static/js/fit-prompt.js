// At a desk, avoid scrolling in the prompt: if it is too long, set it tighter, then leave the effects of moves to the previews on the
// boards. Where fewer than three choices are in sight then, or the text of a lesson is cut, leave the record of the turn to the log,
// suggested moves without reasons, and a lesson without what is not possible now.

import { scrollIntoSight } from './focus-in-view.js';

const FIT_LEVELS = ['', 'tight', 'tight brief', 'tight brief bare'];
const deskQuery = matchMedia(document.getElementById('desk-stylesheet').media);
const observedChanges = { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['open', 'hidden', 'class'] };
const root = document.documentElement; // never replaced by a push

const hasRoom = (box) => box.scrollHeight <= box.clientHeight + 1;

function areChoicesVisible() {
  const suggestedMoves = document.querySelectorAll('#notice .advice .choice'); // while they are shown, the choices are hidden
  const choices = suggestedMoves.length ? suggestedMoves : document.querySelectorAll('#choices > .choice-list > .choice');
  const choiceBottoms = [...choices].map((choice) => choice.getBoundingClientRect().bottom);
  const footTop = document.getElementById('prompt-foot')?.getBoundingClientRect().top ?? innerHeight;
  return choiceBottoms.filter((bottom) => bottom <= footTop).length >= Math.min(3, choiceBottoms.length);
}

// What choices bring stands at the right of all of them, or below all of them. While that is tried, the list is lower and
// would lose its place: a choice that is being clicked must not move.
function alignGains() {
  const prompt = document.getElementById('prompt');
  const scrollTop = prompt?.scrollTop;
  delete root.dataset.areGainsBelow;
  const gains = [...document.querySelectorAll('#choices > .choice-list > .choice > .note')].filter((gain) => gain.getClientRects().length);
  const isAtStart = (gain) => gain.getBoundingClientRect().left < gain.parentElement.getBoundingClientRect().left + 24; // below its label
  if (gains.some(isAtStart)) root.dataset.areGainsBelow = '';
  if (prompt) prompt.scrollTop = scrollTop;
}

const findLog = () => document.querySelector('#log-panel > .log');
const unclipLog = (log) => { if (log?.style.clipPath) log.style.clipPath = ''; };

// The log ends below a whole line: what it would cut is seen after scrolling.
function endLogAtLine() {
  const log = findLog();
  if (!log) return;
  unclipLog(log);
  const logBottom = log.getBoundingClientRect().bottom;
  if (log.scrollTop > 0 || log.scrollHeight <= log.clientHeight + 1) return;
  const cutEntry = [...log.children].find((entry) => entry.getBoundingClientRect().top < logBottom && entry.getBoundingClientRect().bottom > logBottom);
  if (!cutEntry) return;
  const contents = document.createRange();
  contents.selectNodeContents(cutEntry);
  const inkBoxes = [...contents.getClientRects(), ...[...cutEntry.querySelectorAll('.icon')].map((icon) => icon.getBoundingClientRect())];
  const cutTops = inkBoxes.filter((box) => box.top < logBottom && box.bottom > logBottom + 4).map((box) => box.top);
  if (cutTops.length) log.style.clipPath = `inset(0 0 ${logBottom - Math.min(...cutTops)}px 0)`;
}
document.addEventListener('scroll', ({ target }) => { if (target === findLog()) unclipLog(target); }, { capture: true, passive: true });

let isLoosestFitAllowed = true; // after a choice it only becomes tighter, so that nothing moves back and forth under the pointer
let frameRequestId = 0;

function fitPrompt() {
  frameRequestId = 0;
  if (!deskQuery.matches) {
    delete root.dataset.promptFit;
    delete root.dataset.areGainsBelow;
    unclipLog(findLog());
    return;
  }
  alignGains();
  const firstLevel = isLoosestFitAllowed ? 0 : Math.max(0, FIT_LEVELS.indexOf(root.dataset.promptFit));
  isLoosestFitAllowed = false;
  for (const fitLevel of FIT_LEVELS.slice(firstLevel)) {
    if (fitLevel.endsWith('bare') && root.dataset.promptFit !== fitLevel && areChoicesVisible() && !document.getElementById('lesson')) break;
    if (root.dataset.promptFit !== fitLevel) root.dataset.promptFit = fitLevel;
    if ([...document.querySelectorAll('#prompt, #lesson')].every(hasRoom)) break;
  }
  endLogAtLine();
  scrollIntoSight(document.activeElement); // its choice may stand lower now
}

// Once per frame, because each check lays out the boards.
const scheduleFit = () => { frameRequestId ||= requestAnimationFrame(fitPrompt); };
const observer = new MutationObserver(scheduleFit);

function observePrompt() {
  const prompt = document.getElementById('prompt');
  if (prompt) observer.observe(prompt, observedChanges);
  isLoosestFitAllowed = true;
  scheduleFit();
}

document.addEventListener('spieltisch:page-updated', observePrompt);
addEventListener('resize', observePrompt);
document.fonts.ready.then(observePrompt);
