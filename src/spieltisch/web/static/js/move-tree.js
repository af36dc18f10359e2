// The legal moves as a tree of words, and what follows from it: the words after others, the moves that are left, what distinguishes
// them. A node is plain data, as move-tree-reader.js reads it from the page.

const MAX_WHOLE_MOVES = 12; // up to this many moves, each is a button; above, they are chosen word by word

export const getWordTexts = (chain) => chain.map((node) => node.text);
export const getElementIds = (chain) => chain.map((node) => node.place).filter(Boolean);

// The words that may follow a path.
export function findChildrenAfter(tree, words) {
  let nodes = tree;
  for (const word of words) nodes = nodes.find((node) => node.text === word && node.children.length)?.children ?? [];
  return nodes;
}

// Extend a path as long as there is only one word to follow. Words after which a move can end, and uncommon ones, are alternatives
// along the path.
export function followForcedWords(tree, words) {
  const path = [...words];
  for (;;) {
    const [onlyNode, ...otherNodes] = findChildrenAfter(tree, path).filter((node) => !node.isBlocked && node.children.length && !node.isUncommon);
    if (!onlyNode || otherNodes.length) return path;
    path.push(onlyNode.text);
  }
}

// The alternatives between one length of a path and its end, each with the words before it.
export function findAlternativesAlong(tree, path, start) {
  const steps = path.slice(start).map((word, index) => [path.slice(0, start + index), word]);
  return steps.flatMap(([wordsBefore, word]) => findChildrenAfter(tree, wordsBefore).filter((node) => node.text !== word).map((node) => [node, wordsBefore]));
}

// All moves below some nodes, each as the chain of nodes that leads to it.
function findChainsBelow(nodes, nodesBefore = []) {
  return nodes.flatMap((node) => [...(node.move ? [[...nodesBefore, node]] : []), ...findChainsBelow(node.children, [...nodesBefore, node])]);
}

// The nodes after this one, if only one move begins with it; empty if it is a move itself.
export function findOnlyContinuation(node) {
  const chains = node.move ? [] : findChainsBelow(node.children);
  return chains.length === 1 ? chains[0] : [];
}

export const removeUncommon = (chains) => chains.filter((chain) => !chain.some((node) => node.isUncommon));
export const findCommonChains = (chains) => (removeUncommon(chains).length ? removeUncommon(chains) : chains);

// The moves below some nodes that contain all of these elements, in every order in which they can be chosen.
export const findChainsContaining = (nodes, places) => findChainsBelow(nodes).filter((chain) => places.every((place) => getElementIds(chain).includes(place)));

// The same without repetition: the first chosen element as early as possible.
export function findMovesContaining(nodes, places) {
  const chainsByMove = new Map();
  const getFirstIndex = (chain) => getElementIds(chain).indexOf(places[0]);
  for (const chain of findChainsContaining(nodes, places)) {
    const { move } = chain.at(-1);
    if (!chainsByMove.has(move) || getFirstIndex(chain) < getFirstIndex(chainsByMove.get(move))) chainsByMove.set(move, chain);
  }
  return [...chainsByMove.values()];
}

// The move that ends at this element, if exactly one of these does and no other is left.
export function findOnlyMoveEndingAt(chains, place) {
  const [onlyChainLeft, ...otherChains] = removeUncommon(chains);
  return onlyChainLeft && !otherChains.length && getElementIds(onlyChainLeft).at(-1) === place ? onlyChainLeft.at(-1) : null;
}

function findFirstDifference(chains) {
  let index = 0;
  if (chains.length === 1) return chains[0].length - 1;
  while (chains.every((chain) => chain[index] && chain[index] === chains[0][index])) index += 1;
  return index;
}

// How to distinguish moves: a few by all words from the first different one on, many by that one word, in any of their orders. Each
// entry has its moves, the nodes to show, and the number of words before.
export function distinguishMoves(moves, chains) {
  if (moves.length <= MAX_WHOLE_MOVES) {
    const index = findFirstDifference(moves);
    return moves.map((chain) => ({ chains: [chain], nodes: chain.slice(index), depth: index }));
  }
  const index = findFirstDifference(chains);
  return groupChains(chains, (chain) => chain[index]).map(([node, group]) => ({ chains: group, nodes: group.length > 1 ? [node] : group[0].slice(index), depth: index }));
}

// Pairs of a key and the chains that have it, in the order of their first ones.
export function groupChains(chains, getKey) {
  const groups = new Map();
  for (const chain of chains) groups.set(getKey(chain), [...(groups.get(getKey(chain)) ?? []), chain]);
  return [...groups];
}
