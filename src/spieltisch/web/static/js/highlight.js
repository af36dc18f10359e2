// Pointing at a company, card, goods or player, or focusing it, highlights everything of that group (data-group) and dims others of
// its kind.

const source = (target) => target?.closest?.('[data-highlights], [data-place]');

function light(event) {
  const from = event.type === 'pointerout' || event.type === 'focusout' ? null : source(event.target);
  const names = [...(from?.dataset.highlights ?? '').split(' '), from?.dataset.place].filter(Boolean);
  const found = names.flatMap((name) => [...document.querySelectorAll(`[data-group~="${CSS.escape(name)}"]`)]);
  for (const one of document.querySelectorAll('.is-lit')) if (!found.includes(one)) one.classList.remove('is-lit');
  for (const one of found) one.classList.add('is-lit');
  document.getElementById('live')?.classList.toggle('is-lighting', found.length > 0);
}

for (const name of ['pointerover', 'pointerout', 'focusin', 'focusout']) document.addEventListener(name, light);
document.addEventListener('spieltisch:changed', () => light(new Event('pointerout')));
