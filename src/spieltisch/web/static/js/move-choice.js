// The state of choosing a move, and what an event makes of it. Nothing here knows the page: `computeNextState` returns the next state and
// what the page is to do, in order: pairs of a word and what it is about.
import { findChildrenAfter, getElementIds, followForcedWords, findMovesContaining, findOnlyMoveEndingAt } from './move-tree.js';

// The choice so far: `path`, the texts of words; `decidedCount`, how many of them were chosen (the others were the only option); and the
// chosen elements of the boards.
const createEmptyChoice = (tree) => ({ path: followForcedWords(tree, []), decidedCount: 0, places: [] });

// The state at a new position. `number` is the parameter between those of a grid, once chosen; `earlierStates` the choices that can be
// undone; `isSent` says that a move is under way, `isBlockedOpen` that the player has expanded the blocked choices.
export function createInitialState(tree, isDeciding, isBlockedOpen = false) {
  return { tree, isDeciding, ...createEmptyChoice(tree), number: '', earlierStates: [], isSent: false, isBlockedOpen };
}

export const getDecidedWords = ({ path, decidedCount }) => path.slice(0, decidedCount);

export function findMatchingMoves(state, places = state.places) {
  return findMovesContaining(findChildrenAfter(state.tree, getDecidedWords(state)), places);
}

// The kind of move whose parameters are shown as a grid, if one was chosen.
export function findGridNode({ tree, path, decidedCount, places }) {
  return places.length || decidedCount > 1 ? undefined : tree.find((node) => node.axes && node.text === path[0]);
}

// The element at which the question is asked: the last one chosen, unless the move needs others after it.
function findAnchorPlace(state) {
  const place = state.places.at(-1);
  return place && findMatchingMoves(state).every((chain) => getElementIds(chain).at(-1) === place) ? place : undefined;
}

// The chosen elements after one more: with the others if some move contains them all, otherwise alone.
function findPlacesAfter(state, place) {
  const allPlaces = [...state.places.filter((otherPlace) => otherPlace !== place), place];
  return findMatchingMoves(state, allPlaces).length ? allPlaces : [place];
}

// The move that choosing an element leaves, if there is exactly one.
export const findMoveAfterPlace = (state, place) => findOnlyMoveEndingAt(findMatchingMoves(state, findPlacesAfter(state, place)), place);

// The move that choosing the last element again plays.
export const findMoveOfRepeatedPlace = (state) => (state.places.length ? findOnlyMoveEndingAt(findMatchingMoves(state), state.places.at(-1)) : null);

function applyChoice(state, choice) {
  const changedState = { ...state, ...choice };
  return findGridNode(changedState) ? changedState : { ...changedState, number: '' };
}

// A step that can be undone.
const applyUndoableChoice = (state, choice) => applyChoice({ ...state, earlierStates: [...state.earlierStates, state] }, choice);

function undoStep(state) {
  const { path, decidedCount, places } = state.earlierStates.at(-1) ?? createEmptyChoice(state.tree);
  const changedState = applyChoice({ ...state, earlierStates: state.earlierStates.slice(0, -1) }, { path, decidedCount, places });
  return [changedState, ['show'], ['focus back']];
}

function chooseWord(state, { words, text }) {
  const path = [...words, text];
  const choice = { path: state.places.length ? path : followForcedWords(state.tree, path), decidedCount: path.length };
  return [applyUndoableChoice(state, choice), ['show'], ['bring into view'], ['focus']];
}

// If exactly one move ends at the element, it is played; choosing the element again confirms a preview. Several moves are offered as
// buttons. A second element narrows the choice; if no move contains both, it replaces the first. `mustNameFirst`: the first tap names
// the element and its effect, the second one plays.
function choosePlace(state, { place, isToConfirm, mustNameFirst, isByKeys }) {
  if (!state.isDeciding) return [state, ['explain', { words: [], place }]];
  if (isToConfirm && state.places.at(-1) === place) return [state, ['confirm']];
  let baseState = state;
  let places = findPlacesAfter(state, place);
  if (!findMatchingMoves(state, places).length) {
    // A choice that is blocked after the words so far may be allowed after others.
    if (!findMovesContaining(state.tree, [place]).length) {
      return [state, ['explain', { words: state.places.length ? getDecidedWords(state) : state.path, place }]];
    }
    baseState = { ...state, ...createEmptyChoice(state.tree), earlierStates: [] };
    places = [place];
  }
  const isRepeated = baseState.places.join() === places.join();
  const chosenState = isRepeated ? state : applyUndoableChoice(baseState, { places });
  const effects = isRepeated ? [] : [['show'], ['bring into view']];
  const onlyMove = findOnlyMoveEndingAt(findMatchingMoves(chosenState), place);
  if (onlyMove && (isRepeated || !mustNameFirst)) return [chosenState, ...effects, ['press', onlyMove]];
  if (onlyMove) effects.push(['preview', onlyMove.move]);
  return [chosenState, ...effects, ...(findAnchorPlace(chosenState) || !isByKeys ? [['focus']] : [])];
}

// The events that are taken while a move is under way: the choices of the old position are inert until the new one is there.
const ALWAYS_TAKEN_EVENTS = ['position', 'answered', 'blocked'];

// Return the next state, followed by what the page is to do.
export function computeNextState(state, event) {
  if (state.isSent && !ALWAYS_TAKEN_EVENTS.includes(event.type)) return [state];
  switch (event.type) {
    case 'position': return [createInitialState(event.tree, event.isDeciding, state.isBlockedOpen), ['show']];
    case 'word': return chooseWord(state, event);
    case 'number': return [{ ...state, number: event.text }, ['draw'], ['focus number']];
    case 'place': return choosePlace(state, event);
    case 'press': return [{ ...state, isSent: true }, ['send', event.node]];
    case 'confirmed': return [{ ...state, isSent: true }, ['wait']];
    case 'explain': return [state, ['explain', event]];
    case 'answered': return [{ ...state, isSent: false }];
    case 'undo': return undoStep(state);
    case 'dismiss': return state.places.length ? undoStep(state) : [state, ['clear'], ['focus']];
    case 'forget': return [{ ...state, ...createEmptyChoice(state.tree), earlierStates: [], number: '' }, ['show']];
    case 'blocked': return [{ ...state, isBlockedOpen: event.isOpen }];
    default: throw new Error(event.type);
  }
}
