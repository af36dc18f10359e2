// Reads a kind of move with three parameters from the word tree: the words of the first are the rows of a grid, those of the last its
// columns, and those between are the alternatives of a switch. Impossible words are in the tree, too, except below others.

import { blockedLink, childList, entries, label } from './move-tree.js';

// In the tree, impossible words come last; on the boards, their elements are in order.
function byPlace(items) {
  const places = [...document.querySelectorAll('#strip [data-place], #panel [data-place]')].map((one) => one.dataset.place);
  const at = (item) => places.indexOf(item.dataset.place);
  return [...items].sort((one, other) => at(one) - at(other));
}

export function gridRows(kind) {
  const all = byPlace(entries(childList(kind)));
  const rows = [...all.filter((row) => !blockedLink(row)), ...all.filter(blockedLink)];
  const numbers = entries(childList(rows[0]));
  const columns = byPlace(entries(childList(numbers.find((item) => !blockedLink(item)))));
  const below = (item, text) => (item && childList(item) ? entries(childList(item)).find((one) => one.dataset.text === text) : null);
  return {
    rows, numbers, columns,
    // The move at a place of the grid, or the words that are already impossible.
    moveAt(row, number, column) {
      const middle = below(row, number);
      const last = below(middle, column.dataset.text);
      const chain = [kind, row, middle, last].filter(Boolean);
      const off = chain.findIndex((item) => blockedLink(item));
      const found = off < 0 && last;
      return {
        item: found || null,
        words: chain.slice(0, off + 1).map((item) => item.dataset.text),
        names: [row, column].map((item) => label(item).textContent.trim()).join(' – '),
      };
    },
  };
}
