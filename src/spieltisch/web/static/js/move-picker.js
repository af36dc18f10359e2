// Choosing a move: by its words, as buttons in the prompt, and by elements of the map and the boards. Nothing is decided here: a leaf
// of the tree is the server's button, which is pressed for the player. The server plays the move, or first shows what cannot be
// undone, and it explains why a choice is blocked. Here the page meets the state of the choice, which is in move-choice.js.
import { focusTabStop, getFocusedRegion } from './board-keys.js';
import { markBoards, markPointed } from './board-marks.js';
import { besideBoardsQuery, drawChoices, createUncommonLinks } from './choice-drawing.js';
import { scrollToTargets, focusFirst, canTakeFocus } from './choice-focus.js';
import { listenForKeys } from './choice-keys.js';
import { createBoardMarks, createChoiceView, createUncommonOptions } from './choice-view.js';
import './fit-prompt.js';
import './focus-in-view.js';
import { markRepeatablePlace } from './repeat-mark.js';
import { findMoveAfterPlace, findMoveOfRepeatedPlace, computeNextState, createInitialState } from './move-choice.js';
import { clearPreview, showPreview } from './move-preview.js';
import { readTree } from './move-tree-reader.js';
import { updateStates } from './page-state.js';
import { isBoardBehind } from './playback-queue.js';

const dockQuery = matchMedia('(max-width: 51.99rem), (max-height: 34.99rem)'); // the choices are one line below the boards
const getLivePart = () => document.getElementById('live-part');
const getChoicesElement = () => document.getElementById('choices');
const getPreviewElement = () => document.querySelector('#notice .confirm-notice');
const getPageVersion = () => Number(getLivePart().dataset.version);

let state = createInitialState(readTree(), getChoicesElement() !== null);
let choicesVersion = getPageVersion(); // of the position that the choices belong to
let regionChosenByKeys = null; // where an element was chosen by keys
let isFingerUsed = false; // whether the last choice was made with a finger
let isFocusSilent = false; // whether the focus is being set without a request of the player

// --- The page shows the state. ---

// A preview that waits for confirmation stays, wherever the pointer is.
const dropPreview = () => { if (!state.isSent && !getPreviewElement()) clearPreview(); };

function clearNotice() {
  document.getElementById('notice')?.replaceChildren();
  updateStates(); // the choices are visible again and may take the focus
  dropPreview();
}

// Pointing at a choice marks its elements; pointing at a move previews it on the boards.
function previewOption({ places, move, isPointedAt, isShown }) {
  if (isFocusSilent) return;
  markPointed(places, isPointedAt);
  if (!move) return;
  if (!isPointedAt) dropPreview();
  else if (isShown) showPreview(move);
}

// A finger covers the hex: the first tap names it and its effect, the second one plays.
const mustNameFirst = (place) => isFingerUsed && document.querySelector(`#map-drawing [data-place="${CSS.escape(place)}"]`) !== null;

// The element at which one more click plays what is shown.
function findPlaceToRepeat() {
  const place = state.places.at(-1);
  return place && (document.querySelector('#notice #confirm-button') || (mustNameFirst(place) && findMoveOfRepeatedPlace(state))) ? place : undefined;
}

// While the board shows an older position, nothing can be chosen.
function drawBoards() {
  markBoards(getChoicesElement() && !isBoardBehind() ? createBoardMarks(state) : null, findPlaceToRepeat());
}

// The undo button below the choices also undoes a step of the choice.
function updateUndoButton() {
  const undoButton = document.getElementById('undo-button');
  const canUndo = state.earlierStates.length > 0;
  undoButton?.classList.toggle('undo-step', canUndo);
  if (undoButton) undoButton.disabled = !canUndo && 'hasNothingToUndo' in undoButton.dataset;
}

function drawChoicesAndBoards() {
  updateUndoButton();
  if (getChoicesElement()) {
    const placeElements = [...document.querySelectorAll('#own-summary [data-place], #panel [data-place]')];
    const layout = { isDocked: dockQuery.matches, hasMap: document.getElementById('map-drawing') !== null, boardOrder: placeElements.map((shape) => shape.dataset.place) };
    drawChoices(getChoicesElement(), createChoiceView(state, layout), dockQuery.matches, { send: sendEvent, point: previewOption });
  }
  drawBoards();
}

// Focus without the effects of pointing.
function focusFirstSilently() {
  isFocusSilent = true;
  focusFirst();
  isFocusSilent = false;
}

// Redraw the same choices and keep the focus among them.
function redrawChoices() {
  const isFocused = document.activeElement.closest('#choices');
  drawChoicesAndBoards();
  if (isFocused) focusFirstSilently();
}

const bringTargetsIntoView = () => scrollToTargets(`${choicesVersion} ${state.earlierStates.length}`);

function requestReason({ words, place }) {
  const query = new URLSearchParams({ words: words.join(' ') });
  if (place) query.set('place', place);
  for (const name of ['me', 'moves']) {
    const value = getLivePart().dataset[name];
    if (value) query.set(name, value);
  }
  window.htmx.ajax('GET', `${getLivePart().dataset.tableUrl}/why?${query}`, { target: '#notice', swap: 'innerHTML' });
}

const waitForAnswer = () => getChoicesElement()?.setAttribute('aria-busy', 'true');

function sendMove({ item }) {
  waitForAnswer();
  clearNotice();
  item.querySelector(':scope > button').click();
}

// What the page does, by the words of move-choice.js.
const effectHandlers = {
  clear: clearNotice,
  show() { clearNotice(); drawChoicesAndBoards(); },
  draw: drawChoicesAndBoards,
  'bring into view': bringTargetsIntoView,
  focus: focusFirst,
  'focus back'() { if (!focusTabStop(regionChosenByKeys)) focusFirst(); },
  'focus number'() { document.querySelector('#choices .count-buttons [aria-pressed="true"]').focus(); },
  preview(move) { showPreview(move, true); },
  confirm() { document.querySelector('#notice #confirm-button').click(); },
  press(node) { sendEvent({ type: 'press', node }); },
  send: sendMove,
  wait: waitForAnswer,
  explain: requestReason,
};

function sendEvent(event) {
  const [newState, ...pageEffects] = computeNextState(state, event);
  state = newState;
  for (const [name, argument] of pageEffects) effectHandlers[name](argument);
}

// --- What happens on the page becomes events. ---

export function foldBlocked() {
  sendEvent({ type: 'blocked', isOpen: false });
}

// Close the notice if it is open, or else go back one step of the choice. Return false if there is none.
function goBack(isNoticeOpen) {
  if (isNoticeOpen) sendEvent({ type: 'dismiss' });
  else if (state.earlierStates.length) sendEvent({ type: 'undo' });
  else return false;
  return true;
}

// A hint takes a second, or longer on a busy server: until then its buttons show that, and ask only once.
function markHintRequested(isRequested) {
  for (const button of document.querySelectorAll('#hint-button, .hint-in-dock')) {
    if (isRequested) button.setAttribute('aria-busy', 'true');
    else button.removeAttribute('aria-busy');
  }
}

document.addEventListener('submit', (event) => {
  if (event.submitter?.id !== 'hint-button') return;
  if (event.submitter.getAttribute('aria-busy')) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  markHintRequested(true);
}, true);

function handleAnswer() {
  sendEvent({ type: 'answered' });
  markHintRequested(false);
  getChoicesElement()?.removeAttribute('aria-busy');
}

document.addEventListener('spieltisch:place-chosen', ({ detail: place }) => {
  regionChosenByKeys = getFocusedRegion();
  if (getPageVersion() !== choicesVersion) return;
  const isToConfirm = document.querySelector('#notice #confirm-button') !== null;
  sendEvent({ type: 'place', place, isToConfirm, mustNameFirst: mustNameFirst(place), isByKeys: regionChosenByKeys !== undefined });
});
document.addEventListener('spieltisch:map-loaded', redrawChoices);
document.addEventListener('spieltisch:boards-updated', () => {
  drawBoards();
  if (state.isDeciding) bringTargetsIntoView();
});
document.addEventListener('spieltisch:focus-lost', focusFirstSilently);
for (const query of [dockQuery, besideBoardsQuery]) query.addEventListener('change', redrawChoices);
addEventListener('pointerdown', ({ pointerType }) => { isFingerUsed = pointerType === 'touch'; }, true);
addEventListener('keydown', () => { isFingerUsed = false; }, true);

// Between the morph of a push and the event that reports it, the choices are still those of the old position, but the moves behind
// them and the version that would be sent are new: a click would play another move than its button shows. It is ignored; the next
// drawing can be clicked.
document.addEventListener('click', (event) => {
  if (getPageVersion() === choicesVersion || !event.target.closest('#choices, #notice, #map, #panel, #own-summary')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// A move is confirmed once: after it, nothing can be chosen until the new position is there.
document.addEventListener('click', (event) => {
  if (!event.target.closest('#notice #confirm-button[name="move"]')) return;
  if (state.isSent) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  sendEvent({ type: 'confirmed' });
}, true);

document.addEventListener('spieltisch:page-updated', () => {
  choicesVersion = getPageVersion();
  clearPreview(true);
  const wasWaiting = !state.isDeciding;
  const isInPrompt = wasWaiting || document.activeElement === document.body || document.activeElement?.closest('#prompt');
  const restoredRegion = wasWaiting ? null : getFocusedRegion() ?? (isInPrompt ? regionChosenByKeys : null);
  getChoicesElement()?.removeAttribute('aria-busy');
  markHintRequested(false);
  sendEvent({ type: 'position', tree: readTree(), isDeciding: getChoicesElement() !== null });
  regionChosenByKeys = null;
  document.getElementById('prompt').scrollTop = 0;
  if (!state.isDeciding) return;
  if (!(restoredRegion && focusTabStop(restoredRegion)) && isInPrompt && canTakeFocus()) focusFirstSilently();
  bringTargetsIntoView();
});

document.addEventListener('htmx:after:swap', () => {
  const notice = document.getElementById('notice');
  if (!notice?.hasChildNodes()) return;
  handleAnswer();
  document.getElementById('table-menu')?.removeAttribute('open'); // an open menu would cover the answer
  if (state.places.length) getPreviewElement()?.append(...createUncommonLinks(createUncommonOptions(state), { send: sendEvent, point: previewOption }));
  const confirmButton = document.getElementById('confirm-button');
  confirmButton?.focus({ preventScroll: true });
  markRepeatablePlace(findPlaceToRepeat());
  if (confirmButton?.name === 'move') showPreview(confirmButton.value, true);
  document.getElementById('prompt').scrollTop = 0;
});
document.addEventListener('htmx:error', handleAnswer);
document.addEventListener('htmx:before:swap', ({ detail }) => {
  clearPreview();
  // If the focused element is removed, the browser lays out the whole change twice.
  const { activeElement } = document;
  if (detail.ctx.target?.id === 'live-part' && activeElement.closest('#choices')) activeElement.blur();
});

// Pointing at an element with exactly one move previews it.
document.addEventListener('pointerover', ({ target, pointerType }) => {
  if (state.isSent || pointerType !== 'mouse' || !getChoicesElement() || getPreviewElement()) return;
  const place = target.closest?.('#map-drawing .is-target, #panel .is-target, #own-summary .is-target')?.dataset.place;
  const node = place && findMoveAfterPlace(state, place);
  if (node) showPreview(node.move);
  else if (!target.closest?.('#choices')) clearPreview();
});

document.addEventListener('click', (event) => {
  if (!event.target.closest('#undo-button') || !goBack(getPreviewElement() !== null)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-action="dismiss"]')) sendEvent({ type: 'dismiss' });
  else if (state.places.length && target.closest('#map, #panel, .table-head, .log-panel') && !target.closest('[data-place], button, a')) sendEvent({ type: 'forget' });
});

listenForKeys(goBack, () => state.isSent);

drawChoicesAndBoards();
// For a player who opens the table to move, focus the first choice, unless the URL names a part of the page.
if (document.activeElement === document.body && !location.hash && document.querySelector('#live-part.status-running #choices')) focusFirstSilently();
