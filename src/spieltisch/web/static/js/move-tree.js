// The word tree of the legal moves as it comes from the server: nested lists (#tree), which also serve without a script. Here it
// is read; nothing is decided.

const MOST_WHOLE = 12; // so many moves are offered each in whole; of more, word by word

export const tree = () => document.querySelector('#tree > ul');
export const entries = (list) => (list ? [...list.children] : []);
export const childList = (item) => item.querySelector(':scope > details > ul');
export const moveButton = (item) => item.querySelector(':scope > button');
export const blockedLink = (item) => item.querySelector(':scope > a.blocked');
export const isUncommon = (item) => 'rare' in item.dataset;
export const label = (item) => item.querySelector('.label');
export const gainOf = (item) => moveButton(item)?.querySelector('.gain');
export const hintOf = (item) => moveButton(item)?.querySelector('.note');
export const open = (list) => entries(list).filter((item) => !blockedLink(item));
export const wordTexts = (chain) => chain.map((item) => item.dataset.text);
export const elementIds = (chain) => chain.map((item) => item.dataset.place).filter(Boolean);

// The list of words that may follow a path; null when the path is no longer there.
export function childrenAfter(words) {
  let list = tree();
  for (const word of words) {
    const item = entries(list).find((entry) => entry.dataset.text === word && childList(entry));
    if (!item) return null;
    list = childList(item);
  }
  return list;
}

// A path, and on from it as long as there is one way to go on: a word that is the only one is no choice. What may be played as it
// is stands beside the way, and so does what is rare.
export function followForced(words) {
  const path = [...words];
  for (;;) {
    const [way, ...others] = open(childrenAfter(path)).filter((item) => childList(item) && !isUncommon(item));
    if (!way || others.length) return path;
    path.push(way.dataset.text);
  }
}

// What stands beside the way from one length of a path to its end.
export function alternativesAlong(path, from) {
  const levels = path.slice(from).map((word, n) => [path.slice(0, from + n), word]);
  return levels.flatMap(([before, word]) =>
    entries(childrenAfter(before)).filter((item) => item.dataset.text !== word).map((item) => [item, before]));
}

// Every leaf from a list on, each with the items that lead to it.
function leaves(list, before = []) {
  return entries(list).flatMap((item) => [
    ...(moveButton(item) ? [[...before, item]] : []),
    ...(childList(item) ? leaves(childList(item), [...before, item]) : []),
  ]);
}

// The moves from a list on that name all of these places, in every order in which they can be chosen.
export const movesNaming = (list, wanted) => leaves(list).filter((chain) => wanted.every((where) => elementIds(chain).includes(where)));

// The same, each once: with what was chosen first as early as can be.
export function uniqueMovesNaming(list, wanted) {
  const found = new Map();
  const early = (chain) => elementIds(chain).indexOf(wanted[0]);
  for (const chain of movesNaming(list, wanted)) {
    const move = moveButton(chain.at(-1)).value;
    if (!found.has(move) || early(chain) < early(found.get(move))) found.set(move, chain);
  }
  return [...found.values()];
}

function first(chains) {
  let at = 0;
  if (chains.length === 1) return chains[0].length - 1;
  while (chains.every((chain) => chain[at] && chain[at] === chains[0][at])) at += 1;
  return at;
}

// What moves are to be told apart by: few by all their words from the first in which they differ, many by that one word, in any of
// their orders. Each comes with the moves it stands for, the words to show, and how many words stand before.
export function distinguish(moves, chains) {
  if (moves.length <= MOST_WHOLE) return moves.map((chain) => ({ chains: [chain], words: chain.slice(first(moves)), at: first(moves) }));
  const at = first(chains);
  const groups = new Map();
  for (const chain of chains) groups.set(chain[at], [...(groups.get(chain[at]) ?? []), chain]);
  return [...groups].map(([item, its]) => ({ chains: its, words: its.length > 1 ? [item] : its[0].slice(at), at }));
}
