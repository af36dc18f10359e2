// Pointing at a company, card, goods or player, or focusing it, highlights everything of that group (data-group) and dims others of
// its kind.

const findHighlightSource = (target) => target?.closest?.('[data-highlights], [data-place]');

function updateHighlight(event) {
  const source = event.type === 'pointerout' || event.type === 'focusout' ? null : findHighlightSource(event.target);
  const groupNames = [...(source?.dataset.highlights ?? '').split(' '), source?.dataset.place].filter(Boolean);
  const groupMembers = groupNames.flatMap((name) => [...document.querySelectorAll(`[data-group~="${CSS.escape(name)}"]`)]);
  for (const element of document.querySelectorAll('.is-highlighted')) if (!groupMembers.includes(element)) element.classList.remove('is-highlighted');
  for (const element of groupMembers) element.classList.add('is-highlighted');
  document.getElementById('live-part')?.classList.toggle('has-highlight', groupMembers.length > 0);
}

for (const name of ['pointerover', 'pointerout', 'focusin', 'focusout']) document.addEventListener(name, updateHighlight);
document.addEventListener('spieltisch:page-updated', () => updateHighlight(new Event('pointerout')));
