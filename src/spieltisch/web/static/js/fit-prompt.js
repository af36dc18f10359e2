// Lines of the log and choices are whole, or not drawn. At a desk, avoid scrolling in the prompt: if it is too long, set it tighter, then
// leave the effects of moves to the previews on the boards. Where fewer than three choices are in sight then, or the text of a lesson is
// cut, leave the record of the turn to the log, suggested moves without reasons, and a lesson without what is not possible now.

import { scrollIntoSight } from './focus-in-view.js';

const FIT_LEVELS = ['', 'tight', 'tight brief', 'tight brief bare'];
const wideQuery = matchMedia('(min-width: 52rem)');
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

const findLog = () => document.querySelector('#log-panel > .log');
const unclipLog = (log) => { if (log?.style.clipPath) log.style.clipPath = ''; };
const LINE_TOLERANCE = 3; // pixels by which the box of a line is higher than its letters
const MAX_HEIGHT_LEFT_EMPTY = 56; // pixels, two lines: more of the log is not left empty only to end with a whole entry

// What an edge of the log would cut: an entry, or of a long one its line and icons.
function findCutBox(log, edge) {
  const isCut = ({ top, bottom }) => top < edge && bottom > edge;
  const cutEntry = [...log.children].find((child) => isCut(child.getBoundingClientRect()));
  if (!cutEntry) return null;
  const contents = document.createRange();
  contents.selectNodeContents(cutEntry);
  const boxes = [...contents.getClientRects(), ...[...cutEntry.querySelectorAll('.icon')].map((icon) => icon.getBoundingClientRect())];
  const outOfSight = edge === log.getBoundingClientRect().top ? ({ top }) => top + LINE_TOLERANCE < edge : ({ bottom }) => bottom - LINE_TOLERANCE > edge;
  if (!boxes.some(outOfSight)) return null; // only its margin is cut
  const cutBoxes = boxes.filter(isCut);
  const [top, bottom] = [Math.min(edge, ...cutBoxes.map((box) => box.top)), Math.max(edge, ...cutBoxes.map((box) => box.bottom))];
  return { entryBox: cutEntry.getBoundingClientRect(), top, bottom };
}

// The log begins and ends with a whole entry: what its edges would cut is seen after scrolling.
function showWholeEntries() {
  const log = findLog();
  if (!log) return;
  unclipLog(log);
  if (log.scrollTop !== 0 || log.scrollHeight <= log.clientHeight + 1) return;
  const { top, bottom } = log.getBoundingClientRect();
  const chooseHeight = (entryHeight, lineHeight) => (entryHeight < Math.min(MAX_HEIGHT_LEFT_EMPTY, log.clientHeight * 0.6) ? entryHeight : lineHeight);
  const [above, below] = [findCutBox(log, top), findCutBox(log, bottom)];
  const clippedAbove = above ? chooseHeight(above.entryBox.bottom - top, above.bottom - top) : 0;
  const clippedBelow = below ? chooseHeight(bottom - below.entryBox.top, bottom - below.top) : 0;
  if (above || below) log.style.clipPath = `inset(${clippedAbove}px 0 ${clippedBelow}px 0)`;
}

const ROW_SELECTOR = '#choices > .choice-list > .choice, #choices .move-grid tr, #choices > .uncommon-choices > .choice, #choices > .blocked-choices > summary, #choices > .blocked-choices .choice, #notice .advice > li';

// The choices begin and end with a whole row, between what stays in its place: the question, a choice without a place, and the foot.
function showWholeRows() {
  const prompt = document.getElementById('prompt');
  const foot = prompt?.querySelector(':scope > :is(.prompt-foot, .step-links)');
  if (!foot) return;
  for (const row of prompt.querySelectorAll('[data-is-cut]')) row.removeAttribute('data-is-cut');
  if (!wideQuery.matches || hasRoom(prompt)) {
    prompt.removeAttribute('data-has-more-below');
    return;
  }
  const rows = [...prompt.querySelectorAll(ROW_SELECTOR)].filter((row) => row.getClientRects().length);
  const stickyRows = rows.filter((row) => getComputedStyle(row).position === 'sticky');
  const promptBox = prompt.getBoundingClientRect();
  const top = Math.max(promptBox.top, prompt.querySelector(':scope > .prompt-question')?.getBoundingClientRect().bottom ?? 0);
  const bottom = Math.min(promptBox.bottom, ...[foot, ...stickyRows].map((element) => element.getBoundingClientRect().top));
  const boxes = rows.filter((row) => !stickyRows.includes(row)).map((row) => ({ row, box: row.getBoundingClientRect() }));
  const isCut = (box) => (box.top < top - 1 && box.bottom > top) || (box.top < bottom - 1 && box.bottom > bottom + 1);
  for (const { row, box } of boxes) row.toggleAttribute('data-is-cut', box.height < bottom - top && isCut(box));
  prompt.toggleAttribute('data-has-more-below', boxes.some(({ box }) => box.bottom > bottom + 1));
}

document.addEventListener('scroll', ({ target }) => {
  if (target === findLog()) unclipLog(target);
  if (target.id === 'prompt') showWholeRows();
}, { capture: true, passive: true });

let isLoosestFitAllowed = true; // after a choice it only becomes tighter, so that nothing moves back and forth under the pointer
let frameRequestId = 0;

function fitPrompt() {
  frameRequestId = 0;
  if (!deskQuery.matches) {
    delete root.dataset.promptFit;
    unclipLog(findLog());
    showWholeRows();
    return;
  }
  const firstLevel = isLoosestFitAllowed ? 0 : Math.max(0, FIT_LEVELS.indexOf(root.dataset.promptFit));
  isLoosestFitAllowed = false;
  for (const fitLevel of FIT_LEVELS.slice(firstLevel)) {
    if (fitLevel.endsWith('bare') && root.dataset.promptFit !== fitLevel && areChoicesVisible() && !document.getElementById('lesson')) break;
    if (root.dataset.promptFit !== fitLevel) root.dataset.promptFit = fitLevel;
    if ([...document.querySelectorAll('#prompt, #lesson')].every(hasRoom)) break;
  }
  showWholeEntries();
  scrollIntoSight(document.activeElement); // its choice may stand lower now
  showWholeRows();
}

// Once per frame, because each check lays out the boards.
const scheduleFit = () => { frameRequestId ||= requestAnimationFrame(fitPrompt); };
const observer = new MutationObserver((changes) => {
  // Suggested moves take the place of the choices.
  if (changes.some(({ target }) => target.id === 'notice') && document.querySelector('#notice .has-advice')) isLoosestFitAllowed = true;
  scheduleFit();
});
// The log opens and closes without a change in the prompt.
const sizeObserver = new ResizeObserver(() => {
  if (deskQuery.matches) showWholeEntries();
  showWholeRows();
});

function observePrompt() {
  const prompt = document.getElementById('prompt');
  if (prompt) observer.observe(prompt, observedChanges);
  sizeObserver.disconnect();
  for (const element of [prompt, findLog()]) if (element) sizeObserver.observe(element);
  isLoosestFitAllowed = true;
  scheduleFit();
}

document.addEventListener('spieltisch:page-updated', observePrompt);
addEventListener('resize', observePrompt);
document.fonts.ready.then(observePrompt);
