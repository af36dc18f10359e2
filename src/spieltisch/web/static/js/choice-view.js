// What the prompt and the boards show of a choice, as plain data: `createChoiceView` and `createBoardMarks`. An option has the nodes
// whose labels it shows, how it looks, the elements and the move that pointing at it shows, and the event that pressing it sends.
import { getDecidedWords, findGridNode, findMatchingMoves } from './move-choice.js';
import { buildGrid } from './move-grid.js';
import { findAlternativesAlong, findChainsContaining, findChildrenAfter, findCommonChains, distinguishMoves, getElementIds, groupChains, findMovesContaining, findOnlyContinuation, removeUncommon, getWordTexts } from './move-tree.js';

const MAX_OPTIONS_WITHOUT_MAP_HINT = 12; // options, above which the map is said to be another way to choose
const [MAX_CHOICE_LENGTH, MAX_LENGTH_BESIDE_PLACELESS_CHOICE, MAX_PLACELESS_LENGTH] = [30, 24, 24]; // characters of a choice that have no room at the dock's usual size
const MAX_LINE_LENGTH = 44; // characters of a choice and its hint that are one line of a desk's prompt

const createPressEvent = (node) => ({ type: 'press', node });
const createChooseEvent = (node, words) => (node.move ? createPressEvent(node) : { type: 'word', words, text: node.text });

// Remove the "…" of a word that is followed by its continuation.
export const removeEllipsis = (text) => text.replace(/ …\s*$/, '');

// The text of the labels side by side; all but the last without their ellipsis.
const joinLabels = (labels) => labels.map(({ label }, index) => (index < labels.length - 1 ? removeEllipsis(label) : label)).join(' ');

// How the button of a move is named: by the words of the whole move, and its gain and hint. Where those words end with the words shown,
// the name comes from the contents, after `nameStart`.
function describeButton(labels, node) {
  const shownText = joinLabels(labels).trim().replace(/\s+/g, ' ');
  const words = node.name || shownText;
  const isHintShort = node.hint && (node.shortHint ? shownText.length <= MAX_CHOICE_LENGTH : shownText.length + node.hint.length <= MAX_LINE_LENGTH);
  if (node.hint && words.endsWith(shownText) && labels.length < 2) { // no space is read between two labels
    return { describedNode: node, isHintShort, nameStart: words.slice(0, -shownText.length) };
  }
  const name = [words, node.gain].filter(Boolean).join(' ');
  return { describedNode: node, isHintShort, name: node.hint ? `${name.replace(/\s*:$/, '')} – ${node.hint}` : name };
}

function createWordOption([node, words]) {
  const labels = [node];
  // Not "disabled": pressing it shows the reason.
  if (node.isBlocked) return { labels, isBlocked: true, event: { type: 'explain', words: [...words, node.text] } };
  // What is left to choose has one answer: the button says it, too. The kind of a move alone does not tell the move; an uncommon one
  // is undone at once if it was not meant.
  const remainingNodes = words.length || node.isUncommon ? findOnlyContinuation(node) : [];
  if (remainingNodes.length) return createOnlyMoveOption([node, ...remainingNodes]);
  const isLeaf = !node.isUncommon && Boolean(node.move) && !node.children.length;
  return {
    labels, isLeaf, isUncommon: node.isUncommon, isAsked: node.isAsked,
    isPlaceless: isLeaf && !node.place, // a small screen shows choices without an element first
    ...(node.move || node.hint ? describeButton(labels, node) : {}),
    places: node.place ? [node.place] : findMovesContaining(node.children, []).flatMap(getElementIds),
    move: node.move,
    event: createChooseEvent(node, words),
  };
}

// An option for the only move that is left: all its words from here on, or for an uncommon one the first.
function createOnlyMoveOption(chain) {
  const [node, lastNode] = [chain[0], chain.at(-1)];
  if (node.isUncommon) return { labels: [node], isUncommon: true, isLeaf: true, name: lastNode.name, event: createPressEvent(lastNode) };
  return { ...createMoveOption(chain, chain), isPlaceless: !getElementIds(chain).length };
}

// An option for one move whose words stand in one line.
function createMoveOption(labels, chain) {
  const lastNode = chain.at(-1);
  return {
    labels, isLine: true, isLeaf: true, isAsked: lastNode.isAsked, ...describeButton(labels, lastNode), places: getElementIds(chain), move: lastNode.move, event: createPressEvent(lastNode),
  };
}

// The nodes that distinguish a continuation, without those of the chosen elements.
function findDistinguishingNodes(state, nodes) {
  const otherNodes = nodes.filter((node) => !state.places.includes(node.place));
  return otherNodes.length ? otherNodes : nodes;
}

// An option for one of several moves that contain the chosen elements, or for those of them that a word has in common.
function createContinuationOption(state, { chains, nodes, depth }) {
  const [chain] = chains;
  const labels = findDistinguishingNodes(state, nodes);
  if (chains.length === 1) return createMoveOption(labels, chain);
  const isAsked = chains.some((chain) => chain.at(-1).isAsked);
  return { labels, isLine: true, isAsked, event: createChooseEvent(chain[depth], [...getDecidedWords(state), ...getWordTexts(chain.slice(0, depth))]) };
}

// Uncommon variants of the choice: an option for each, after the others.
export function createUncommonOptions(state) {
  const chains = findMatchingMoves(state).filter((chain) => chain.some((node) => node.isUncommon));
  return groupChains(chains, (chain) => chain.find((node) => node.isUncommon)).map(([node, [chain, ...otherChains]]) => {
    const words = [...getDecidedWords(state), ...getWordTexts(chain.slice(0, chain.indexOf(node)))];
    return { labels: [node], isUncommon: true, event: otherChains.length ? createChooseEvent(node, words) : createPressEvent(chain.at(-1)) };
  });
}

// Word by word: the words that may follow, and the alternatives along forced words.
function createWordContent(state) {
  const nodes = findChildrenAfter(state.tree, state.path);
  const nodesWithWords = [...nodes.map((node) => [node, state.path]), ...findAlternativesAlong(state.tree, state.path, state.decidedCount)];
  const possibleNodes = nodesWithWords.filter(([node]) => !node.isBlocked);
  const commonNodes = possibleNodes.filter(([node]) => !node.isUncommon);
  const shownNodes = commonNodes.length ? commonNodes : possibleNodes; // where only uncommon choices are left, they are the choices
  return {
    question: nodes[0]?.question,
    isAskedByPrompt: !state.decidedCount && shownNodes.every(([node]) => nodes.includes(node)),
    options: shownNodes.map((option) => ({ ...createWordOption(option), isUncommon: false })),
    uncommon: commonNodes.length ? possibleNodes.filter(([node]) => node.isUncommon).map(createWordOption) : [],
    blocked: nodesWithWords.filter(([node]) => node.isBlocked).map(createWordOption),
  };
}

// A grid of moves: its first parameter down, its last one across, with what each move gains.
function createGridContent(state, gridNode, boardOrder) {
  const { rows, columns, numbers, findMoveAt, firstNumber } = buildGrid(gridNode, boardOrder);
  const number = state.number || firstNumber;
  const createCell = (row, column) => {
    const { words, node, names } = findMoveAt(row, number, column);
    if (!node) return { text: '·', names, isBlocked: true, event: { type: 'explain', words } };
    const gain = node.gain.trim() || '0';
    return { text: gain, name: `${node.name} ${gain}`, isLeaf: true, isAsked: node.isAsked, places: getElementIds([row, node]), move: node.move, event: createPressEvent(node) };
  };
  return {
    question: [rows[0].question, columns[0].question].join(' '),
    numbers: numbers.map((node) => ({ label: node, isPressed: node.text === number, event: { type: 'number', text: node.text } })),
    grid: { axes: gridNode.axes, columns, rows: rows.map((row) => ({ row, cells: columns.map((column) => createCell(row, column)) })) },
    options: [],
    uncommon: [],
    blocked: findAlternativesAlong(state.tree, state.path.slice(0, 1), state.decidedCount).map(createWordOption),
  };
}

// Of moves of a grid, those with the last alternative of its switch come first, as the grid shows them first.
function sortByNumber(continuations) {
  if (!continuations.every(({ chains: [[gridNode]] }) => gridNode.axes)) return continuations;
  const getNumber = ({ chains: [[, , number]] }) => number.index;
  return [...continuations].sort((option, otherOption) => getNumber(otherOption) - getNumber(option));
}

// If all moves have the same hint, show it once, with the first; it still describes each of them.
function showHintOnce(options) {
  const hints = options.map(({ describedNode }) => describedNode?.hint);
  if (!hints[0] || hints.some((hint) => hint !== hints[0])) return options;
  return options.map((option, index) => ({ ...option, isHintHidden: index > 0 }));
}

// By elements: the moves that remain.
function createPlaceContent(state, isDocked) {
  const chains = findMatchingMoves(state);
  const allChains = findChainsContaining(findChildrenAfter(state.tree, getDecidedWords(state)), state.places);
  const continuations = sortByNumber(distinguishMoves(findCommonChains(chains), findCommonChains(allChains)));
  const uncommon = removeUncommon(chains).length ? createUncommonOptions(state) : [];
  if (isDocked && continuations.length === 1) { // the dock shows the whole move
    return { question: '', options: [createContinuationOption(state, { ...continuations[0], nodes: continuations[0].chains[0] })], uncommon, blocked: [] };
  }
  const options = showHintOnce(continuations.map((group) => createContinuationOption(state, group)));
  return { question: findDistinguishingNodes(state, continuations[0].nodes).at(-1).question, options, uncommon, blocked: [] };
}

// What the task of a lesson accepts is marked, unless it accepts everything; where not all choices are in sight, it comes first.
function markAskedOptions(options, isDocked) {
  const areAllAsked = options.length > 1 && options.every(({ isAsked }) => isAsked);
  const markedOptions = areAllAsked ? options.map((option) => ({ ...option, isAsked: false })) : options;
  return isDocked ? [...markedOptions.filter(({ isAsked }) => isAsked), ...markedOptions.filter(({ isAsked }) => !isAsked)] : markedOptions;
}

// The words chosen so far, without those that were the only option if a question follows them.
function findStepsBefore(state, question, isDocked) {
  const nodes = state.path.map((word, index) => findChildrenAfter(state.tree, state.path.slice(0, index)).find(({ text }) => text === word));
  const steps = nodes.filter((node, index) => index < state.decidedCount || !question);
  if (isDocked) steps.push(...(findMatchingMoves(state)[0] ?? []).filter((node) => state.places.includes(node.place)));
  return steps;
}

const hasHint = ({ describedNode, isHintHidden }) => Boolean(describedNode?.hint) && !isHintHidden;

// Whether the dock has no room for a choice at its usual size. One with a hint has, unless the choice without a place stands beside it.
function isLong(option, isBesidePlacelessChoice) {
  const { labels, isLine, describedNode } = option;
  const labelLength = joinLabels(labels).length + Number(Boolean(isLine)) + (describedNode?.gain ? describedNode.gain.length + 1 : 0);
  if (hasHint(option)) return isBesidePlacelessChoice && Math.max(labelLength, describedNode.hint.length) > MAX_LENGTH_BESIDE_PLACELESS_CHOICE;
  return labelLength > (isBesidePlacelessChoice && option.isPlaceless ? MAX_PLACELESS_LENGTH : MAX_CHOICE_LENGTH);
}

// What the prompt shows. Of the page it has to know whether the choices are docked below the boards, whether there is a map, and the
// order of the elements on the boards.
export function createChoiceView(state, { isDocked, hasMap, boardOrder }) {
  const gridNode = findGridNode(state);
  const content = state.places.length ? createPlaceContent(state, isDocked) : gridNode ? createGridContent(state, gridNode, boardOrder) : createWordContent(state);
  const options = markAskedOptions(content.options, isDocked);
  const choiceCount = gridNode ? 1 : options.length;
  const hasPlacelessChoice = choiceCount > 1 && options.filter(({ isPlaceless }) => isPlaceless).length === 1;
  const isInPrompt = content.isAskedByPrompt || (isDocked && !state.earlierStates.length); // the heading of the prompt asks it already
  return {
    ...content,
    options: options.map((option) => ({ ...option, isLong: isLong(option, hasPlacelessChoice) })),
    heading: isInPrompt ? '' : content.question,
    steps: findStepsBefore(state, content.question, isDocked),
    isMapHinted: hasMap && !state.places.length && choiceCount > MAX_OPTIONS_WITHOUT_MAP_HINT,
    hasHints: options.some(hasHint),
    hasPlacelessChoice,
    canUndo: state.earlierStates.length > 0,
    isBlockedOpen: state.isBlockedOpen,
  };
}

// What the boards show of a choice: the elements that can be chosen, those that the task of a lesson asks for, the chosen ones, and the
// moves whose icons stand at their last elements.
export function createBoardMarks(state) {
  const chains = findMatchingMoves(state);
  const askedChains = chains.filter((chain) => chain.at(-1).isAsked);
  return {
    targets: new Set(chains.flatMap(getElementIds)),
    asked: new Set(askedChains.length < chains.length ? askedChains.flatMap(getElementIds).filter((place) => !state.places.includes(place)) : []),
    chosen: new Set(state.places),
    reaching: state.places.length ? [] : chains,
  };
}
