// Texts of this page that lie over each other: their boxes share more than a sliver. Maps are drawings, and are left out; so is
// what cannot be seen, what has been scrolled out of sight, and what is fixed over the page on purpose (it has a ground).
() => {
  const within = (node) => {
    // The part of a box that its scrolling parents let through.
    let box = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };
    for (let parent = node; parent && parent !== document.body; parent = parent.parentElement) {
      const style = getComputedStyle(parent);
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const own = parent.getBoundingClientRect();
      if (style.overflowX !== 'visible') box = { ...box, left: Math.max(box.left, own.left), right: Math.min(box.right, own.right) };
      if (style.overflowY !== 'visible') box = { ...box, top: Math.max(box.top, own.top), bottom: Math.min(box.bottom, own.bottom) };
    }
    return box;
  };
  const lifted = (node) => {
    // What floats above the rest with a ground of its own: sticky, fixed, a menu.
    for (let parent = node; parent && parent !== document.body; parent = parent.parentElement) {
      const style = getComputedStyle(parent);
      if (['sticky', 'fixed'].includes(style.position) || (style.position === 'absolute' && style.zIndex !== 'auto')) return parent;
    }
    return null;
  };
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest('svg, .visually-hidden, .skip-link, script, noscript, option, textarea, [hidden]')) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const seen = within(parent);
    for (const rect of range.getClientRects()) {
      // A line's box is taller than its letters.
      const trim = rect.height * 0.22;
      const box = {
        left: Math.max(rect.left, seen.left), right: Math.min(rect.right, seen.right),
        top: Math.max(rect.top + trim, seen.top), bottom: Math.min(rect.bottom - trim, seen.bottom),
      };
      if (box.right - box.left > 1 && box.bottom - box.top > 1) texts.push({ ...box, node, text: node.data.trim().slice(0, 40), over: lifted(parent) });
    }
  }
  const found = [];
  for (let one = 0; one < texts.length; one++) {
    for (let other = one + 1; other < texts.length; other++) {
      const [a, b] = [texts[one], texts[other]];
      if (a.node === b.node || a.over !== b.over) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && down > 2) found.push(`"${a.text}" and "${b.text}" share ${across.toFixed(0)} x ${down.toFixed(0)} px`);
    }
  }
  return found;
}
