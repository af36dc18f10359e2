// Texts of this page that are not whole: cut by a box that hides what does not fit, or with a word that is broken
// elsewhere than after a hyphen, a soft one or a slash. Left out is what is drawn, only heard, or scrolled, and what is cut in the head
// of a table, where it is whole under the pointer.
() => {
  const found = [];
  const near = (text) => JSON.stringify(text.trim().slice(0, 60));
  const cutBy = (node, box) => {
    // The parent that hides a part of the box; null where all of it shows, undefined where it is there to be heard only.
    for (let parent = node; parent !== document.body; parent = parent.parentElement) {
      const { overflowX, overflowY, clipPath } = getComputedStyle(parent);
      const own = parent.getBoundingClientRect();
      const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
      if (clipPath !== 'none') return undefined;
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      if (hides(overflowX) && (box.left < own.left - 1 || box.right > own.right + 1)) return parent;
      // A line's box is taller than its letters.
      const spare = 0.25 * box.line;
      if (hides(overflowY) && (box.top < own.top - spare || box.bottom > own.bottom + spare)) return parent;
    }
    return null;
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest('svg, .visually-hidden, .skip-link, script, noscript, option, textarea, [hidden]')) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })) continue;
    if (parent.closest('.table-head [title], .site-header [title], .team-head [title]')?.title.includes(node.data.trim())) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const all = range.getBoundingClientRect();
    const line = range.getClientRects()[0]?.height || 0;
    const by = cutBy(parent, { left: all.left, top: all.top, right: all.right, bottom: all.bottom, line });
    if (by === undefined) continue;
    if (by || (getComputedStyle(parent).textOverflow === 'ellipsis' && parent.scrollWidth > parent.clientWidth)) {
      found.push(`cut: ${near(node.data)} by .${(by || parent).className}`);
    }
    if (getComputedStyle(parent).writingMode !== 'horizontal-tb') continue;
    for (const { 0: word, index } of node.data.matchAll(/\S+/gu)) {
      const top = (at) => {
        range.setStart(node, index + at);
        range.setEnd(node, index + at + 1);
        return [...range.getClientRects()].at(-1)?.top ?? 0;
      };
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (range.getBoundingClientRect().height < 1.5 * line) continue;
      for (let at = 1; at < word.length; at++) {
        if (top(at) > top(at - 1) + line / 2 && !/[-‐–—/\u00ad]/u.test(word[at - 1])) {
          found.push(`broken: ${word.slice(0, at)}|${word.slice(at)}`);
        }
      }
    }
  }
  return found;
}
