// Chooses, in the prompt and at the places of the boards, whatever can be chosen before a move is played, and tells which boxes of the
// prompt then have to be scrolled or are cut, and how many choices there were.
async () => {
  const found = [];
  let many = 0;
  const box = () => document.getElementById('choices');
  // A move is not played: what would send it is held back.
  const hold = (event) => {
    if (!event.target.closest('#tree')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const check = async (way) => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done))); // the page has drawn what has changed
    many += 1;
    const prompt = document.getElementById('prompt');
    for (const one of [prompt, ...prompt.querySelectorAll('*')]) {
      const { overflowY, clipPath } = getComputedStyle(one);
      if (overflowY === 'visible' || clipPath !== 'none' || one.scrollHeight <= one.clientHeight + 1) continue;
      found.push(`${way.join(' > ')}: .${one.id || one.className}: ${one.scrollHeight - one.clientHeight}`);
    }
  };
  const free = () => document.dispatchEvent(new CustomEvent('htmx:error'));
  const ways = () => [...box().querySelectorAll('.choice:not(.blocked, .leaf)')];
  const walk = async (way) => {
    await check(way);
    for (let n = 0; n < ways().length; n += 1) {
      const [one, before] = [ways()[n], box().innerHTML];
      one.click();
      free();
      if (box().innerHTML === before) continue;
      await walk([...way, one.textContent.trim()]);
      box().querySelector('.back').click();
    }
  };
  if (!box()) return [[], 1];
  addEventListener('click', hold, true);
  await walk([]);
  const targets = document.querySelectorAll(':is(#map-static, #panel) .is-target');
  for (const where of new Set([...targets].map((one) => one.dataset.place))) {
    document.dispatchEvent(new CustomEvent('spieltisch:place', { detail: where }));
    free();
    if (!box().querySelector('.back')) continue;
    await check([`at ${where}`]);
    box().querySelector('.back').click();
  }
  removeEventListener('click', hold, true);
  return [found, many];
}
