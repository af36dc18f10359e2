// Draws what choice-view.js says into the prompt. What is pressed goes to `send`, and what is pointed at to `point`.
import { removeEllipsis } from './choice-view.js';
import { findGain, findHint, findLabel, findShortHint } from './move-tree-reader.js';

export const besideBoardsQuery = matchMedia('(min-width: 52rem)'); // a choice is a row of the prompt, with a few words at its end
const DIGIT_KEY_COUNT = 9; // so many choices have a key

function createElement(name, className, ...contents) {
  const element = document.createElement(name);
  element.className = className;
  element.append(...contents);
  return element;
}

function createButton(className, contents, onPress) {
  const button = createElement('button', className, ...contents);
  button.type = 'button';
  button.addEventListener('click', onPress);
  return button;
}

const createHiddenText = (text) => createElement('span', 'visually-hidden', text);
const copyLabel = ({ item }) => findLabel(item).cloneNode(true);

// A label that other words continue ends in "…", because a colon with nothing after it looks cut off.
function createOpenLabel(node) {
  const label = copyLabel(node);
  const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
  let lastText = null;
  while (texts.nextNode()) if (texts.currentNode.data.trim()) lastText = texts.currentNode;
  if (lastText) lastText.data = lastText.data.replace(/\s*:\s*$/, ' …');
  return label;
}

// The labels in one line, with a point between two names as in a suggested move; all but the last without their ellipsis.
function createLabelLine(labels) {
  const line = createElement('span', '');
  for (const [index, node] of labels.entries()) {
    const labelCopy = copyLabel(node);
    const texts = document.createTreeWalker(labelCopy, NodeFilter.SHOW_TEXT);
    labelCopy.classList.toggle('is-before-name', index < labels.length - 1 && !/[:…]\s*$/.test(node.label));
    while (index < labels.length - 1 && texts.nextNode()) texts.currentNode.data = removeEllipsis(texts.currentNode.data);
    line.append(labelCopy, ' ');
  }
  return line;
}

function createOptionContents({ labels, isLine, text, names, describedNode, nameStart, isBlocked }, hint) {
  const createBlockedNote = () => createHiddenText([names, document.getElementById('choices').dataset.blockedNote].filter(Boolean).join(' '));
  if (isBlocked) return text ? [createElement('span', 'move-label', text), createBlockedNote()] : [copyLabel(labels[0]), ' ', createBlockedNote()];
  if (text) return [text];
  const labelText = isLine ? createLabelLine(labels) : createOpenLabel(labels[0]);
  const gainCopy = describedNode && findGain(describedNode.item)?.cloneNode(true);
  const isNameShown = nameStart !== undefined;
  if (gainCopy && isNameShown) gainCopy.removeAttribute('aria-hidden');
  const labelWithGain = gainCopy ? createElement('span', '', labelText, ' ', gainCopy) : labelText;
  return isNameShown ? [createHiddenText(nameStart), labelWithGain, createHiddenText(` – ${hint.textContent}`)] : [labelWithGain];
}

// The hint, whole or in its short form, which shows the whole one while it is pointed at.
function createNote(hint, shortHint) {
  const note = (shortHint ?? hint).cloneNode(true);
  if (shortHint) Object.assign(note, { hidden: false, title: hint.textContent });
  note.classList.add('note');
  note.removeAttribute('id');
  note.setAttribute('aria-hidden', 'true'); // it is in the name already, whole, and there is not always room for it
  return note;
}

// A button for one option.
function createOptionButton(option, { send, point }) {
  const { describedNode, isHintHidden, isHintShort, name, places, move } = option;
  const hint = describedNode && findHint(describedNode.item);
  const isHintShown = hint && !isHintHidden;
  const classNames = {
    choice: true, 'blocked-choice': option.isBlocked, 'is-uncommon': option.isUncommon, 'final-choice': option.isLeaf, 'is-placeless': option.isPlaceless, 'is-lesson-choice': option.isAsked,
    'has-note': isHintShown, 'has-short-note': hint && isHintShort, 'is-long': option.isLong,
  };
  const button = createButton(Object.keys(classNames).filter((className) => classNames[className]).join(' '), createOptionContents(option, hint), () => send(option.event));
  if (name) button.setAttribute('aria-label', name);
  if (isHintShown) {
    button.append(' ', createNote(hint, besideBoardsQuery.matches ? findShortHint(describedNode.item) : null));
  }
  if (places) {
    for (const [event, isPointedAt] of [['pointerenter', true], ['focus', true], ['pointerleave', false], ['blur', false]]) {
      button.addEventListener(event, () => point({ places, move, isPointedAt, isShown: event !== 'focus' || button.matches(':focus-visible') }));
    }
  }
  return button;
}

function createGrid({ axes, columns, rows }, drawOption) {
  const createHeaderCell = (node, scope) => Object.assign(createElement('th', '', copyLabel(node)), { scope });
  const cornerCell = createElement('td', 'axis-labels', createElement('span', 'column-label', axes.columnLabel), ' ', createElement('span', 'row-label', axes.rowLabel));
  const bodyRows = rows.map(({ row, cells }) => {
    return createElement('tr', row.isBlocked ? 'is-blocked-row' : '', createHeaderCell(row, 'row'), ...cells.map((cell) => createElement('td', '', drawOption(cell))));
  });
  const headRow = createElement('tr', '', cornerCell, ...columns.map((node) => createHeaderCell(node, 'col')));
  const { gridCaption, evenGridCaption } = document.getElementById('move-tree').dataset;
  const possibleCells = bodyRows.flatMap((row) => [...row.querySelectorAll('.final-choice')]);
  const isEven = possibleCells.length > 0 && possibleCells.every((cell) => cell.textContent.trim() === '0'); // said once
  const caption = createElement('caption', 'note', isEven ? evenGridCaption : gridCaption);
  return createElement('table', isEven ? 'move-grid is-even' : 'move-grid', caption, createElement('thead', '', headRow), createElement('tbody', '', ...bodyRows));
}

function createNumberButtons(numbers, send) {
  return createElement('div', 'count-buttons', ...numbers.map(({ label: node, isPressed, event }) => {
    const button = createButton('small', [copyLabel(node)], () => send(event));
    button.setAttribute('aria-pressed', isPressed);
    return button;
  }));
}

// Uncommon choices: a link for each, after the others.
export function createUncommonLinks(options, actions) {
  return options.length ? [createElement('div', 'uncommon-choices', ...options.map((option) => createOptionButton(option, actions)))] : [];
}

// Blocked words, each as an option, collapsed under a heading with their number.
function createBlockedOptions(options, isOpen, send, drawOption) {
  const heading = createElement('summary', '', `${document.getElementById('move-tree').dataset.blockedHeading} (${options.length})`);
  const details = createElement('details', 'blocked-choices', heading, createElement('div', 'choice-list', ...options.map(drawOption)));
  details.open = isOpen;
  details.addEventListener('toggle', () => send({ type: 'blocked', isOpen: details.open }));
  return details;
}

// At the end of the dock's line: undo the last step of the choice, or else the last move; before the first one, a hint.
function createDockEndButtons(canUndo, createUndoButtons) {
  const [undo, takeback, hint] = ['undo-button', 'takeback-button', 'hint-button'].map((id) => document.getElementById(id));
  if (canUndo || !undo) return createUndoButtons();
  if (!undo.disabled) return [createButton('small undo-in-dock', [undo.textContent], () => undo.click())];
  const other = takeback ?? hint;
  if (!other || other.disabled) return [];
  const button = createButton(takeback ? 'small takeback-in-dock' : 'small hint-in-dock', [other.textContent], () => other.click());
  button.title = other.textContent;
  return [button];
}

export function drawChoices(choicesElement, view, isDocked, { send, point }) {
  const drawOption = (option) => createOptionButton(option, { send, point });
  const createUndoButtons = () => (view.canUndo ? [createButton('small undo-step', [choicesElement.dataset.undoLabel], () => send({ type: 'undo' }))] : []);
  const choiceTrail = createElement('p', 'chosen-steps', ...(isDocked || document.getElementById('undo-button') ? [] : createUndoButtons()));
  choiceTrail.append(...view.steps.map((node) => createElement('span', 'chosen-step', copyLabel(node))));
  const heading = createElement('h3', 'choice-question', view.heading);
  heading.id = 'choice-question';
  const group = createElement('div', 'choice-list', ...(view.grid ? [createGrid(view.grid, drawOption)] : view.options.map(drawOption)));
  for (const [name, isClassGiven] of [['is-grid', view.grid], ['has-notes', view.hasHints], ['has-placeless-choice', view.hasPlacelessChoice]]) {
    group.classList.toggle(name, Boolean(isClassGiven));
  }
  group.setAttribute('role', 'group');
  group.setAttribute('aria-labelledby', view.heading ? 'choice-question' : 'prompt-title');
  choicesElement.classList.toggle('has-grid', Boolean(view.grid));
  choicesElement.replaceChildren(
    choiceTrail,
    ...(view.heading ? [heading] : []),
    ...(view.isMapHinted ? [createElement('p', 'hint', choicesElement.dataset.mapHint)] : []),
    ...(view.grid ? [createNumberButtons(view.numbers, send)] : []),
    group,
    ...(isDocked ? createDockEndButtons(view.canUndo, createUndoButtons) : []),
    ...createUncommonLinks(view.uncommon, { send, point }),
    ...(view.blocked.length ? [createBlockedOptions(view.blocked, view.isBlockedOpen, send, drawOption)] : []),
  );
  const choices = [...choicesElement.querySelectorAll('.choice:not(.blocked-choice)')];
  for (const [index, choice] of choices.slice(0, DIGIT_KEY_COUNT).entries()) choice.dataset.choiceDigit = index + 1;
}
