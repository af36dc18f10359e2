// Reads the word tree of the legal moves as the server sends it: nested lists (#tree), which also work without a script.

const MAX_WHOLE_MOVES = 12; // up to this many moves, each is a button; above, they are chosen word by word

export const tree = () => document.querySelector('#tree > ul');
export const entries = (list) => (list ? [...list.children] : []);
export const childList = (item) => item.querySelector(':scope > details > ul');
export const moveButton = (item) => item.querySelector(':scope > button');
export const blockedLink = (item) => item.querySelector(':scope > a.blocked');
export const isUncommon = (item) => 'rare' in item.dataset;
export const label = (item) => item.querySelector('.label');
export const gainOf = (item) => moveButton(item)?.querySelector('.gain');
export const hintOf = (item) => item.querySelector(':scope > button > .note, :scope > details > summary > .note');
export const open = (list) => entries(list).filter((item) => !blockedLink(item));
export const wordTexts = (chain) => chain.map((item) => item.dataset.text);
export const elementIds = (chain) => chain.map((item) => item.dataset.place).filter(Boolean);

// The list of words that may follow a path; null if the path no longer exists.
export function childrenAfter(words) {
  let list = tree();
  for (const word of words) {
    const item = entries(list).find((entry) => entry.dataset.text === word && childList(entry));
    if (!item) return null;
    list = childList(item);
  }
  return list;
}

// Extend a path as long as there is only one word to follow. Words after which a move can end, and uncommon ones, are alternatives
// along the path.
export function followForced(words) {
  const path = [...words];
  for (;;) {
    const [way, ...others] = open(childrenAfter(path)).filter((item) => childList(item) && !isUncommon(item));
    if (!way || others.length) return path;
    path.push(way.dataset.text);
  }
}

// The alternatives between one length of a path and its end.
export function alternativesAlong(path, from) {
  const levels = path.slice(from).map((word, n) => [path.slice(0, from + n), word]);
  return levels.flatMap(([before, word]) =>
    entries(childrenAfter(before)).filter((item) => item.dataset.text !== word).map((item) => [item, before]));
}

// All leaves below a list, each with the items that lead to it.
function leaves(list, before = []) {
  return entries(list).flatMap((item) => [
    ...(moveButton(item) ? [[...before, item]] : []),
    ...(childList(item) ? leaves(childList(item), [...before, item]) : []),
  ]);
}

// The items after this one, if only one move begins with it; empty if it is a move itself.
export function onlyWay(item) {
  const ways = moveButton(item) ? [] : leaves(childList(item));
  return ways.length === 1 ? ways[0] : [];
}

// Whether an item is a move that the task of a lesson accepts, or begins one.
export function isAsked(item) {
  const asked = document.querySelector('.asking')?.dataset.asked?.split('|') ?? [];
  return asked.length > 0 && [...item.querySelectorAll('button[name="move"]')].some(({ value }) => asked.includes(value));
}

// The moves below a list that contain all of these elements, in every order in which they can be chosen.
export const movesNaming = (list, wanted) => leaves(list).filter((chain) => wanted.every((where) => elementIds(chain).includes(where)));

// The same without repetition: the first chosen element as early as possible.
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

// How to distinguish moves: a few by all words from the first different one on, many by that one word, in any of their orders. Each
// entry has its moves, the words to show, and the number of words before.
export function distinguish(moves, chains) {
  if (moves.length <= MAX_WHOLE_MOVES) return moves.map((chain) => ({ chains: [chain], words: chain.slice(first(moves)), at: first(moves) }));
  const at = first(chains);
  const groups = new Map();
  for (const chain of chains) groups.set(chain[at], [...(groups.get(chain[at]) ?? []), chain]);
  return [...groups].map(([item, its]) => ({ chains: its, words: its.length > 1 ? [item] : its[0].slice(at), at }));
}
