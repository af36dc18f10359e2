// Chooses, in the prompt and at the places of the boards, whatever can be chosen before a move is played, and tells which boxes within
// the prompt then have to be scrolled or are cut, whether its question or its foot has moved, and how many choices there were.
async () => {
  const found = [];
  const top = (id) => Math.round(document.querySelector(id)?.getBoundingClientRect().top ?? -1);
  const kept = ['#prompt .prompt-question', '#prompt .prompt-foot'].map((id) => [id, top(id)]);
  let many = 0;
  const box = () => document.getElementById('choices');
  const back = () => document.querySelector('#prompt .undo-step');
  // A move is not played: what would send it is held back.
  const hold = (event) => {
    if (!event.target.closest('#move-tree')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const check = async (way) => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done))); // the page has drawn what has changed
    many += 1;
    const prompt = document.getElementById('prompt');
    for (const [id, at] of kept) if (top(id) !== at) found.push(`${way.join(' > ')}: ${id} moved from ${at} to ${top(id)}`);
    for (const one of prompt.querySelectorAll('*')) {
      if (one.scrollHeight <= one.clientHeight + 1) continue; // most are words that nothing shows: styles would be made for them
      const { overflowY, clipPath } = getComputedStyle(one);
      if (overflowY === 'visible' || clipPath !== 'none') continue;
      found.push(`${way.join(' > ')}: .${one.id || one.className}: ${one.scrollHeight - one.clientHeight}`);
    }
  };
  const free = () => document.dispatchEvent(new CustomEvent('htmx:error'));
  const ways = () => [...box().querySelectorAll('.choice:not(.blocked-choice, .final-choice)')];
  const walk = async (way) => {
    await check(way);
    for (let n = 0; n < ways().length; n += 1) {
      const [one, before] = [ways()[n], box().innerHTML];
      one.click();
      free();
      if (box().innerHTML === before) continue;
      await walk([...way, one.textContent.trim()]);
      back().click();
    }
  };
  if (!box()) return [[], 1];
  addEventListener('click', hold, true);
  await walk([]);
  const targets = document.querySelectorAll(':is(#map-drawing, #panel) .is-target');
  for (const where of new Set([...targets].map((one) => one.dataset.place))) {
    document.dispatchEvent(new CustomEvent('spieltisch:place-chosen', { detail: where }));
    free();
    if (!back()) continue;
    await check([`at ${where}`]);
    back().click();
  }
  removeEventListener('click', hold, true);
  return [found, many];
}
