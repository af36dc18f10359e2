// Reads the legal moves from the word tree that the server sends: nested lists (#move-tree), which also work without a script.

const getText = (element) => element?.textContent ?? '';

// One word. `question` is what it answers, `name` how its move is read aloud; `item` is where drawing finds its label and notes.
function readNode(item, index, askedMoves) {
  const button = item.querySelector(':scope > button');
  const children = readList(item.querySelector(':scope > details > ul'), askedMoves);
  const { wordText: text, place = '', rowLabel, columnLabel } = item.dataset;
  return {
    text, place, index, children, item,
    question: item.parentElement.dataset.question ?? '',
    label: getText(findLabel(item)),
    move: button?.value ?? '',
    name: button?.getAttribute('aria-label') ?? '',
    gain: getText(findGain(item)),
    hint: getText(findHint(item)),
    shortHint: getText(findShortHint(item)),
    axes: 'isGrid' in item.dataset ? { rowLabel, columnLabel } : null,
    isBlocked: item.querySelector(':scope > a.blocked-choice') !== null,
    isUncommon: 'isUncommon' in item.dataset,
    isAsked: askedMoves.includes(button?.value) || children.some((node) => node.isAsked),
  };
}

function readList(list, askedMoves) {
  return [...(list?.children ?? [])].map((item, index) => readNode(item, index, askedMoves));
}

export const findLabel = (item) => item.querySelector('.move-label');
export const findGain = (item) => item.querySelector(':scope > button > .points-gain');
export const findHint = (item) => item.querySelector(':scope > button > .note, :scope > details > summary > .note');
export const findShortHint = (item) => item.querySelector(':scope > button > .short-note, :scope > details > summary > .short-note');

// All words of the page. Those that the task of a lesson accepts, or that begin such a move, are asked.
export function readTree() {
  return readList(document.querySelector('#move-tree > ul'), document.querySelector('.prompt-head')?.dataset.lessonMoves?.split('|') ?? []);
}
